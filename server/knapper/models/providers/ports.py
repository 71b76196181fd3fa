"""What is asked of a model that writes answers, and what comes back, piece by piece.

A prompt is text and numbers; where its passages come from, and what may be sent, is decided above. It does
not show its text: a log must not hold it, whoever writes one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, Protocol

from knapper.base.cancel import CancelToken
from knapper.text.span import Span


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of a note to answer from. *number* is what the answer calls it: `[3]`."""

    number: int
    title: str = field(repr=False)
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """A question that was asked before in this conversation, and its answer."""

    question: str = field(repr=False)
    answer: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Prompt:
    """All that is sent. *boundary* is a word, made anew for each prompt, that encloses quoted data."""

    system: str = field(repr=False)
    question: str = field(repr=False)
    passages: tuple[Passage, ...] = ()
    turns: tuple[Turn, ...] = ()
    boundary: str = "notes"


@dataclass(frozen=True, slots=True)
class Text:
    """The next words of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Citation:
    """The provider's own word that *claim*, a span of the answer, rests on *place*, a span of a passage.

    It follows the text that it speaks of. *quoted* is what the provider says it quotes.
    """

    number: int
    claim: Span
    place: Span
    quoted: str


class Ending(Enum):
    """How an answer ended."""

    COMPLETE = "complete"
    CUT_OFF = "cut off"  # at the limit of tokens
    REFUSED = "refused"
    INCOMPLETE = "incomplete"  # the stream ended without saying that it was done
    FAILED = "failed"  # the provider reported an error in the middle of the answer


@dataclass(frozen=True, slots=True)
class End:
    """The last piece, always. *sentence* is for the person, and empty only after a complete answer.

    The token counts are the provider's own; 0 when it gives none.
    """

    how: Ending
    sentence: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


Piece = Text | Citation | End

Trouble = Literal[
    "no-key", "key", "money", "forbidden", "model", "address", "redirect", "no-provider", "network",
    "proxy", "certificate", "timeout", "too-long", "too-large", "busy", "provider", "request",
]  # fmt: skip


class ProviderError(Exception):
    """No answer was begun. The message is one sentence for the person: what is wrong and what to do.

    It never holds a key, nor text of a prompt, nor what a provider wrote.
    """

    def __init__(self, trouble: Trouble, sentence: str) -> None:
        super().__init__(sentence)
        self.trouble = trouble


class Generator(Protocol):
    """Writes answers. May be used by several threads at once."""

    @property
    def host(self) -> str:
        """Where prompts go, for the person: `api.anthropic.com`, `localhost:11434`."""

    @property
    def model(self) -> str:
        """The model's name as the provider knows it."""

    @property
    def room(self) -> int:
        """How many tokens a prompt may have so that its answer still fits."""

    def tokens(self, prompt: Prompt) -> int:
        """About how many tokens *prompt* costs; rather too many than too few."""

    def body(self, prompt: Prompt) -> bytes:
        """The very bytes that `stream` would send, for a dry run."""

    def stream(self, prompt: Prompt, token: CancelToken) -> Iterator[Piece]:
        """The answer as it is written; the last piece is an `End`.

        Raises `ProviderError` before the first piece, and `Cancelled` at any time, within a moment of the
        token being set, whatever the network does. Dropping the iterator hangs up as well.
        """
