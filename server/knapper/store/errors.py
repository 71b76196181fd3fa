"""What can go wrong with an index, in words that the layers above may know. They never see sqlite3."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from knapper.base.cancel import Cancelled


class StoreError(Exception):
    """The index could not be read or written. The message is for a person."""


class Damaged(StoreError):  # noqa: N818 -- It names a state of the file.
    """The file is no index of ours, or not whole: move it aside and build anew."""


class Unwritable(StoreError):  # noqa: N818 -- The same.
    """The disk is full, failing or read-only: keep what is there and try again later."""


class Busy(StoreError):  # noqa: N818 -- The same.
    """Another process held the file for too long: try again soon."""


_UNWRITABLE = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
}
BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
"""Codes of SQLite: somebody else is writing."""


@contextmanager
def in_words() -> Iterator[None]:
    """Turn what sqlite3 raises inside into our errors, and an interrupted statement into `Cancelled`."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # A mistake of ours says nothing about the file.
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code == sqlite3.SQLITE_INTERRUPT:
            raise Cancelled from error
        if code in _UNWRITABLE:
            raise Unwritable(str(error)) from error
        if code in BUSY:
            raise Busy(str(error)) from error
        raise Damaged(str(error)) from error
