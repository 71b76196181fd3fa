"""Work off the main thread, and tasks that nobody loses. Knows threads; must not know requests.

The pool is our own: pygls's also reads stdin, and two slow jobs in it stall every request. Each thread
has its own connection to each index, because a connection belongs to the thread that made it.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import traceback
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from knapper.base.cancel import CancelToken
from knapper.store.reader import Reader

logger = logging.getLogger(__name__)
T = TypeVar("T")
_THREADS = 4
_TALKING = 4


class Jobs:
    """The job threads of one server."""

    def __init__(self, server_id: str) -> None:
        self._server_id = server_id
        self._pool = ThreadPoolExecutor(_THREADS, "knapper-job")
        # An answer streams for a minute, and a search must not wait for it.
        self._talking = ThreadPoolExecutor(_TALKING, "knapper-talk")
        self._own = threading.local()
        self._tokens: set[CancelToken] = set()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, job: Callable[[], T], token: CancelToken, *, talks: bool = False) -> T:
        """What *job* returns, computed in a thread; *token* is set if the awaiting task is cancelled.

        A job that *talks* to another machine has a thread from among those that nothing else waits for.
        """
        self._tokens.add(token)
        pool = self._talking if talks else self._pool
        future = asyncio.get_running_loop().run_in_executor(pool, job)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            token.cancel()  # The thread stops at its next check; what it then raises is nobody's business.
            future.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise
        finally:
            self._tokens.discard(token)

    def reader(self, database: Path) -> Reader:
        """The connection of this thread to an index; a replaced file at the same path gets a new one."""
        readers: dict[Path, tuple[int, Reader]] = self._own.__dict__.setdefault("readers", {})
        inode = database.stat().st_ino
        kept = readers.get(database)
        if kept is not None and kept[0] == inode:
            return kept[1]
        if kept is not None:
            kept[1].close()
        readers[database] = (inode, Reader(database, self._server_id))
        return readers[database][1]

    def start(self, work: Coroutine[Any, Any, T], *, logged: bool = True) -> asyncio.Task[T]:
        """Run *work* beside everything else; the task is kept until it ends, and its failure is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended if logged else self._tasks.discard)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            log_problem(task.get_coro().__qualname__, problem)  # type: ignore[union-attr]

    def cancel(self) -> None:
        """Ask everything at work to stop."""
        for task in tuple(self._tasks):
            task.cancel()
        for token in tuple(self._tokens):
            token.cancel()

    def stop(self) -> None:
        """Stop for good."""
        self.cancel()
        for pool in (self._pool, self._talking):
            pool.shutdown(wait=False, cancel_futures=True)


def log_problem(what: str, problem: BaseException) -> None:
    """Log where *problem* arose. Its message may quote a note, so it stays out of the log."""
    frames = "".join(traceback.format_tb(problem.__traceback__))
    logger.error("%s failed with %s\n%s", what, type(problem).__name__, frames)
