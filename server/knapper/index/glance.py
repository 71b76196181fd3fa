"""Looking at single files and folders that are said to have changed, by the rules of a whole scan."""

# ruff: noqa: PTH114, PTH118, PTH208 -- A `Path` for each file costs more than the look.

from __future__ import annotations

import os
import stat
from collections.abc import Container, Iterable
from pathlib import Path

from knapper.index.ignore import Ignored
from knapper.index.plan import UNKNOWN, Plan, compare, is_read, within
from knapper.index.scan import Scan, is_online_only, state_of
from knapper.index.vaults import MARKERS
from knapper.store.rows import FileState, KnownFile
from knapper.vault.paths import NotePath, folder_of, name_of


class Glance:
    """One look at some paths of a vault. Folders that are no part of it are found once each."""

    def __init__(self, root: Path, known: dict[NotePath, KnownFile]) -> None:
        self.links = False
        """Whether a symbolic link was met: only a whole scan knows what it adds."""
        self._root = os.path.realpath(root)
        self._known = known
        self._folders: dict[str, Ignored | None] = {}
        self._spelled: dict[str, Container[str]] = {}

    def look(self, paths: Iterable[str]) -> Plan:
        """What has changed at these paths and below them."""
        listed: dict[NotePath, FileState] = {}
        gone: dict[NotePath, None] = {}
        read: dict[NotePath, None] = {}
        for path in dict.fromkeys(path.strip("/") for path in paths):
            part = self._at(path)
            listed.update(part.listed)
            gone.update(dict.fromkeys(part.gone))
            read.update(dict.fromkeys(part.read))
        return Plan(listed, tuple(path for path in gone if path not in listed), tuple(read))

    def _at(self, path: str) -> Plan:
        if not path or self._within(folder_of(path)) is None or name_of(path).startswith("."):
            return Plan()
        found = self._found(path)
        if found is None or (stat.S_ISDIR(found.st_mode) and self._within(path) is None):
            return self._nothing_at(path)
        if stat.S_ISLNK(found.st_mode):
            self.links = True
        elif stat.S_ISDIR(found.st_mode):
            return compare(self._known, Scan(Path(self._root), path, ignored=self._within(path)).run(), path)
        elif stat.S_ISREG(found.st_mode):
            return self._file_at(NotePath(path), found)
        return Plan()

    def _found(self, path: str) -> os.stat_result | None:
        try:
            found = os.lstat(os.path.join(self._root, path))
        except (OSError, ValueError):
            return None
        return found if self._is_spelled_so(path) else None

    def _file_at(self, path: NotePath, found: os.stat_result) -> Plan:
        old = self._known.get(path)
        below = tuple(other for other in within(self._known, path) if other != path)
        if not is_read(path):
            state = state_of(found)
            return Plan({} if old and old.state == state else {path: state}, below)
        # A note said to have changed is read even if it looks as before: clocks of file systems are coarse.
        return Plan({} if old else {path: UNKNOWN}, below, () if is_online_only(found) else (path,))

    def _nothing_at(self, path: str) -> Plan:
        return Plan(gone=tuple(within(self._known, path)))

    def _is_spelled_so(self, path: str) -> bool:
        """Whether the disk spells the name so: some file systems find `note.md` under `Note.md` too."""
        folder = folder_of(path)
        if path in self._known and folder not in self._spelled:
            return True
        if folder not in self._spelled:
            try:
                self._spelled[folder] = set(os.listdir(os.path.join(self._root, folder)))
            except OSError:
                self._spelled[folder] = ()
        return name_of(path) in self._spelled[folder]

    def _within(self, folder: str) -> Ignored | None:
        """What is ignored in *folder*, or None if it is no visible part of the vault."""
        if folder not in self._folders:
            self._folders[folder] = self._entered(folder)
        return self._folders[folder]

    def _entered(self, folder: str) -> Ignored | None:
        disk = os.path.join(self._root, folder) if folder else self._root
        if not folder:
            return Ignored.of(Path(self._root)).within("", disk)
        above = self._within(folder_of(folder))
        name = name_of(folder)
        if above is None or name.startswith(".") or name in {"", ".", ".."} or above.folder(folder):
            return None
        if os.path.islink(disk):
            self.links = True
            return None
        if any(os.path.lexists(os.path.join(disk, marker)) for marker in MARKERS):
            return None
        return above.within(folder, disk)
