"""Chat completions, as OpenAI, OpenRouter, Ollama, llama.cpp, LM Studio and many others speak them.

Passages are quoted in the question's own message. Must not know how bytes travel.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knapper.models.providers.errors import Asked, in_stream
from knapper.models.providers.ports import End, Ending, Piece, Prompt
from knapper.models.providers.reading import (
    Answer,
    Thoughts,
    cut_off,
    declined,
    dig,
    ended_early,
    number,
    read_object,
)
from knapper.models.providers.sse import Event

ENDPOINT = "/chat/completions"


def headers(key: str) -> dict[str, str]:
    """The headers besides those of any JSON."""
    return {"authorization": f"Bearer {key}"} if key else {}


def body(prompt: Prompt, model: str, answer_tokens: int) -> dict[str, Any]:
    """The request for *prompt* as JSON, with nothing that only some servers take."""
    messages = [{"role": "system", "content": prompt.system}] if prompt.system.strip() else []
    for turn in prompt.turns:
        if turn.question.strip() and turn.answer.strip():
            messages += [
                {"role": "user", "content": turn.question},
                {"role": "assistant", "content": turn.answer},
            ]
    messages.append({"role": "user", "content": quoted(prompt)})
    return {"model": model, "stream": True, "max_tokens": answer_tokens, "messages": messages}


def openai_body(prompt: Prompt, model: str, answer_tokens: int) -> dict[str, Any]:
    """The same for OpenAI itself: nothing is stored there, and its reasoning models know their own limit."""
    request = body(prompt, model, answer_tokens)
    limit = request.pop("max_tokens")
    own = {"max_completion_tokens": limit, "store": False, "stream_options": {"include_usage": True}}
    return {**request, **own}


def quoted(prompt: Prompt) -> str:
    r"""The passages between lines with the boundary, then the question.

    `<notes-5f>\n[1] Bread\nFlour and water.\n</notes-5f>\n\nWhat is bread?`
    """
    if not prompt.passages:
        return prompt.question
    passages = "\n\n".join(
        f"[{passage.number}] {' '.join(passage.title.split())}\n{passage.text}" for passage in prompt.passages
    )
    return f"<{prompt.boundary}>\n{passages}\n</{prompt.boundary}>\n\n{prompt.question}"


def read(events: Iterator[Event], prompt: Prompt, asked: Asked) -> Iterator[Piece]:
    """The pieces of an answer. It is whole once a finish reason came: some servers leave `[DONE]` out."""
    del prompt  # Nothing in this format points back at it.
    answer, thoughts, reason, refused, tokens = Answer(), Thoughts(), None, False, (0, 0)
    for event in events:
        if event.data.strip() == "[DONE]":
            break
        found = read_object(event.data)
        choice = dig(found, "choices", 0)
        reason = dig(choice, "finish_reason") or reason
        if error := _error(found, choice, event.name):
            yield from answer.add(thoughts.end())
            yield End(Ending.FAILED, in_stream(asked, error), *tokens)
            return
        refused = refused or bool(dig(choice, "delta", "refusal"))
        yield from answer.add(thoughts.add(dig(choice, "delta", "content")))
        yield from answer.add(dig(choice, "delta", "refusal"))
        if usage := found.get("usage"):  # Comes with an empty list of choices.
            tokens = (number(dig(usage, "prompt_tokens")), number(dig(usage, "completion_tokens")))
    yield from answer.add(thoughts.end())
    yield _end(reason, asked, tokens, refused=refused)


def _error(found: dict[str, Any], choice: Any, name: str) -> Any:
    """The error in an event, in the shapes of OpenAI, of OpenRouter and of vLLM."""
    if error := found.get("error") or dig(choice, "error"):
        return error
    broken = found.get("object") == "error" or name == "error" or dig(choice, "finish_reason") == "error"
    return found if broken else None


def _end(reason: Any, asked: Asked, tokens: tuple[int, int], *, refused: bool) -> End:
    if refused or reason == "content_filter":
        return declined(asked.label, tokens)
    if reason == "length":
        return cut_off(tokens)
    if reason is None:
        return ended_early(asked.host, tokens)
    return End(Ending.COMPLETE, "", *tokens)
