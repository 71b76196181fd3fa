"""Opening an index: pragmas, the check that it is ours, and transactions.

A connection is used by one thread at a time. Only the owner of an index makes or changes its tables.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from knapper.store.errors import Damaged, in_words
from knapper.store.schema import APPLICATION_ID, TABLES, VERSION, VIEWS

MINIMUM_SQLITE = (3, 34, 0)
"""Older versions lack the trigram tokenizer and fixes of FTS5 that we rely on."""

_BUSY_SECONDS = 10.0


def connect(database: Path) -> sqlite3.Connection:
    """A connection to an index that exists. Raises `Damaged` for a file that is none of ours."""
    with in_words():
        connection = _opened(database, "rw")
        try:
            _check(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def create(database: Path, root: str) -> sqlite3.Connection:
    """A connection to the index of the vault at *root*, whose tables are made if the file is new."""
    with in_words():
        connection = _opened(database, "rwc")
        try:
            if not _is_blank(connection):
                _check(connection)  # Before anything of it is changed.
            _use_wal(connection)
            with immediate(connection):
                if _is_blank(connection):
                    make_tables(connection, root)
                else:
                    _remember_move(connection, root)
            _check(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def _remember_move(connection: sqlite3.Connection, root: str) -> None:
    """An index that lies in its vault moves with it."""
    found = connection.execute("SELECT value FROM meta WHERE key = 'root'").fetchone()
    before, now = (found[0] if found else None), _readable(root)
    if before != now:
        facts = [("root", now), *([("moved_from", before)] if before else [])]
        connection.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", facts)


def make_tables(connection: sqlite3.Connection, root: str) -> None:
    """Make every table of an empty database, inside the caller's transaction."""
    # States are counted on from the clock, so that one of an earlier file never looks like a newer one.
    seq = int(time.time() * 1000)
    for statement in statements(TABLES + VIEWS):
        connection.execute(statement)
    # Until the first build is complete: merging what it writes step by step costs more than it gives.
    connection.execute("INSERT INTO chunk_search (chunk_search, rank) VALUES ('automerge', 0)")
    connection.executemany(
        "INSERT INTO meta (key, value) VALUES (?, ?)",
        [
            ("root", _readable(root)),
            ("seq", seq),
            ("horizon", seq),
            ("bulk", 1),
            ("passed", 0.0),
            ("touched", 0),
        ],
    )
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def _readable(root: str) -> str:
    r"""*root* as text that a database takes: a folder named with the byte E9 is told as `\xe9`."""
    return os.fsencode(root).decode("utf-8", "backslashreplace")


def drop_everything(connection: sqlite3.Connection) -> None:
    """Drop all tables and views inside the caller's transaction; other readers keep their file."""
    for kind in ("view", "trigger", "table"):
        names = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
            " ORDER BY sql NOT LIKE 'CREATE VIRTUAL%fts5vocab%', sql NOT LIKE 'CREATE VIRTUAL%'",
            (kind,),
        ).fetchall()
        for (name,) in names:
            connection.execute(f'DROP {kind} IF EXISTS "{name}"')


@contextmanager
def immediate(connection: sqlite3.Connection) -> Iterator[None]:
    """A write transaction. It takes the lock at once: one that begins by reading cannot wait for it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # A full disk has rolled it back already.
            connection.execute("ROLLBACK")
        raise


@contextmanager
def snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    """A read transaction: everything read inside is of one state."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            try:
                connection.execute("COMMIT")
            except sqlite3.OperationalError:  # Interrupted; to stay in it is to see this state for ever.
                connection.execute("ROLLBACK")


def statements(script: str) -> Iterator[str]:
    """The statements of *script* one by one: `executescript` would commit the running transaction."""
    pending = ""
    for line in script.split("\n"):
        pending += line + "\n"
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def _opened(database: Path, mode: str) -> sqlite3.Connection:
    if any(Path(f"{database}{suffix}").is_dir() for suffix in ("", "-wal", "-shm")):
        raise Damaged("a folder lies in its place")  # SQLite would only say that it cannot be opened.
    connection = sqlite3.connect(
        f"{database.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA recursive_triggers = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -16000")
    # Windows cannot replace a mapped file.
    connection.execute(f"PRAGMA mmap_size = {0 if sys.platform == 'win32' else 256 << 20}")
    return connection


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log; the switch does not wait for others by itself."""
    for _ in range(50):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            time.sleep(0.05)
        else:
            return


def _is_blank(connection: sqlite3.Connection) -> bool:
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    return bool(tables == 0 and application == 0)


def _check(connection: sqlite3.Connection) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID or version != VERSION:
        raise Damaged("the file is no index of this version of Knapper")
