"""One thread that does all the work of models, in small steps, the most urgent first.

A query's vector waits for one step of what is being embedded and no more. Must not know models.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, Protocol

QUERY, RERANK, LOAD, PASSAGES = range(4)
"""What is urgent comes first; passages also wait while the person types."""

Steps = Generator[Any, None, Any]
"""Work in steps. What it yields is told, what it returns is its result."""

_log = logging.getLogger(__name__)


@dataclass(order=True, slots=True)
class Job:
    """Work and who is to be told, in the caller's thread."""

    rank: int
    number: int
    steps: Steps = field(compare=False)
    done: Callable[[Any], None] = field(compare=False)  # gets the result or the exception
    each: Callable[[Any], None] = field(compare=False)
    cancelled: bool = field(default=False, compare=False)


class Runner(Protocol):
    """Who does the work of models."""

    def submit(
        self,
        rank: int,
        steps: Steps,
        done: Callable[[Any], None],
        each: Callable[[Any], None] = lambda _: None,
    ) -> Job:
        """Have work done. `cancelled` of the job ends it after the step at hand; then the end is not told.

        What the step has made is told to *each* all the same: it need not be made again.
        """

    def pause(self, seconds: float) -> None:
        """Begin no step with passages for so long."""


class ModelThread:
    """A thread of its own. What is told is handed to *later*, which calls it in the main thread."""

    def __init__(self, later: Callable[[Callable[[], None]], None]) -> None:
        self._later = later
        self._jobs: list[Job] = []
        self._numbers = itertools.count()
        self._change = threading.Condition()
        self._paused_until = 0.0
        self._thread: threading.Thread | None = None

    def submit(
        self,
        rank: int,
        steps: Steps,
        done: Callable[[Any], None],
        each: Callable[[Any], None] = lambda _: None,
    ) -> Job:
        """See `Runner`."""
        job = Job(rank, next(self._numbers), steps, done, each)
        with self._change:
            heapq.heappush(self._jobs, job)
            self._change.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="models", daemon=True)
                self._thread.start()
        return job

    def pause(self, seconds: float) -> None:
        """See `Runner`."""
        with self._change:
            self._paused_until = time.monotonic() + seconds

    def _run(self) -> None:
        while True:
            job = self._next()
            if job.cancelled:
                job.steps.close()
            elif self._step(job):
                with self._change:
                    heapq.heappush(self._jobs, job)

    def _next(self) -> Job:
        """The most urgent job, waiting for one, and for the end of a pause."""
        with self._change:
            while True:
                paused = self._paused_until - time.monotonic()
                if self._jobs and (self._jobs[0].rank < PASSAGES or paused <= 0):
                    return heapq.heappop(self._jobs)
                self._change.wait(paused if self._jobs else None)

    def _step(self, job: Job) -> bool:
        """Do one step; whether there are more."""
        result: Any
        try:
            result = next(job.steps)
        except StopIteration as end:
            result, call = end.value, job.done
        except Exception as error:  # noqa: BLE001 -- Whoever asked decides what it means.
            result, call = error, job.done
        else:
            call = job.each
        more = call is job.each
        self._later(lambda: call(result) if more or not job.cancelled else None)
        return more


class InPlace:
    """Does the work at once, where it is asked for: for the command line."""

    def submit(
        self,
        rank: int,
        steps: Steps,
        done: Callable[[Any], None],
        each: Callable[[Any], None] = lambda _: None,
    ) -> Job:
        """See `Runner`."""
        result: Any
        while True:
            try:
                each(next(steps))
            except StopIteration as end:
                result = end.value
                break
            except Exception as error:  # noqa: BLE001 -- The same.
                result = error
                break
        done(result)
        return Job(rank, 0, steps, done, each)

    def pause(self, seconds: float) -> None:
        """Nobody types."""
