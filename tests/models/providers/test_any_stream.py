"""Whatever a provider sends, the answer ends once, and its citations stay within their texts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.models.providers.ports import Citation, End, Piece, Text
from knapper.models.providers.reading import Unreadable
from knapper.models.providers.sse import Event
from tests.models.providers.asking import NOTE, PROMPT, generator
from tests.models.providers.streams import cited

WORDS = [
    "type", "message_start", "message", "usage", "input_tokens", "content_block_start", "content_block",
    "text", "content_block_delta", "delta", "text_delta", "citations_delta", "citation", "content_block_stop",
    "message_delta", "stop_reason", "refusal", "message_stop", "error", "choices", "content", "finish_reason",
    "length", "code", "object", "prompt_tokens", "\ud83c", "\udf5e", "<think>", "</think>",
]  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers(-2, 500) | st.sampled_from(WORDS) | st.floats()
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=12,
)
NUMBERS = st.integers(-1, 4)
ANTHROPIC = st.one_of(
    st.builds(lambda text: {"type": "content_block_start", "content_block": {"text": text}}, LEAVES),
    st.builds(lambda text: _delta({"type": "text_delta", "text": text}), LEAVES),
    st.builds(
        lambda i, a, b: _delta({"type": "citations_delta", "citation": cited(i, a, b, "x")}),
        NUMBERS,
        NUMBERS,
        NUMBERS,
    ),
    st.builds(lambda value: _delta({"type": "citations_delta", "citation": value}), VALUES),
    st.just({"type": "content_block_stop"}),
    st.builds(lambda value: {"type": "message_delta", "delta": value, "usage": value}, VALUES),
    st.builds(lambda value: {"type": "error", "error": value}, VALUES),
    st.just({"type": "message_stop"}),
)
CHAT = st.one_of(
    st.builds(
        lambda value, reason: {"choices": [{"delta": {"content": value}, "finish_reason": reason}]},
        LEAVES,
        LEAVES,
    ),
    st.builds(lambda value: {"choices": value}, VALUES),
    st.builds(lambda value: {"usage": value, "choices": []}, VALUES),
    st.builds(lambda value: {"error": value}, VALUES),
)


def _delta(delta: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "delta": delta}


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
@settings(max_examples=120, deadline=None)
@given(st.lists(ANTHROPIC | CHAT | VALUES, max_size=12))
def test_any_stream_is_read_to_one_end(provider: str, values: list[Any]) -> None:
    one = generator("", provider)
    events: Iterator[Event] = iter([Event("", json.dumps(value)) for value in values])
    pieces: list[Piece] = []
    try:
        pieces.extend(one.dialect.read(events, PROMPT, one.asked))
        ends = [isinstance(piece, End) for piece in pieces]
        assert ends == [False] * (len(ends) - 1) + [True]
    except Unreadable:
        assert not all(isinstance(value, dict) for value in values)

    answer = "".join(piece.text for piece in pieces if isinstance(piece, Text))
    answer.encode()
    for piece in pieces:
        if isinstance(piece, Citation):
            assert 0 <= piece.claim.start < piece.claim.end <= len(answer)
            assert 0 <= piece.place.start < piece.place.end <= len(NOTE)
