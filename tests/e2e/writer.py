"""A model on this machine that writes sentences, each citing the passage that it was really sent."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tests.models.providers.streams import chunk
from tests.models.providers.wire import Answer, Silence, Wire, wire


class Sentence(NamedTuple):
    """A sentence with `[?]` for the number of the passage that holds `words`."""

    text: str
    words: str


class Stop:
    """The model writes on when the test has `seen` what it wrote."""

    def __init__(self) -> None:
        self.seen = threading.Event()

    def wait(self) -> None:
        self.seen.wait(30)


Words = Sequence[Sentence | str | Stop | Silence]


@contextmanager
def writer(*answers: Words) -> Iterator[Wire]:
    """A server that speaks like an OpenAI-compatible one and gives *answers* in turn."""
    with wire(Answer()) as server:
        server.answers[:] = [
            Answer(headers={"Content-Type": "text/event-stream"}, parts=_written(server, answer))  # type: ignore[arg-type]
            for answer in answers
        ]
        yield server


def settings(server: Wire) -> str:
    """A `config.toml` by which *server* writes the answers."""
    return f'[ask]\nprovider = "compatible"\nmodel = "m"\nbaseUrl = "{server.base}"\ncontext = 9000\n'


def _written(server: Wire, answer: Words) -> Iterator[Any]:
    numbers = _numbers(server.received[-1].json["messages"][-1]["content"])
    for piece in answer:
        if isinstance(piece, Stop):
            piece.wait()
        elif isinstance(piece, Silence):
            yield piece
        elif isinstance(piece, Sentence):
            number = next(number for number, text in numbers if piece.words in text)
            yield chunk({"content": piece.text.replace("?", number)}).encode()
        else:
            yield chunk({"content": piece}).encode()
    yield (chunk({}, "stop") + "data: [DONE]\n\n").encode()


def _numbers(content: str) -> list[tuple[str, str]]:
    """The passages of a request: number and text."""
    parts = re.split(r"^\[(\d+)\] ", content, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2], strict=True))
