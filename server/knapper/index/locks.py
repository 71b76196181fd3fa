"""Who owns an index, and which servers are alive. Both are told by locks that end with their process.

A lock is held by the operating system: it cannot outlive a killed process, and a process number that
has been given to another program deceives nobody.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from filelock import FileLock, Timeout


class Ownership:
    """The right to write the index in *folder*: one process at a time has it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # A lock is not to be shared by the threads or objects of one process.
        self._lock = FileLock(folder / "owner.lock", thread_local=False)

    def acquire(self) -> bool:
        """Become the owner if nobody else is."""
        if self._lock.is_locked:
            return True
        if not _acquired(self._lock):
            return False
        (self._folder / "owner.pid").write_text(str(os.getpid()), encoding="ascii")
        return True

    def release(self) -> None:
        """Let another process become the owner."""
        self._lock.release()

    def owner_pid(self) -> int | None:
        """The process that owns the index, as it said itself."""
        try:
            return int((self._folder / "owner.pid").read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None


class Attendance:
    """Which servers are at work with the index in *folder*: each holds a lock of its own."""

    def __init__(self, folder: Path, server: str) -> None:
        self._folder = folder / "servers"
        self._server = server
        self._lock: FileLock | None = None

    def sign_in(self) -> None:
        """Say that this server is alive, until this process ends."""
        self._folder.mkdir(exist_ok=True)
        lock = FileLock(self._path(self._server), thread_local=False)
        if _acquired(lock):
            self._lock = lock

    def sign_out(self) -> None:
        """The server has no more to do with the index."""
        if self._lock is not None:
            self._lock.release()
            self._path(self._server).unlink(missing_ok=True)
            self._lock = None

    def is_alive(self, server: str) -> bool:
        """Whether *server* is at work; a server that is gone leaves no trace after this."""
        if server == self._server:
            return True
        path = self._path(server)
        if not path.exists():
            return False
        lock = FileLock(path, thread_local=False)
        if not _acquired(lock):
            return True
        lock.release()
        path.unlink(missing_ok=True)
        return False

    def _path(self, server: str) -> Path:
        return self._folder / (re.sub(r"[^\w-]", "_", server) + ".lock")


def _acquired(lock: FileLock) -> bool:
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    return True
