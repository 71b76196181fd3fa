"""One generator for every provider: sends a prompt, repeats what may be repeated, reads the answer.

Must not know wire formats (a `Dialect` does), nor where settings and keys come from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from knapper.base.cancel import CancelToken
from knapper.models.providers.address import Address
from knapper.models.providers.budget import Budget, estimate
from knapper.models.providers.errors import Asked, Refusal, broken_off, lost, refused
from knapper.models.providers.exchange import Head, Lost, Patience, Request, exchange
from knapper.models.providers.ports import End, Ending, Piece, Prompt
from knapper.models.providers.reading import Unreadable
from knapper.models.providers.retry import Clock, delay
from knapper.models.providers.sse import Event, EventReader

_LONGEST_ERROR = 65_536
_PER_MESSAGE = 8
"""Tokens that a message costs besides its text."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """A wire format: where to post, which headers and JSON, and how to read what comes back."""

    endpoint: str
    headers: Callable[[str], dict[str, str]]
    body: Callable[[Prompt, str, int], dict[str, Any]]
    read: Callable[[Iterator[Event], Prompt, Asked], Iterator[Piece]]


@dataclass(frozen=True, slots=True)
class HttpGenerator:
    """A model at an address. Frozen; each answer has a connection of its own."""

    dialect: Dialect
    address: Address
    asked: Asked
    key: str = field(repr=False)
    budget: Budget
    patience: Patience = field(default_factory=Patience)
    clock: Clock = field(default_factory=Clock)

    @property
    def host(self) -> str:
        """Where prompts go."""
        return self.address.host

    @property
    def model(self) -> str:
        """The model's name."""
        return self.asked.model

    @property
    def room(self) -> int:
        """How many tokens a prompt may have."""
        return self.budget.room

    def tokens(self, prompt: Prompt) -> int:
        """About how many tokens *prompt* costs."""
        texts = [prompt.system, prompt.question]
        texts += [text for passage in prompt.passages for text in (passage.title, passage.text)]
        texts += [text for turn in prompt.turns for text in (turn.question, turn.answer)]
        return sum(estimate(text) + _PER_MESSAGE for text in texts if text)

    def body(self, prompt: Prompt) -> bytes:
        """The bytes that `stream` sends; halves of surrogate pairs become `?`."""
        request = self.dialect.body(prompt, self.model, self.budget.answer)
        return json.dumps(request, ensure_ascii=False).encode("utf-8", "replace")

    def stream(self, prompt: Prompt, token: CancelToken) -> Iterator[Piece]:
        """The answer, piece by piece; see `Generator`."""
        request = Request(self.address, self.dialect.endpoint, self._headers(), self.body(prompt))
        for attempt in count():
            with closing(exchange(request, self.patience, token)) as line:
                head = self._head(line)
                if _is_stream(head):
                    yield from self._pieces(line, prompt)
                    return
                refusal = Refusal(head.status, head.headers, head.media_type, _start_of(line))
            seconds = delay(head.status, head.headers, attempt, self.clock)
            error = refused(self.asked, refusal, self.clock.now())
            if seconds is None or error.trouble == "money":
                raise error
            self.clock.wait(seconds, token)

    def _headers(self) -> dict[str, str]:
        common = {"content-type": "application/json", "accept": "text/event-stream, application/json"}
        return {**common, "accept-encoding": "identity", **self.dialect.headers(self.key)}

    def _head(self, line: Iterator[Head | bytes]) -> Head:
        try:
            head = next(line)
        except Lost as broken:
            waited = (self.patience.connect, self.patience.silence)
            raise lost(self.asked, broken.cause, waited) from None
        assert isinstance(head, Head)
        return head

    def _pieces(self, line: Iterator[Head | bytes], prompt: Prompt) -> Iterator[Piece]:
        """What is read of the answer. Once it has begun nothing is raised: the text that came is kept."""
        try:
            yield from self.dialect.read(_events(line), prompt, self.asked)
        except Lost as broken:
            yield End(Ending.INCOMPLETE, broken_off(self.asked, broken.cause, self.patience.silence))
        except Unreadable:
            yield End(
                Ending.FAILED, f"The answer stops here: {self.host} sent what cannot be read; try again."
            )


def _is_stream(head: Head) -> bool:
    return head.status == 200 and head.media_type in ("text/event-stream", "")


def _events(chunks: Iterable[Head | bytes]) -> Iterator[Event]:
    reader = EventReader()
    for chunk in chunks:
        assert isinstance(chunk, bytes)
        yield from reader.feed(chunk)
    yield from reader.end()


def _start_of(line: Iterable[Head | bytes]) -> bytes:
    """The body of an answer that is no stream, as far as an error needs it; what broke off will do."""
    found = b""
    try:
        for chunk in line:
            assert isinstance(chunk, bytes)
            found += chunk
            if len(found) > _LONGEST_ERROR:
                break
    except Lost:
        pass
    return found[:_LONGEST_ERROR]
