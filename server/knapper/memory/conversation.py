"""What was asked and answered before, for follow-up questions. In memory only, bounded, and soon forgotten.

Must not know how questions are answered. One thread may use it at a time, any thread: it locks.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from knapper.memory.answer import Answer
from knapper.memory.asked import Turn

MOST = 50
"""Conversations that are remembered; the one that was longest not continued is forgotten first."""
MOST_TURNS = 20
KEPT = 6 * 3600.0
"""Seconds after its last answer for which a conversation is remembered."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer."""

    question: str = field(repr=False)
    answer: Answer = field(repr=False)

    @property
    def turn(self) -> Turn:
        """The exchange as later questions need it."""
        answer = self.answer
        return Turn(self.question, answer.text, answer.sent.host if answer.sent else "", answer.rests_on)


@dataclass(slots=True)
class _Talk:
    exchanges: list[Exchange]
    at: float


class Conversations:
    """Exchanges by the id of their conversation. Ids cannot be guessed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._talks: OrderedDict[str, _Talk] = OrderedDict()

    def add(self, question: str, answer: Answer, conversation: str = "") -> str:
        """Remember an exchange; gives the id of *conversation*, or of a new one if that is not known."""
        with self._lock:
            self._forget()
            known = conversation if conversation in self._talks else secrets.token_urlsafe(16)
            talk = self._talks.setdefault(known, _Talk([], 0.0))
            talk.exchanges = [*talk.exchanges, Exchange(question, answer)][-MOST_TURNS:]
            talk.at = self._clock()
            self._talks.move_to_end(known)
            while len(self._talks) > MOST:
                self._talks.popitem(last=False)
            return known

    def exchanges(self, conversation: str) -> tuple[Exchange, ...]:
        """The exchanges of *conversation*, oldest first; none if it is not known or was forgotten."""
        with self._lock:
            self._forget()
            talk = self._talks.get(conversation)
            return tuple(talk.exchanges) if talk else ()

    def turns(self, conversation: str) -> tuple[Turn, ...]:
        """The same as a question needs them."""
        return tuple(exchange.turn for exchange in self.exchanges(conversation))

    def last(self, conversation: str) -> Exchange | None:
        """The last exchange of *conversation*."""
        return next(reversed(self.exchanges(conversation)), None)

    def _forget(self) -> None:
        now = self._clock()
        for old in [known for known, talk in self._talks.items() if now - talk.at > KEPT]:
            del self._talks[old]
