"""Questions put to real vaults and, over real connections, to providers that say what a test has them say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from knapper.base.cancel import CancelToken
from knapper.memory.answer import Answer, Cited, Part, Said
from knapper.memory.ask import ask
from knapper.memory.asked import Memory, Question
from knapper.memory.egress import EgressLog
from knapper.memory.writer import Writer
from knapper.models.providers.choice import Choice, generator_of
from knapper.models.providers.exchange import Patience
from tests.models.providers.asking import KEY, Waits
from tests.models.providers.streams import block, chat, messages
from tests.models.providers.wire import Answer as Served
from tests.models.providers.wire import Received, Wire, stream

DIALECTS = ("anthropic", "openai", "openrouter", "compatible")


def writer(server: Wire | str, log: Path, provider: str = "compatible", *, context: int = 0) -> Writer:
    """Who writes at *server* and logs into the file *log*."""
    base = server if isinstance(server, str) else server.base
    choice = Choice(provider, "model-1", base, context)
    generator = generator_of(choice, KEY, patience=Patience(silence=5), clock=Waits().clock())
    return Writer(generator, provider, EgressLog(log, "Garden"))


def parts_of(question: Question | str, memory: Memory, one: Writer | None) -> list[Part]:
    """All pieces of the answer."""
    asked = Question(question) if isinstance(question, str) else question
    return list(ask(asked, memory, one, CancelToken()))


def answer_of(parts: Sequence[Part]) -> Answer:
    """The whole answer, which says what its pieces said, and cites what they cited before they did."""
    *pieces, last = parts
    assert isinstance(last, Answer)
    assert "".join(one.text for one in pieces if isinstance(one, Said)) == last.text
    assert tuple(one for one in pieces if isinstance(one, Cited)) == last.citations
    shown = ""
    for number, cited in enumerate(last.citations, 1):
        assert cited.number == number
        before = pieces[: pieces.index(cited)]
        shown = "".join(one.text for one in before if isinstance(one, Said))
        assert f"[{number}]" not in shown
    return last


def said(provider: str, *texts: str, size: int = 0) -> Served:
    """An answer of *texts* as *provider* sends it, in chunks of *size* bytes."""
    return stream(messages(block(0, *texts)) if provider == "anthropic" else chat(*texts), size)


def texts_in(request: Received) -> list[str]:
    """Every text in a request, wherever it stands."""
    return list(_texts(json.loads(request.body)))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _texts(one)]
