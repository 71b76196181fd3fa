"""Reading an index: all of it, what changed since a state, and how much there is.

Used by one thread at a time; only `interrupt` may be called from another. Searching is `lexical`'s.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from knapper.base.collector import no_collection
from knapper.store.connection import connect, snapshot
from knapper.store.embeddings import Mark, Meaning, VectorChanges, read_meaning, vectors_since
from knapper.store.errors import BUSY, in_words
from knapper.store.notes import read_notes
from knapper.vault.note import Note
from knapper.vault.paths import NotePath
from knapper.vault.view import Delta


@dataclass(frozen=True, slots=True)
class Loaded:
    """All of an index in one state: what `VaultView.build` needs."""

    seq: int
    notes: tuple[Note, ...]
    files: tuple[NotePath, ...]  # every file, notes included
    problems: Mapping[NotePath, str]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much an index holds; `pending` notes are known and not yet read."""

    files: int
    notes: int
    links: int
    unresolved: int
    chunks: int
    pending: int
    building: bool  # the first build is not complete
    meaning: Meaning = field(default_factory=Meaning)


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link of a saved note and the file it means, as the owner of the index resolved it."""

    source: NotePath
    line: int  # from 1
    text: str
    kind: str
    target: NotePath | None


class Reader:
    """A read connection to an index, for one server (`""`: for none, only what is saved)."""

    def __init__(self, database: Path, server: str = "") -> None:
        """Raise `Damaged` if the file is no index of ours, `Unwritable` if there is none."""
        self.database = database
        self.server = server
        self.connection: sqlite3.Connection = connect(database)

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()

    def interrupt(self) -> None:
        """Stop the statement that runs, from another thread; it raises `Cancelled`."""
        self.connection.interrupt()

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """Everything that is read over this connection inside is of one state of the index."""
        with in_words(), snapshot(self.connection):
            yield

    def seq(self) -> int:
        """The state of the index; it only grows."""
        with in_words():
            return int(self.meta("seq") or 0)

    def data_version(self) -> int:
        """A number that changes when another connection has committed; cheap enough to ask all the time."""
        with in_words():
            return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    def meta(self, key: str) -> float | int | str | None:
        """A fact about the whole index, see `schema`."""
        with in_words():
            row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def load(self) -> Loaded:
        """Everything, of one state."""
        with no_collection(), in_words(), snapshot(self.connection):
            files = tuple(NotePath(path) for (path,) in self.connection.execute("SELECT path FROM file"))
            return Loaded(self.seq(), read_notes(self.connection), files, self._problems())

    def changes_since(self, seq: int) -> Delta | None:
        """What changed after state *seq*; None if that is too old, or of another file: load anew.

        A file that went and came back since is only among those that came.
        """
        with in_words(), snapshot(self.connection):
            now = self.seq()
            if seq > now or seq < int(self.meta("horizon") or 0):
                return None
            added = self.connection.execute("SELECT path FROM file WHERE added > ?", (seq,))
            gone = self.connection.execute("SELECT path FROM gone WHERE seq > ?", (seq,))
            return Delta(
                seq=now,
                notes=read_notes(self.connection, seq),
                files=tuple(NotePath(path) for (path,) in added),
                gone=tuple(NotePath(path) for (path,) in gone),
                problems=self._problems(),
            )

    def vectors_since(self, mark: Mark | None = None) -> VectorChanges:
        """All vectors that serve, or what changed since *mark*; see `store.embeddings`."""
        return vectors_since(self.connection, mark)

    def counts(self) -> Counts:
        """How much there is, as of now."""
        with in_words(), snapshot(self.connection):
            one = self._one
            return Counts(
                files=one("SELECT count(*) FROM file"),
                notes=one("SELECT count(*) FROM note WHERE server = '' AND path LIKE '%.md'"),
                links=one("SELECT count(*) FROM link"),
                unresolved=one("SELECT count(*) FROM link WHERE resolved IS NULL AND bucket <> ''"),
                chunks=one("SELECT count(*) FROM chunk"),
                pending=one("SELECT count(*) FROM file WHERE digest IS NULL AND path LIKE '%.md'"),
                building=bool(self.meta("bulk")),
                meaning=read_meaning(self.connection),
            )

    def problems(self) -> dict[NotePath, str]:
        """The files that could not be read, or not wholly, by path, each with the reason."""
        with in_words():
            return self._problems()

    def links(self) -> list[LinkLine]:
        """Every link of the saved notes, in the order of paths and text."""
        with in_words():
            rows = self.connection.execute(
                "SELECT note.path, link.line + 1, link.text, kind, resolved FROM link"
                " JOIN note ON note.id = link.note WHERE server = '' ORDER BY note.path, ord"
            )
            return [LinkLine(*row) for row in rows]

    def drift(self) -> str | None:
        """Whether the file is whole and the full text agrees with its chunks; None, or what is wrong."""
        try:
            problem = self.connection.execute("PRAGMA quick_check").fetchone()[0]
            # Only this one compares FTS5 with its content; `integrity_check` does not.
            self.connection.execute(
                "INSERT INTO chunk_search (chunk_search, rank) VALUES ('integrity-check', 1)"
            )
        except sqlite3.DatabaseError as error:
            return None if error.sqlite_errorcode in BUSY else str(error)
        return None if problem == "ok" else str(problem)

    def _one(self, query: str) -> int:
        return int(self.connection.execute(query).fetchone()[0])

    def _problems(self) -> dict[NotePath, str]:
        return dict(self.connection.execute("SELECT path, reason FROM problem ORDER BY path"))
