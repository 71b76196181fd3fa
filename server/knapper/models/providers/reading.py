"""What reading either wire format needs: values out of untrusted JSON, and the text of an answer so far.

Must not know which provider is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from knapper.models.providers.ports import End, Ending, Text

_HIGH = ("\ud800", "\udbff")


class Unreadable(Exception):  # noqa: N818 -- It says what the stream is.
    """A stream that holds what the format does not have."""


def read_object(data: str) -> dict[str, Any]:
    """The JSON object in an event; raises `Unreadable`."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise Unreadable from None
    if not isinstance(found, dict):
        raise Unreadable
    return found


def dig(value: Any, *path: str | int) -> Any:
    """The value at *path*, or None: `dig({"choices": []}, "choices", 0, "delta")` is None."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and 0 <= step < len(value) else None
    return value


def number(value: Any) -> int:
    """A count, or 0 for anything else."""
    return value if type(value) is int and value >= 0 else 0


class Answer:
    """The text that has come, made whole: half a character is kept until its other half is there."""

    def __init__(self) -> None:
        self.length = 0
        """Code points given out so far: where the next text begins."""
        self._half = ""

    def add(self, text: Any) -> Iterator[Text]:
        """The piece for *text*, unless there is nothing to show yet."""
        if not isinstance(text, str):
            return
        text, self._half = self._half + text, ""
        if text and _HIGH[0] <= text[-1] <= _HIGH[1]:
            text, self._half = text[:-1], text[-1]
        if text:
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            self.length += len(text)
            yield Text(text)


class Thoughts:
    """Leaves out what a model thinks aloud before it answers: `<think>Hmm.</think> Yes.` gives `Yes.`.

    Servers that part the two send the thoughts elsewhere; others leave them in the answer.
    """

    _OPEN, _CLOSE = "<think>", "</think>"

    def __init__(self) -> None:
        self._held = ""
        self._step = "start"  # then, if there are thoughts, `thinking` and `gap`; then `answer`

    def add(self, text: Any) -> str:
        """What of *text*, and of what was held back, belongs to the answer."""
        if not isinstance(text, str) or self._step == "answer":
            return text if isinstance(text, str) else ""
        self._held += text
        if self._step == "start":
            self._begin(self._held.lstrip())
        if self._step == "thinking":
            _, found, rest = self._held.partition(self._CLOSE)
            self._held = rest if found else self._held[1 - len(self._CLOSE) :]
            self._step = "gap" if found else "thinking"
        if self._step == "gap":
            self._held = self._held.lstrip()
            self._step = "answer" if self._held else "gap"
        return self._released() if self._step == "answer" else ""

    def end(self) -> str:
        """What was held back in case it began a thought, and did not."""
        return self._released() if self._step == "start" else ""

    def _begin(self, begun: str) -> None:
        if begun.startswith(self._OPEN):
            self._step, self._held = "thinking", begun[len(self._OPEN) :]
        elif not self._OPEN.startswith(begun):
            self._step = "answer"

    def _released(self) -> str:
        held, self._held = self._held, ""
        return held


def cut_off(tokens: tuple[int, int]) -> End:
    """The end of an answer that has reached its limit."""
    return End(
        Ending.CUT_OFF,
        "The answer is cut off at the model's limit of tokens: ask a narrower question, or ask it to go on.",
        *tokens,
    )


def declined(label: str, tokens: tuple[int, int]) -> End:
    """The end of an answer that the model or its provider would not give."""
    return End(
        Ending.REFUSED, f"{label} refuses to answer this: ask in other words, or another model.", *tokens
    )


def ended_early(host: str, tokens: tuple[int, int]) -> End:
    """The end of a stream that lacks its mark."""
    return End(
        Ending.INCOMPLETE,
        f"The answer is incomplete: {host} ended it early; ask again for all of it.",
        *tokens,
    )
