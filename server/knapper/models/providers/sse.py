r"""Server-sent events out of bytes, however these are cut. Must not know what events mean.

`event: ping\ndata: {}\n\n` is one event. Lines end in `\n`, `\r\n` or `\r`; a chunk may end anywhere, in the
middle of a character too.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One event: *name* is empty unless the stream gives one."""

    name: str
    data: str


class EventReader:
    """Takes chunks of bytes, gives events. Comments, ids and `retry` are passed over."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line: list[str] = []  # the parts of the line that has not ended
        self._after_return = False
        self._at_start = True
        self._name = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[Event]:
        """The events that *chunk* completes."""
        yield from self._taken(self._decoder.decode(chunk))

    def end(self) -> Iterator[Event]:
        """The event that the stream ended in, if it lacks no more than its blank line."""
        yield from self._taken(self._decoder.decode(b"", final=True))
        self._end_of_line()
        yield from self._end_of_event()

    def _taken(self, text: str) -> Iterator[Event]:
        if self._at_start and text:
            text = text.removeprefix("\ufeff")
            self._at_start = False
        if self._after_return and text:
            text = text.removeprefix("\n")  # The other half of a line's end that was cut in two.
            self._after_return = False
        self._after_return = self._after_return or text.endswith("\r")
        *whole, rest = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        for piece in whole:
            self._line.append(piece)
            if not self._end_of_line():
                yield from self._end_of_event()
        if rest:
            self._line.append(rest)

    def _end_of_line(self) -> bool:
        """Take the line in; False if it was blank."""
        line = "".join(self._line)
        self._line = []
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._name = value
        return bool(line)

    def _end_of_event(self) -> Iterator[Event]:
        name, data = self._name, self._data
        self._name, self._data = "", []
        if data:
            yield Event(name, "\n".join(data))
