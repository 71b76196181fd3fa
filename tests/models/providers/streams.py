"""Streams as the providers document them, with the text, the ending and the errors that a test wants."""

from __future__ import annotations

import json
from typing import Any

END_OF_TURN = {"stop_reason": "end_turn", "stop_sequence": None}


def event(data: dict[str, Any]) -> str:
    """An event of Anthropic's, which names its kind twice."""
    return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n"


def cited(index: int, first: int, behind: int, text: str) -> dict[str, Any]:
    """A citation of the blocks from *first* to before *behind* of a search result."""
    return {
        "type": "search_result_location", "source": "note", "title": "Note", "cited_text": text,
        "search_result_index": index, "start_block_index": first, "end_block_index": behind,
    }  # fmt: skip


def block(index: int, *texts: str, citations: tuple[dict[str, Any], ...] = ()) -> str:
    """A block of text: citations come between its words."""
    begin: dict[str, Any] = {"type": "text", "text": ""}
    if citations:
        begin["citations"] = []
    deltas = [{"type": "citations_delta", "citation": citation} for citation in citations]
    deltas += [{"type": "text_delta", "text": text} for text in texts]
    return (
        event({"type": "content_block_start", "index": index, "content_block": begin})
        + "".join(event({"type": "content_block_delta", "index": index, "delta": delta}) for delta in deltas)
        + event({"type": "content_block_stop", "index": index})
    )


def messages(*blocks: str, reason: str = "end_turn", stop: bool = True) -> str:
    """A whole answer of Anthropic's, with a ping, thinking, and an event that is not invented yet."""
    start = {
        "type": "message_start",
        "message": {
            "id": "msg_01", "type": "message", "role": "assistant", "content": [], "model": "claude",
            "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 25, "output_tokens": 1},
        },
    }  # fmt: skip
    thinking = {"type": "thinking", "thinking": "", "signature": ""}
    end = {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}}
    return (
        event(start)
        + event({"type": "ping"})
        + event({"type": "content_block_start", "index": 9, "content_block": thinking})
        + event(
            {
                "type": "content_block_delta",
                "index": 9,
                "delta": {"type": "thinking_delta", "thinking": "Hmm"},
            }
        )
        + event(
            {
                "type": "content_block_delta",
                "index": 9,
                "delta": {"type": "signature_delta", "signature": "x"},
            }
        )
        + event({"type": "content_block_stop", "index": 9})
        + event({"type": "of_tomorrow", "delta": ["?"]})
        + "".join(blocks)
        + (event({**end, "usage": {"output_tokens": 15}}) if stop else "")
        + (event({"type": "message_stop"}) if stop else "")
    )


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
    """One line of a chat completion."""
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    whole = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return f"data: {json.dumps({**whole, 'choices': [choice], **more})}\n\n"


def chat(*texts: str, finish: str | None = "stop", done: bool = True, comments: bool = False) -> str:
    """A whole chat completion with its usage; OpenRouter puts comments between the lines."""
    between = ": OPENROUTER PROCESSING\n\n" if comments else ""
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return (
        between
        + chunk({"role": "assistant", "content": ""})
        + "".join(between + chunk({"content": text}) for text in texts)
        + (chunk({}, finish) if finish else "")
        + (f"data: {json.dumps({'choices': [], 'usage': usage})}\n\n" if finish else "")
        + ("data: [DONE]\n\n" if done else "")
    )
