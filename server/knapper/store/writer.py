"""Writing an index: every change is part of a commit, and a commit that readers must see makes a new state.

Used by one thread at a time. The owner of an index writes what is on disk; any server writes its own unsaved
notes. Must not know why something is written, nor read a vault.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from knapper.markup.note import LinkKind
from knapper.store.connection import connect, create, drop_everything, immediate, make_tables, statements
from knapper.store.errors import StoreError, in_words
from knapper.store.rows import Entry, FileState, KnownFile, LinkRow
from knapper.store.schema import INDEXES
from knapper.store.staging import Staging
from knapper.vault.paths import NotePath

_SAVED = ""


class Writer:
    """The write connection of one process to one index."""

    def __init__(self, database: Path, server: str, *, root: str | None = None) -> None:
        """With *root* the tables of a new file are made: only the owner may do that."""
        self.database = database
        self.server = server
        self._connection = connect(database) if root is None else create(database, root)
        self._staging = Staging(self._connection)
        self._seq = 0
        self._next_note = 0
        self._seen = False
        self._finished = False
        self._beside: Future[float] | None = None
        self._thread = ThreadPoolExecutor(1, "full text")
        self._set_pace()

    def close(self) -> None:
        """Fold the log into the file and close. Nothing is lost without it."""
        self._thread.shutdown()
        try:
            with suppress(StoreError), self._ready():
                # Readers may be at work: what cannot be folded in now is folded in some other time.
                self._connection.execute("PRAGMA busy_timeout = 0")
                self._connection.execute("PRAGMA optimize")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self._connection.close()

    @contextmanager
    def commit(self) -> Iterator[None]:
        """One transaction. If it changes what readers see, it makes the state `seq`."""
        with self._ready(), immediate(self._connection):
            self._begin()
            yield
            self._staging.flush()
            self._end()
        if self._finished:
            self._finished = False
            self._set_pace()

    def commit_beside(self, write: Callable[[], None]) -> Future[float]:
        """Like `commit` of what *write* does, but the full text is fed in another thread.

        SQLite works in it without Python's lock, so the caller can go on reading notes. Whatever uses the
        writer next waits for the end, and gets what went wrong. The result is the seconds of that thread.
        """
        with self._ready():
            transaction = immediate(self._connection)
            transaction.__enter__()
            try:
                self._begin()
                write()
                self._staging.flush_rows()
            except BaseException as error:
                transaction.__exit__(type(error), error, error.__traceback__)
                raise
        self._beside = self._thread.submit(self._feed, transaction)
        return self._beside

    def settle(self) -> None:
        """Wait for the end of `commit_beside`, and raise what went wrong in it."""
        beside, self._beside = self._beside, None
        if beside is not None:
            beside.result()

    # --- reading what writing needs ---

    @property
    def seq(self) -> int:
        """The state of the index."""
        with self._ready():
            return self._state()

    @property
    def bulk(self) -> bool:
        """Whether the first build is not complete."""
        with self._ready():
            return bool(self._meta("bulk"))

    def data_version(self) -> int:
        """A number that changes when another connection has committed; cheap enough to ask all the time."""
        with self._ready():
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def meta(self, key: str) -> float | int | str | None:
        """A fact about the whole index, or None."""
        with self._ready():
            return self._meta(key)

    def known_files(self) -> dict[NotePath, KnownFile]:
        """Every file that the index lists."""
        with self._ready():
            rows = self._connection.execute("SELECT path, size, mtime_ns, inode, digest FROM file")
            return {path: KnownFile(FileState(*state), digest) for path, *state, digest in rows}

    def problems(self) -> dict[str, str]:
        """What could not be read, and why."""
        with self._ready():
            return dict(self._connection.execute("SELECT path, reason FROM problem"))

    def links_under(self, buckets: Collection[str]) -> list[LinkRow]:
        """The saved links whose target has one of these folded base names."""
        with self._ready():
            rows = self._connection.execute(
                "SELECT link.note, link.ord, note.path, link.kind, link.target, link.markdown, link.resolved"
                " FROM link JOIN note ON note.id = link.note"
                " WHERE bucket IN (SELECT value FROM json_each(?)) AND note.server = ''",
                (json.dumps(list(buckets)),),
            )
            return [LinkRow(*row)._replace(kind=LinkKind(row[3])) for row in rows]

    # --- inside a commit ---

    def set_meta(self, key: str, value: float | str) -> None:
        """Remember a fact about the whole index."""
        self._connection.execute(
            "INSERT INTO meta (key, value) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (key, value),
        )

    def put_files(self, files: Mapping[NotePath, FileState]) -> None:
        """List files that are new, or remember what files look like now; notes are read separately."""
        self._connection.executemany("DELETE FROM gone WHERE path = ?", ((path,) for path in files))
        self._connection.executemany(
            "INSERT INTO file (path, size, mtime_ns, inode, added) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (path) DO UPDATE SET"
            " size = excluded.size, mtime_ns = excluded.mtime_ns, inode = excluded.inode",
            ((path, *state, self._seq) for path, state in files.items()),
        )
        self._seen |= bool(files)

    def drop_files(self, paths: Iterable[NotePath]) -> None:
        """Forget files, and the saved notes that they were."""
        for path in paths:
            self._drop_note(path, _SAVED)
            self._connection.execute("DELETE FROM file WHERE path = ?", (path,))
            self._connection.execute("DELETE FROM problem WHERE path = ?", (path,))
            self._connection.execute(
                "INSERT INTO gone (path, seq) VALUES (?, ?)"
                " ON CONFLICT (path) DO UPDATE SET seq = excluded.seq",
                (path, self._seq),
            )
            self._seen = True

    def put_note(self, entry: Entry, state: FileState, *, new: bool = False) -> None:
        """Index a note as it is on disk; its file must be listed already. *new*: it has no rows yet."""
        self._put(entry, _SAVED, new=new)
        self._staging.add_file(entry.note.path, entry.digest, state)
        self._seen = True

    def touch_note(self, path: NotePath, state: FileState) -> None:
        """The note's bytes are the same as before, its time is not."""
        self._connection.execute(
            "UPDATE file SET size = ?, mtime_ns = ?, inode = ? WHERE path = ?", (*state, path)
        )
        self._connection.execute(
            "UPDATE note SET modified = ?, seq = ? WHERE path = ? AND server = ''",
            (state.mtime_ns / 1e9, self._seq, path),
        )
        self._seen = True

    def skip_note(self, path: NotePath, state: FileState) -> None:
        """The note is left alone as it is now; what is known of it is kept."""
        self._connection.execute(
            "UPDATE file SET size = ?, mtime_ns = ?, inode = ?, digest = '' WHERE path = ?", (*state, path)
        )

    def put_unsaved(self, entry: Entry) -> None:
        """Index the unsaved text of a note in this server's editor, beside the saved one."""
        self._put(entry, self.server)

    def drop_unsaved(self, path: NotePath) -> None:
        """The server's editor has no unsaved text of the note any more."""
        self._drop_note(path, self.server)

    def servers_with_unsaved(self) -> list[str]:
        """The servers that have unsaved notes here."""
        rows = self._connection.execute("SELECT DISTINCT server FROM note WHERE server <> ''")
        return [server for (server,) in rows]

    def drop_server(self, server: str) -> None:
        """Forget all unsaved notes of a server."""
        rows = self._connection.execute("SELECT path FROM note WHERE server = ?", (server,)).fetchall()
        for (path,) in rows:
            self._drop_note(path, server)

    def set_problem(self, path: str, reason: str | None) -> None:
        """Say why a file could not be read or not wholly; None takes it back."""
        if reason is None:
            changed = self._connection.execute("DELETE FROM problem WHERE path = ?", (path,)).rowcount
        else:
            changed = self._connection.execute(
                "INSERT INTO problem (path, reason) VALUES (?, ?) ON CONFLICT (path) DO UPDATE"
                " SET reason = excluded.reason WHERE reason <> excluded.reason",
                (path, reason),
            ).rowcount
        self._seen |= changed > 0

    def set_resolved(self, rows: Iterable[tuple[LinkRow, NotePath | None]]) -> None:
        """Links mean other files now, because files came or went."""
        self._connection.executemany(
            "UPDATE link SET resolved = ? WHERE note = ? AND ord = ?",
            ((path, row.note, row.ord) for row, path in rows),
        )

    def ask(self, paths: Iterable[str]) -> int:
        """Ask the owner to look at these paths; the number is behind `answered` once it has."""
        self._connection.executemany("INSERT INTO asked (path) VALUES (?)", ((path,) for path in paths))
        (last,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM asked").fetchone()
        return int(last)

    def asked(self) -> list[tuple[int, str]]:
        """What other servers want looked at."""
        with self._ready():
            return list(self._connection.execute("SELECT id, path FROM asked ORDER BY id"))

    def answer(self, last: int) -> None:
        """All that was asked up to the number *last* has been done."""
        self._connection.execute("DELETE FROM asked WHERE id <= ?", (last,))

    def finish_bulk(self) -> None:
        """The first build is complete: make the indexes that it was faster without."""
        for statement in statements(INDEXES):
            self._connection.execute(statement)
        self._connection.execute("INSERT INTO chunk_search (chunk_search, rank) VALUES ('automerge', 4)")
        self.set_meta("bulk", 0)
        self._finished = True

    def start_anew(self, root: str) -> None:
        """Drop everything and begin a first build, in the same file; not inside a commit."""
        with self._ready(), immediate(self._connection):
            drop_everything(self._connection)
            make_tables(self._connection, root)
        self._set_pace()

    # --- private ---

    @contextmanager
    def _ready(self) -> Iterator[None]:
        self.settle()
        with in_words():
            yield

    def _begin(self) -> None:
        self._seen = False
        self._seq = self._state() + 1
        self._staging.clear()
        (self._next_note,) = self._connection.execute("SELECT coalesce(max(id), 0) FROM note").fetchone()

    def _end(self) -> None:
        if self._seen:
            self.set_meta("seq", self._seq)

    def _feed(self, transaction: AbstractContextManager[None]) -> float:
        """The second half of a commit, in the other thread."""
        began = time.thread_time()
        with in_words(), ExitStack() as rest:
            rest.push(transaction)
            self._staging.flush()
            self._end()
        return time.thread_time() - began

    def _set_pace(self) -> None:
        """The first build does not wait for the disk: if the power goes, there is little to lose yet."""
        bulk = self.bulk
        with in_words():
            self._connection.execute(f"PRAGMA synchronous = {'OFF' if bulk else 'NORMAL'}")
            self._connection.execute(f"PRAGMA wal_autocheckpoint = {8000 if bulk else 1000}")
            self._connection.execute(f"PRAGMA cache_size = {-64000 if bulk else -16000}")

    def _put(self, entry: Entry, server: str, *, new: bool = False) -> None:
        number = None if new else self._number(entry.note.path, server)
        if number is None:
            self._next_note += 1
            number = self._next_note
        else:
            self._staging.drop(number)
        self._staging.add(number, entry, server, self._seq)

    def _number(self, path: str, server: str) -> int | None:
        self._staging.flush_notes()
        row = self._connection.execute(
            "SELECT id FROM note WHERE path = ? AND server = ?", (path, server)
        ).fetchone()
        return int(row[0]) if row else None

    def _drop_note(self, path: str, server: str) -> None:
        number = self._number(path, server)
        if number is not None:
            self._staging.drop(number)
            self._connection.execute("DELETE FROM note WHERE id = ?", (number,))

    def _state(self) -> int:
        return int(self._meta("seq") or 0)

    def _meta(self, key: str) -> float | int | str | None:
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None
