"""The usage journal: which notes were opened and cited on which days, as text that only grows.

One JSON object a line: `{"day": "2026-05-01", "did": "opened", "path": "Bread.md"}`, or `renamed` with
`to`. It holds what salience needs and the files cannot give; nothing else can restore it, so a line that
cannot be read is passed over and kept. Several processes may write to one journal. Must not know what the
days are used for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from knapper.base.appending import append
from knapper.base.folders import state_folder, vault_slug
from knapper.search.salience import Use
from knapper.vault.paths import NotePath, key

OPENED, CITED, RENAMED = "opened", "cited", "renamed"
JOURNAL_NAME = "usage.jsonl"
_LONG = 20_000
"""A journal of more lines than this is made shorter when it is opened."""


def journal_file(root: Path) -> Path:
    """Where the journal of the vault at *root* lies."""
    return state_folder() / "vaults" / vault_slug(root) / JOURNAL_NAME


@dataclass(frozen=True, slots=True)
class Entry:
    """One line. A rename has `to`; `day` is when it happened."""

    day: date
    did: str
    path: NotePath
    to: NotePath | None = None

    def line(self) -> str:
        """The entry as it is written, its line break included."""
        written: dict[str, str] = {"day": self.day.isoformat(), "did": self.did, "path": self.path}
        if self.to is not None:
            written["to"] = self.to
        # Escaped, because a file name may hold what is no text (lone surrogates).
        return json.dumps(written) + "\n"


class Journal:
    """The journal in *file*. Belongs to one thread; writes never raise and never wait.

    What cannot be written now (another process makes the journal shorter, the disk is full) is kept and
    written with the next entry; `trouble` says why, in words.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = FileLock(f"{file}.lock")
        self._waiting: list[str] = []
        self._days: dict[str, set[date]] = {}
        self._uses: Mapping[str, Use] | None = None
        self.trouble: str | None = None
        lines = _lines(file)
        self._take(filter(None, map(read_entry, lines)))
        if len(lines) > _LONG:
            self.compact()

    def opened(self, path: NotePath, day: date) -> None:
        """The note was worked in, or opened from our results; the second time on a day changes nothing."""
        self._used(Entry(day, OPENED, path))

    def cited(self, path: NotePath, day: date) -> None:
        """An answer cited the note; counts as opened."""
        self._used(Entry(day, CITED, path))

    def renamed(self, old: NotePath, new: NotePath, day: date) -> None:
        """The note has another path now, and its use goes with it."""
        if key(old) in self._days and old != new:
            self._write(Entry(day, RENAMED, old, new))

    def is_new(self, day: date) -> bool:
        """Whether nothing is known of the days before *day*."""
        return not any(used < day for days in self._days.values() for used in days)

    def take_over(self, file: Path) -> None:
        """Add what another journal says: the vault has moved. The other one stays as it is."""
        entries = filter(None, map(read_entry, _compacted(_lines(file))))
        new = [entry for entry in entries if entry.day not in self._days.get(key(entry.path), ())]
        self._take(new)
        self._waiting += [entry.line() for entry in new]
        self.flush()

    def uses(self) -> Mapping[str, Use]:
        """The use of every note by the key of its path. The same object while nothing changes."""
        if self._uses is None:
            self._uses = {path: Use(max(days), len(days)) for path, days in self._days.items() if days}
        return self._uses

    def flush(self) -> None:
        """Write what is waiting, if that can be done at once."""
        if not self._waiting:
            return
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._lock.acquire(blocking=False):
                append(self._file, "".join(self._waiting))
        except Timeout:
            return
        except OSError as error:
            self.trouble = f"The use of notes cannot be remembered: {error.strerror or error}."
            return
        self._waiting.clear()
        self.trouble = None

    def compact(self) -> None:
        """Write the journal anew with one line for each note and day; what is used does not change.

        Lines that cannot be read stay as they are. If anything goes wrong the journal stays as it was.
        """
        self.flush()
        try:
            with self._lock.acquire(blocking=False):
                lines = _lines(self._file)
                shorter = "".join(_compacted(lines))
                spare = self._file.with_suffix(".new")
                with spare.open("w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
                    stream.write(shorter)
                    stream.flush()
                    os.fsync(stream.fileno())
                spare.replace(self._file)
        except (Timeout, OSError):
            return

    def _used(self, entry: Entry) -> None:
        if entry.day not in self._days.get(key(entry.path), ()):
            self._write(entry)

    def _write(self, entry: Entry) -> None:
        self._take([entry])
        self._waiting.append(entry.line())
        self.flush()

    def _take(self, entries: Iterable[Entry]) -> None:
        apply(self._days, entries)
        self._uses = None


def apply(days: dict[str, set[date]], entries: Iterable[Entry]) -> None:
    """Add *entries*, in their order, to the *days* of notes by the key of their path.

    After a rename the days are the new path's, with those it already had.
    """
    for entry in entries:
        if entry.did in (OPENED, CITED):
            days.setdefault(key(entry.path), set()).add(entry.day)
        elif entry.did == RENAMED and entry.to is not None:
            moved = days.pop(key(entry.path), set())
            if moved:
                days.setdefault(key(entry.to), set()).update(moved)


def read_entry(line: str) -> Entry | None:
    """The entry that *line* is, or None: a line may be torn, foreign or of a later version."""
    try:
        found: Any = json.loads(line)
        to = found.get("to")
        parts = (found["did"], found["path"], "" if to is None else to)
        if not all(isinstance(part, str) for part in parts) or (found["did"] == RENAMED) != bool(to):
            return None
        day = date.fromisoformat(found["day"])
        return Entry(day, found["did"], NotePath(found["path"]), NotePath(to) if to else None)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


@dataclass(slots=True)
class _Shorter:
    """What a journal comes to: the days of each note as last spelled, and the lines that we cannot read."""

    spelled: dict[str, NotePath] = field(default_factory=dict)
    days: dict[str, set[date]] = field(default_factory=dict)
    strange: list[str] = field(default_factory=list)


def _compacted(lines: Iterable[str]) -> Iterator[str]:
    kept = _Shorter()
    for line in lines:
        entry = read_entry(line)
        if entry is None or entry.did not in (OPENED, CITED, RENAMED):
            kept.strange.append(line.rstrip("\n") + "\n")
            continue
        path = entry.to or entry.path
        kept.spelled[key(path)] = path
        apply(kept.days, [entry])
    yield from kept.strange
    entries = [Entry(day, OPENED, kept.spelled[path]) for path, days in kept.days.items() for day in days]
    for entry in sorted(entries, key=lambda entry: (entry.day, entry.path)):
        yield entry.line()


def _lines(file: Path) -> list[str]:
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    return [line for line in text.split("\n") if line]
