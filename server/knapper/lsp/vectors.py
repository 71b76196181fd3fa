"""The vectors of one vault in memory, kept up with the index by jobs, one at a time.

Nothing is loaded before somebody needs it. Must not know what vectors are compared for.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from knapper.base.cancel import CancelToken
from knapper.lsp.jobs import Jobs
from knapper.search.matrix import Matrix, Vectors
from knapper.search.semantic import caught_up
from knapper.store.embeddings import Mark


@dataclass(frozen=True, slots=True)
class Served:
    """The vectors that serve at one moment, and what made them. `vectors` is None while there are none."""

    vectors: Vectors | None = None
    fingerprint: str = ""
    mark: Mark | None = None


NO_VECTORS = Served()


class VaultVectors:
    """The matrix of one vault. It belongs to whoever holds the lock, which is one job."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._lock = asyncio.Lock()
        self._database: Path | None = None
        self._matrix: Matrix | None = None
        self._served = NO_VECTORS

    @property
    def memory(self) -> int:
        """The bytes that they take."""
        return self._matrix.memory if self._matrix else 0

    async def newest(self, database: Path) -> Served:
        """The vectors as the index has them now. Raises what reading raises."""
        # In a task of its own: who gives up waiting must not let the next one in while a job is at work.
        return await asyncio.shield(self._jobs.start(self._next(database), logged=False))

    async def _next(self, database: Path) -> Served:
        async with self._lock:
            return await self._jobs.run(lambda: self._catch_up(database), CancelToken())

    def _catch_up(self, database: Path) -> Served:
        known = self._served.mark if database == self._database else None
        changes = self._jobs.reader(database).vectors_since(known)
        if known is None or changes.mark != known:
            self._matrix = caught_up(self._matrix, changes)
            self._database = database
            view = self._matrix.view() if self._matrix else None
            self._served = Served(view, changes.mark.fingerprint, changes.mark)
        return self._served
