"""What has to be done to make the index equal to the disk. Pure: compares, does nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from knapper.index.scan import Scan
from knapper.store.rows import FileState, KnownFile
from knapper.vault.paths import NotePath, is_note

_FEW = 50
_SHARE = 0.2

UNKNOWN = FileState(-1, 0, 0)
"""The state of a file that is listed and has never been looked at from inside."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What differs: files to list (with their state), files to forget, notes to read."""

    listed: Mapping[NotePath, FileState] = field(default_factory=dict)
    gone: tuple[NotePath, ...] = ()
    read: tuple[NotePath, ...] = ()


def is_read(path: str) -> bool:
    """Whether the index holds more of the file than its name: notes and canvases."""
    return is_note(path) or path[-7:].lower() == ".canvas"


def compare(known: Mapping[NotePath, KnownFile], scan: Scan, under: str = "") -> Plan:
    """What a scan (of the folder *under*) found to be otherwise than the index has it.

    Notes are listed as unknown and then read, other files have nothing to read and are listed as they are.
    A note that the cloud keeps online is left as it is.
    """
    listed: dict[NotePath, FileState] = {}
    read: list[NotePath] = []
    for path, state in scan.files.items():
        old = known.get(path)
        if is_read(path):
            if old is None:
                listed[path] = UNKNOWN
            if (old is None or old.digest is None or old.state != state) and path not in scan.online_only:
                read.append(path)
        elif old is None or old.state != state:
            listed[path] = state
    gone = _gone(known, scan, under)
    return Plan(listed, gone, tuple(read))


def is_loss(gone: int, known: int, found: int) -> bool:
    """Whether so much is missing that the disk may not be all there: nothing, or many files at once."""
    if known == 0:
        return False
    return found == 0 or (gone > _FEW and gone > _SHARE * known)


def _gone(known: Mapping[NotePath, KnownFile], scan: Scan, under: str) -> tuple[NotePath, ...]:
    if "" in scan.unread:
        return ()
    kept = tuple(f"{folder}/" for folder in scan.unread)
    return tuple(
        path
        for path in within(known, under)
        if path not in scan.files
        and path not in scan.online_only
        and path not in scan.unread
        and not path.startswith(kept)
    )


def within(paths: Iterable[NotePath], under: str) -> Iterable[NotePath]:
    """Those of *paths* that lie in the folder *under*, or are it."""
    if not under:
        return paths
    return (path for path in paths if path == under or path.startswith(f"{under}/"))
