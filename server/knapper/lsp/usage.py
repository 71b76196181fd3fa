"""Which notes the person works in, for the journal: noted by the main thread, written in a thread of its own.

A note counts once a day: with a request at a cursor or an edit in it, or when it was opened from something
that we showed; never because it is open or was found. Must not know what use is good for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from functools import partial
from pathlib import Path

from knapper.index.moved import former_journal, is_whole
from knapper.lsp.session import Session
from knapper.search.journal import Journal, journal_file
from knapper.search.salience import Use
from knapper.vault.paths import NotePath, is_note


def today() -> date:
    """What the person at this machine calls today."""
    return date.today()  # noqa: DTZ011 -- A person's day is that of the machine's clock.


class Usage:
    """The journals of the vaults of one server. The journals belong to the one thread of the pool."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, "knapper-journal")
        self._journals: dict[Path, Journal] = {}
        self._noted: set[tuple[Path, NotePath]] = set()
        self._day: date | None = None
        self._settled: set[Path] = set()  # vaults of which it is known whether they have moved

    def opened(self, session: Session, path: NotePath) -> None:
        """The person worked in the note. Costs nothing the second time on a day."""
        if not _counts(session) or not is_note(path):
            return
        day = today()
        if day != self._day:
            self._day = day
            self._noted.clear()
        if (session.real, path) not in self._noted:
            self._noted.add((session.real, path))
            self._write(session.real, lambda journal: journal.opened(path, day))

    def renamed(self, session: Session, old: NotePath, new: NotePath) -> None:
        """A note or a folder has another path now, and the use of its notes goes with it."""
        if not _counts(session):
            return
        day, notes = today(), session.host.snapshot().view.notes
        moved = [(old, new)] if is_note(old) else []
        if not moved:
            inside = [path for path in notes if path.startswith(f"{old}/")]
            moved = [(path, NotePath(new + path[len(old) :])) for path in inside]
        for before, after in moved:
            self._write(session.real, partial(_rename, before, after, day))

    def indexed(self, session: Session) -> None:
        """The index has got on. Once it is whole, the journal of a vault that was moved here follows."""
        database = session.database
        if database is not None and session.real not in self._settled and _counts(session):
            self._pool.submit(self._follow, session.real, database)

    def uses(self, root: Path) -> Mapping[str, Use]:
        """The use of a vault's notes, by the key of their path. Not for the main thread: it waits."""
        return self._pool.submit(lambda: self._journal(root).uses()).result()

    def stop(self) -> None:
        """Write what is waiting, and stop."""
        self._pool.shutdown(wait=True)

    def _write(self, root: Path, write: Callable[[Journal], None]) -> None:
        self._pool.submit(lambda: write(self._journal(root)))

    def _follow(self, root: Path, database: Path) -> None:
        journal = self._journal(root)
        if root in self._settled or not is_whole(database):
            return
        self._settled.add(root)
        if journal.is_new(today()) and (former := former_journal(root, database)):
            journal.take_over(former)

    def _journal(self, root: Path) -> Journal:
        if root not in self._journals:
            self._journals[root] = Journal(journal_file(root))
        return self._journals[root]


def _rename(old: NotePath, new: NotePath, day: date, journal: Journal) -> None:
    journal.renamed(old, new, day)


def _counts(session: Session) -> bool:
    return not session.alone and bool(session.host.snapshot().settings["salience.enabled"])
