"""The three ways to say where something stands in a text, and which layer may use which.

- `Span`: half-open code-point offsets into one Python string. Everything below `ide` thinks in these.
- `Position`: a line and a UTF-16 column, both from 0, as the editor protocol counts them.
- `Place`: a range of such positions. It means something without the text, so the index stores one for
  every link, heading, block and tag, and answers about closed notes read no file.

Only `text.lines` converts between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open code-point offsets: `Span(4, 9)` of `see [[A]]` is `[[A]]`."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def of(self, content: str) -> str:
        """The characters of *content* in this span."""
        return content[self.start : self.end]

    def shift(self, by: int) -> Span:
        """The same span in a text with *by* more characters before it."""
        return Span(self.start + by, self.end + by)

    def holds(self, offset: int) -> bool:
        """Whether a cursor at *offset* touches the span: at its start, inside, or right behind it."""
        return self.start <= offset <= self.end

    def covers(self, other: Span) -> bool:
        """Whether *other* lies wholly inside."""
        return self.start <= other.start and other.end <= self.end


class Position(NamedTuple):
    """A line and a column in UTF-16 units, both counted from 0."""

    line: int
    character: int


class Place(NamedTuple):
    """A range of positions: from (*line*, *start*) to just before (*end_line*, *end*)."""

    line: int
    start: int
    end_line: int
    end: int

    def holds(self, position: Position) -> bool:
        """Whether a cursor at *position* touches the place, its end included."""
        return (self.line, self.start) <= position <= (self.end_line, self.end)


START = Place(0, 0, 0, 0)
"""The start of a file: where a link to a whole note leads."""
