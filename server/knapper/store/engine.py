"""Which SQLite this Python has, and whether it can do what an index needs."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from knapper.store.connection import MINIMUM_SQLITE


class Engine(NamedTuple):
    """SQLite's version, the one we need, and whether it has FTS5."""

    version: str
    minimum: str
    enough: bool
    full_text: bool


def engine() -> Engine:
    """The SQLite of this process."""
    minimum = ".".join(map(str, MINIMUM_SQLITE))
    enough = sqlite3.sqlite_version_info >= MINIMUM_SQLITE
    return Engine(sqlite3.sqlite_version, minimum, enough, _has_full_text())


def _has_full_text() -> bool:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(
            "CREATE VIRTUAL TABLE t USING fts5 (x, tokenize='porter unicode61 remove_diacritics 2')"
        )
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True
