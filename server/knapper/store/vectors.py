"""Vectors that outlive indexes: one file for all vaults, by what made them and what text they stand for.

A rebuilt index, a moved vault and a second copy of a note find theirs here, so nothing is embedded twice. It
is a cache: whatever goes wrong with it, work goes on without. Must not know notes. One thread at a time.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from knapper.store.connection import immediate

_VERSION = 1
_KEEP_DAYS = 60
_BUSY_SECONDS = 2.0
_log = logging.getLogger(__name__)

_TABLES = """
CREATE TABLE vector (
  fingerprint TEXT NOT NULL,
  hash TEXT NOT NULL,       -- of the text
  window INTEGER NOT NULL,  -- from 0
  windows INTEGER NOT NULL, -- in how many parts the text was embedded
  used INTEGER NOT NULL,    -- the day on which a vault last wanted it, counted from 1970
  vector BLOB NOT NULL,     -- float16, little-endian
  PRIMARY KEY (fingerprint, hash, window)
)"""


class StoredVector(NamedTuple):
    """One vector of a text, as it lies in a file."""

    hash: str
    window: int
    windows: int
    vector: bytes


class VectorStore:
    """The cache of vectors in the file *path*."""

    def __init__(self, path: Path, today: int | None = None) -> None:
        """*today* is the day counted from 1970."""
        self._path = path
        self._today = int(time.time() // 86400) if today is None else today
        self._db: sqlite3.Connection | None = None
        self._open()

    def close(self) -> None:
        """Close the file."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def get_many(self, fingerprint: str, hashes: Collection[str]) -> dict[str, list[bytes]]:
        """The vectors of those texts whose vectors are all there, window by window."""
        rows = self._do(
            "SELECT hash, windows, vector FROM vector WHERE fingerprint = ?"
            " AND hash IN (SELECT value FROM json_each(?)) ORDER BY hash, window",
            (fingerprint, json.dumps(list(hashes))),
        )
        found: dict[str, list[bytes]] = {}
        wanted: dict[str, int] = {}
        for digest, windows, vector in rows:
            found.setdefault(digest, []).append(vector)
            wanted[digest] = windows
        return {digest: vectors for digest, vectors in found.items() if len(vectors) == wanted[digest]}

    def put_many(self, fingerprint: str, vectors: Iterable[StoredVector]) -> None:
        """Keep these vectors."""
        self._do_many(
            "INSERT INTO vector (fingerprint, hash, window, windows, used, vector) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (fingerprint, hash, window) DO UPDATE SET"
            " windows = excluded.windows, used = excluded.used, vector = excluded.vector",
            [(fingerprint, it.hash, it.window, it.windows, self._today, it.vector) for it in vectors],
        )

    def use(self, fingerprint: str, hashes: Collection[str]) -> None:
        """Remember that a vault still has these texts."""
        self._do_many(
            "UPDATE vector SET used = ? WHERE fingerprint = ? AND used < ?"
            " AND hash IN (SELECT value FROM json_each(?))",
            [(self._today, fingerprint, self._today, json.dumps(list(hashes)))],
        )

    def purge(self) -> int:
        """Forget what no vault has used for 60 days; how many vectors that were."""
        before = len(self)
        self._do_many("DELETE FROM vector WHERE used < ?", [(self._today - _KEEP_DAYS,)])
        return before - len(self)

    def __len__(self) -> int:
        rows = self._do("SELECT count(*) FROM vector", ())
        return int(rows[0][0]) if rows else 0

    def _do(self, statement: str, values: tuple[object, ...]) -> list[tuple[str, int, bytes]]:
        if self._db is None:
            return []
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.DatabaseError as error:
            self._give_up(error)
            return []

    def _do_many(self, statement: str, rows: list[tuple[object, ...]]) -> None:
        if self._db is None or not rows:
            return
        try:
            with immediate(self._db):
                self._db.executemany(statement, rows)
        except sqlite3.DatabaseError as error:
            self._give_up(error)

    def _open(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._db = _opened(self._path)
        except sqlite3.OperationalError as error:
            _log.warning("Vectors are not kept beyond this index: %s", error)
        except sqlite3.DatabaseError:
            self._start_anew()
        except OSError as error:
            _log.warning("Vectors are not kept beyond this index: %s", error)

    def _give_up(self, error: sqlite3.DatabaseError) -> None:
        """Work without the file, or with a new one if it is damaged."""
        if isinstance(error, sqlite3.OperationalError):
            _log.warning("The cache of vectors cannot be used just now: %s", error)
            return
        self.close()
        self._start_anew()

    def _start_anew(self) -> None:
        _log.warning("The cache of vectors was damaged and is begun anew: %s", self._path)
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                self._path.with_name(self._path.name + suffix).unlink()
        with suppress(sqlite3.DatabaseError):
            self._db = _opened(self._path)


def _opened(path: Path) -> sqlite3.Connection:
    """A connection to the file, whose table is made if it is new or of another version."""
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        with suppress(sqlite3.OperationalError):  # Somebody else is switching it.
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        with immediate(connection):
            if connection.execute("PRAGMA user_version").fetchone() != (_VERSION,):
                connection.execute("DROP TABLE IF EXISTS vector")
                connection.execute(_TABLES)
                connection.execute(f"PRAGMA user_version = {_VERSION}")
    except BaseException:
        connection.close()
        raise
    return connection
