"""A text with its lines, as an editor counts them. The only module that converts positions.

A line ends with CRLF, LF or a lone CR, and with nothing else: U+2028, U+0085 and the form feed, where
Python's `str.splitlines` also breaks, are ordinary characters in the editor protocol.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cached_property, partial
from itertools import accumulate

from knapper.text.span import Place, Position, Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_WIDE = re.compile("[\U00010000-\U0010ffff]")
_with_break = (1).__add__  # The length of a line and its line feed; written so, lines are counted in C.
_LONG = 2000  # characters, from where on it pays to know every wide character of the text


def utf16_length(content: str) -> int:
    """How many UTF-16 units *content* takes: `"🎉é"` takes 3."""
    if content.isascii():
        return len(content)
    return len(content.encode("utf-16-le", "surrogatepass")) // 2


class Text:
    """An immutable text that converts between offsets and positions.

    Positions outside the text are clamped, as the protocol asks: a column past the end of a line means
    its end (before the line break), a line past the last one means the end of the text.
    """

    def __init__(self, content: str) -> None:
        self.content = content

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.content == other.content

    def __hash__(self) -> int:
        return hash(self.content)

    def __len__(self) -> int:
        return len(self.content)

    @cached_property
    def line_starts(self) -> list[int]:
        """The offset of the first character of every line; a final line break starts an empty line."""
        if "\r" in self.content:
            return [0, *(match.end() for match in _LINE_END.finditer(self.content))]
        widths = map(len, self.content.split("\n"))
        return [*accumulate(map(_with_break, widths), initial=0)][:-1]

    def line_count(self) -> int:
        """How many lines there are, at least 1."""
        return len(self.line_starts)

    def line_of(self, offset: int) -> int:
        """The line, from 0, in which *offset* lies."""
        return bisect_right(self.line_starts, offset) - 1

    def line_span(self, line: int) -> Span:
        """The characters of *line* without its line break."""
        start = self.line_starts[line]
        if line + 1 == len(self.line_starts):
            return Span(start, len(self.content))
        end = self.line_starts[line + 1]
        width = 2 if self.content[end - 2 : end] == "\r\n" else 1
        return Span(start, end - width)

    def line(self, line: int) -> str:
        """The characters of *line* without its line break."""
        return self.line_span(line).of(self.content)

    def position(self, offset: int) -> Position:
        """The position of *offset*, which is clamped to the text."""
        offset = min(max(offset, 0), len(self.content))
        line = self.line_of(offset)
        return Position(line, self._column(self.line_starts[line], offset))

    def offset(self, position: Position) -> int:
        """The offset of *position*; one in the middle of a surrogate pair means the character's start."""
        line, character = position
        if line < 0:
            return 0
        if line >= len(self.line_starts):
            return len(self.content)
        span = self.line_span(line)
        if span.of(self.content).isascii():
            return span.start + min(max(character, 0), len(span))
        offsets = range(span.start, span.end + 1)
        column = partial(self._column, span.start)
        return offsets[max(0, bisect_right(offsets, character, key=column) - 1)]

    def _column(self, line_start: int, offset: int) -> int:
        """How many UTF-16 units lie between; thousands of links on one long line must not each count them."""
        if self._is_narrow:
            return offset - line_start
        if offset - line_start < _LONG:
            return utf16_length(self.content[line_start:offset])
        return offset - line_start + bisect_left(self._wide, offset) - bisect_left(self._wide, line_start)

    @cached_property
    def _is_narrow(self) -> bool:
        """Whether every character takes one UTF-16 unit, so that columns need no counting."""
        return utf16_length(self.content) == len(self.content)

    @cached_property
    def _wide(self) -> list[int]:
        """The offsets of the characters that take two UTF-16 units."""
        content = self.content
        return [] if content.isascii() else [match.start() for match in _WIDE.finditer(content)]

    def place(self, span: Span) -> Place:
        """The place of *span*."""
        if self._is_narrow and 0 <= span.start <= span.end <= len(self.content):
            # The same in half the time, for an index asks this of everything in every note.
            starts = self.line_starts
            first = bisect_right(starts, span.start) - 1
            last = bisect_right(starts, span.end, first) - 1
            return Place._make((first, span.start - starts[first], last, span.end - starts[last]))
        line, start = self.position(span.start)
        end_line, end = self.position(span.end)
        return Place(line, start, end_line, end)

    def span(self, place: Place) -> Span:
        """The span of *place*, clamped."""
        start = self.offset(Position(place.line, place.start))
        return Span(start, max(start, self.offset(Position(place.end_line, place.end))))

    def splice(self, span: Span, new: str) -> Text:
        """The text with *span* replaced by *new*; the lines before and after are not searched again."""
        edited = Text(self.content[: span.start] + new + self.content[span.end :])
        if "line_starts" in self.__dict__:
            edited.__dict__["line_starts"] = self._spliced_line_starts(edited.content, span, len(new))
        return edited

    def _spliced_line_starts(self, edited: str, span: Span, width: int) -> list[int]:
        # One character to either side is looked at again: an edit may join or part a CRLF.
        old = self.line_starts
        by = width - len(span)
        first = bisect_right(old, max(span.start - 1, 0))
        last = bisect_right(old, span.end + 1)
        low = old[first - 1]
        high = old[last] + by if last < len(old) else len(edited)
        middle = [match.end() for match in _LINE_END.finditer(edited, low, high)]
        if middle and last < len(old) and middle[-1] == high:
            middle.pop()
        return [*old[:first], *middle, *(start + by for start in old[last:])]
