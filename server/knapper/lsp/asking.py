"""What one vault asks of the models in the index process: a query's vector, a second look, a download.

Asked from job threads, which wait a moment at most; who waits for what is known to the main thread alone.
Must not know what the answers are for.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

import numpy as np

from knapper.index import messages as m
from knapper.search.port import Vector

VECTOR_S = 0.3
"""So long a search waits for the vector of its query."""
_SCORES_S = 3.0
_ROUND_S = 15.0
_LATE = "The model did not answer in time."


class Models:
    """The models as the vault *vault* sees them. Made on the main thread."""

    def __init__(self, vault: str, send: Callable[[m.Request], None], number: Callable[[], int]) -> None:
        self._vault, self._send, self._number = vault, send, number
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[int, Future[Any]] = {}
        self.embedded: m.Embedded | None = None
        self.round = 0  # rises when so much is embedded that answers are worth finding again
        self._embedded_at = 0.0
        self.reranked: m.Reranked | None = None  # the last answer of the reranker

    # --- from job threads ---

    def vector(self, text: str) -> tuple[str, Vector | None, str]:
        """What made the vector of a query, and the vector; or None and why. Waits `VECTOR_S` at most."""
        answer = self._wait(lambda ticket: m.EmbedQuery(self._vault, ticket, text), VECTOR_S)
        if not isinstance(answer, m.QueryVector):
            return "", None, _LATE
        if answer.vector is None:
            return answer.fingerprint, None, answer.reason or _LATE
        return answer.fingerprint, np.array(answer.vector, dtype=np.float32), ""

    def scores(self, query: str, passages: Sequence[str]) -> tuple[Sequence[float] | None, str]:
        """A score for each passage; or None and why, in a sentence."""
        answer = self._wait(lambda ticket: m.Rerank(self._vault, ticket, query, tuple(passages)), _SCORES_S)
        if not isinstance(answer, m.Reranked):
            return None, "The reranker did not answer in time."
        return answer.scores, "" if answer.scores else f"The reranker was left out: {answer.reason}"

    def _wait(self, request: Callable[[int], m.Request], seconds: float) -> object:
        answer: Future[Any] = Future()
        try:
            self._loop.call_soon_threadsafe(self._ask, request, answer)
            return answer.result(seconds)
        except (TimeoutError, RuntimeError):  # Late; or the server is on its way out.
            return None

    # --- on the main thread ---

    def fetch(self, name: str) -> asyncio.Future[m.ModelFetched | None]:
        """Have a model downloaded (empty: all that are wanted). None: the process ended over it."""
        answer: Future[Any] = Future()
        self._ask(lambda ticket: m.FetchModel(self._vault, ticket, name), answer)
        return asyncio.wrap_future(answer)

    def take(self, event: m.Answer) -> None:
        """An answer has come in."""
        if isinstance(event, m.Embedded):
            now = time.monotonic()
            if event.done + event.failed >= event.total or now - self._embedded_at > _ROUND_S:
                self.round, self._embedded_at = self.round + 1, now
            self.embedded = event
        elif not isinstance(event, m.ModelWanted):
            if isinstance(event, m.Reranked):
                self.reranked = event
            self._answer(event.ticket, event)

    def drop_all(self) -> None:
        """Nothing that was asked will be answered: the process ended."""
        for ticket in tuple(self._waiting):
            self._answer(ticket, None)

    def _ask(self, request: Callable[[int], m.Request], answer: Future[Any]) -> None:
        ticket = self._number()
        self._waiting[ticket] = answer
        self._send(request(ticket))

    def _answer(self, ticket: int, event: m.Answer | None) -> None:
        answer = self._waiting.pop(ticket, None)
        if answer is not None and not answer.done():
            answer.set_result(event)
