"""Questions put to the real client against a real server, with a clock that waits for nobody."""

from __future__ import annotations

from dataclasses import dataclass, field

from knapper.base.cancel import CancelToken
from knapper.models.providers.choice import Choice, generator_of
from knapper.models.providers.client import HttpGenerator
from knapper.models.providers.exchange import Patience
from knapper.models.providers.ports import Citation, End, Passage, Piece, Prompt, ProviderError, Text
from knapper.models.providers.retry import Clock
from tests.models.providers.wire import Wire

KEY = "sk-secret-0123456789"
NOTE = "Fold the dough at dawn.\n\nBake it hot,\nand wait."
PROMPT = Prompt(
    "Answer from the notes.", "When is it folded?", (Passage(1, "Bread > Dough", NOTE),), boundary="data-5f3a"
)
LATE = 1_800_000_000.0  # Fri, 15 Jan 2027 08:00:00 GMT


@dataclass
class Waits:
    """A clock that writes down how long it was to wait."""

    seconds: list[float] = field(default_factory=list)

    def clock(self) -> Clock:
        return Clock(lambda: LATE, lambda seconds, _token: self.seconds.append(seconds), lambda: 0.0)


def generator(
    server: Wire | str,
    provider: str = "compatible",
    *,
    key: str = KEY,
    waits: Waits | None = None,
    patience: Patience | None = None,
) -> HttpGenerator:
    """A generator that believes the provider to be at *server*."""
    base = server if isinstance(server, str) else server.base
    choice = Choice(provider, "model-1", base)
    return generator_of(choice, key, patience=patience or Patience(), clock=(waits or Waits()).clock())


def ask(one: HttpGenerator, prompt: Prompt = PROMPT) -> list[Piece]:
    """All pieces of the answer."""
    return list(one.stream(prompt, CancelToken()))


def said(pieces: list[Piece]) -> str:
    """The words of an answer."""
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


def citations(pieces: list[Piece]) -> list[Citation]:
    """Its citations."""
    return [piece for piece in pieces if isinstance(piece, Citation)]


def end(pieces: list[Piece]) -> End:
    """How it ended: the last piece, and only that."""
    assert [isinstance(piece, End) for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    last = pieces[-1]
    assert isinstance(last, End)
    return last


def trouble(one: HttpGenerator) -> tuple[str, str]:
    """The kind and the sentence of the error that asking raises."""
    try:
        ask(one)
    except ProviderError as error:
        return error.trouble, str(error)
    raise AssertionError("It answered.")
