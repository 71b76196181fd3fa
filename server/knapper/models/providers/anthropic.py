"""Anthropic's Messages: passages as search results, answers as blocks with citations.

Must not know how bytes travel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from knapper.models.providers.errors import Asked, in_stream
from knapper.models.providers.ports import Citation, End, Ending, Passage, Piece, Prompt
from knapper.models.providers.reading import (
    Answer,
    cut_off,
    declined,
    dig,
    ended_early,
    number,
    read_object,
)
from knapper.models.providers.sse import Event
from knapper.text.span import Span

ENDPOINT = "/messages"
_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*", re.MULTILINE)


def headers(key: str) -> dict[str, str]:
    """The headers besides those of any JSON."""
    return {"anthropic-version": "2023-06-01", **({"x-api-key": key} if key else {})}


def paragraphs(text: str) -> tuple[Span, ...]:
    r"""Where the paragraphs of a passage lie: citations name these.

    `One.\n\nTwo\nlines.` gives the spans of `One.` and `Two\nlines.`.
    """
    return tuple(
        Span(found.start(), found.start() + len(found[0].rstrip())) for found in _PARAGRAPH.finditer(text)
    )


def body(prompt: Prompt, model: str, answer_tokens: int) -> dict[str, Any]:
    """The request for *prompt* as JSON."""
    messages: list[dict[str, Any]] = []
    for turn in prompt.turns:
        if turn.question.strip() and turn.answer.strip():  # An empty message is an error there.
            messages += [
                {"role": "user", "content": turn.question},
                {"role": "assistant", "content": turn.answer},
            ]
    results = [_search_result(passage) for passage in _sent(prompt)]
    messages.append({"role": "user", "content": [*results, {"type": "text", "text": prompt.question}]})
    system = {"system": prompt.system} if prompt.system.strip() else {}
    return {"model": model, "max_tokens": answer_tokens, "stream": True, **system, "messages": messages}


def _sent(prompt: Prompt) -> list[Passage]:
    """The passages that hold text; citations count these."""
    return [passage for passage in prompt.passages if passage.text.strip()]


def _search_result(passage: Passage) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": f"note {passage.number}",
        "title": passage.title.strip() or f"Note {passage.number}",
        "content": [{"type": "text", "text": span.of(passage.text)} for span in paragraphs(passage.text)],
        "citations": {"enabled": True},
    }


def read(events: Iterator[Event], prompt: Prompt, asked: Asked) -> Iterator[Piece]:
    """The pieces of an answer. Events and blocks of kinds that we do not know are passed over."""
    stream = _Stream(prompt, asked)
    for event in events:
        found = read_object(event.data)
        kind = found.get("type")
        if kind == "error":
            yield End(Ending.FAILED, in_stream(asked, found.get("error")), *stream.tokens)
            return
        if kind == "message_stop":
            yield stream.end()
            return
        yield from stream.take(found)
    yield ended_early(asked.host, stream.tokens)


class _Stream:
    """What has to be remembered between events."""

    def __init__(self, prompt: Prompt, asked: Asked) -> None:
        self.tokens = (0, 0)
        self._passages = _sent(prompt)
        self._asked = asked
        self._answer = Answer()
        self._begun = 0  # where the text of this block begins in the answer
        self._cited: list[Any] = []
        self._reason: Any = None

    def take(self, found: dict[str, Any]) -> Iterator[Piece]:
        kind, delta = found.get("type"), found.get("delta")
        if kind == "message_start":
            self._count(dig(found, "message", "usage"))
        elif kind == "content_block_start":
            self._begun, self._cited = self._answer.length, []
            yield from self._answer.add(dig(found, "content_block", "text"))
        elif kind == "content_block_delta" and dig(delta, "type") == "text_delta":
            yield from self._answer.add(dig(delta, "text"))
        elif kind == "content_block_delta" and dig(delta, "type") == "citations_delta":
            self._cited.append(dig(delta, "citation"))
        elif kind == "content_block_stop":
            yield from self._citations()
        elif kind == "message_delta":
            self._reason = dig(delta, "stop_reason")
            self._count(found.get("usage"))

    def end(self) -> End:
        if self._reason in ("max_tokens", "model_context_window_exceeded", "pause_turn"):
            return cut_off(self.tokens)
        if self._reason == "refusal":
            return declined(self._asked.label, self.tokens)
        return End(Ending.COMPLETE, "", *self.tokens)

    def _count(self, usage: Any) -> None:
        self.tokens = (
            number(dig(usage, "input_tokens")) or self.tokens[0],
            number(dig(usage, "output_tokens")) or self.tokens[1],
        )

    def _citations(self) -> Iterator[Citation]:
        """The citations of the block that ends; one that names no passage of ours is no citation."""
        claim = Span(self._begun, self._answer.length)
        for cited in self._cited:
            index = dig(cited, "search_result_index")
            passages = self._passages
            if dig(cited, "type") != "search_result_location" or type(index) is not int:
                continue
            if 0 <= index < len(passages) and claim:
                place = _place(passages[index].text, cited)
                yield Citation(passages[index].number, claim, place, str(dig(cited, "cited_text") or ""))
        self._cited = []


def _place(text: str, cited: Any) -> Span:
    """The paragraphs from *start_block_index* to before *end_block_index*, or the whole text."""
    spans = paragraphs(text)
    first, behind = number(dig(cited, "start_block_index")), number(dig(cited, "end_block_index"))
    if not first < behind <= len(spans):
        return Span(0, len(text))
    return Span(spans[first].start, spans[behind - 1].end)
