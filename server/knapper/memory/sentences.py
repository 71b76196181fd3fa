"""An answer as it is written, parted into sentences and lines: the pieces that are looked at and shown whole.

What is a piece depends on the answer alone, not on how it comes. Must not know what is done with a piece.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from knapper.text.span import Span

LONGEST = 4_000
"""Characters. A longer piece without an end is broken there, as if a line ended."""

_NEW_LINE = re.compile(r"\n(?:[ \t]*\n)*")
_STOP = re.compile(r"[.!?…]+[\"'”’»)*_]*(?=[ \t]|\[{1,2}\^?\d|【)|[。！？]+[」』）”’»*_]*|\n")
_WIDE_STOPS = "。！？"
_MARKS = re.compile(r"(?:[ \t]*(?:\[{1,2}[\d \t,;&^–-]*\]{1,2}|【[^】\n]{0,40}】))+[.。]?")
_MAY_MARK = re.compile(r"[ \t]*(?:\[{1,2}[\d \t,;&^–-]*\]?|【[^】\n]{0,40})\Z")
_SHORT = re.compile(
    r"(?:(?<![^\W_])(?:[^\W\d_]|e\.g|i\.e|cf|vs|ca|approx|etc|no|dr|mr|mrs|ms|st|prof|fig|p|pp)|^[\s>*+-]*\d{1,3})\.\Z",
    re.IGNORECASE,
)
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_OPENERS = "[“«「『"
_BRACKET = re.compile("[][“”«»「」『』]")


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or line with the blanks behind it. *span* is of the answer; a long line is *broken*."""

    span: Span
    text: str = field(repr=False)
    begins_line: bool
    broken: bool = False


@dataclass(slots=True)
class Fence:
    """Whether a line stands in a fence: asked line by line."""

    mark: str = ""

    def step(self, line: str) -> str:
        """What *line* is: `opens`, `within`, `closes` a fence, or is `text`."""
        found = _FENCE.match(line)
        if self.mark:
            if found and found[1].startswith(self.mark) and not line[found.end() :].strip():
                self.mark = ""
                return "closes"
            return "within"
        if found and not (found[1][0] == "`" and "`" in line[found.end() :]):
            self.mark = found[1]
            return "opens"
        return "text"


class Sentences:
    """Parts a text that comes in pieces."""

    def __init__(self) -> None:
        self._held = ""
        self._at = 0  # where what is held begins
        self._seen = 0  # so much of what is held has no end in it
        self._begins_line = True
        self._fence = Fence()

    def feed(self, text: str) -> list[Unit]:
        """The units that have ended."""
        self._held += text
        return self._parted(is_whole=False)

    def end(self) -> list[Unit]:
        """The rest."""
        return self._parted(is_whole=True)

    def _parted(self, *, is_whole: bool) -> list[Unit]:
        units = []
        start, held = 0, self._held
        while start < len(held):
            window = held[start : start + LONGEST]
            end = self._end(window, is_whole=is_whole and start + len(window) == len(held))
            broken = end is None and len(window) == LONGEST
            if broken:
                end = _broken(window)
            if end is None:
                break
            units.append(self._unit(window[:end], broken=broken))
            start += end
        self._held = held[start:]
        return units

    def _unit(self, text: str, *, broken: bool) -> Unit:
        unit = Unit(Span(self._at, self._at + len(text)), text, self._begins_line, broken)
        if self._begins_line:
            self._fence.step(text.partition("\n")[0])
        self._at, self._seen = self._at + len(text), 0
        self._begins_line = broken or text.endswith("\n")
        return unit

    def _end(self, window: str, *, is_whole: bool) -> int | None:
        """Where the first unit of *window* ends; None if that cannot be said yet."""
        by_line = self._begins_line and (self._fence.mark or _FENCE.match(window))
        pattern = _NEW_LINE if by_line else _STOP
        for found in pattern.finditer(window, self._seen):
            if found[0][0] == "\n":
                end = _NEW_LINE.match(window, found.start())
                assert end is not None
                if window[end.end() :].strip(" \t"):
                    return end.end()
                return len(window) if is_whole else None
            at = _behind(window, found, is_whole=is_whole)
            if at is None:
                return None
            if at and not _goes_on(window, found, at):
                return at
            self._seen = found.end()
        return len(window) if is_whole else None


def _broken(window: str) -> int:
    """Where a line without an end is broken: behind a blank or a bracket, and not within a marker."""
    half = len(window) // 2
    end = window.rfind(" ", half) + 1 or window.rfind("]", half) + 1 or len(window)
    opened = window.rfind("[", half, end)
    return opened if opened > window.rfind("]", 0, end) else end


def _behind(window: str, found: re.Match[str], *, is_whole: bool) -> int | None:
    """Where what follows a full stop and its markers begins; 0 if nothing does, None if it is to come."""
    marks = _MARKS.match(window, found.end())
    at = marks.end() if marks else found.end()
    rest = window[at:]
    if not is_whole and (not rest.strip(" \t") or _MAY_MARK.match(rest)):
        return None
    blanks = len(rest) - len(rest.lstrip(" \t"))
    ends = rest[blanks:] and rest[blanks] != "\n" and (blanks or found[0][0] in _WIDE_STOPS)
    return at + blanks if ends else 0


def _goes_on(window: str, found: re.Match[str], at: int) -> bool:
    """Whether the sentence goes on behind what looks like its end."""
    if found[0][0] not in _WIDE_STOPS and (window[at].islower() or _SHORT.search(window, 0, found.end())):
        return True
    return _is_open(window[: found.end()])


def _is_open(text: str) -> bool:
    """Whether something has begun that must not be parted: code, brackets, a tag, a quotation."""
    if text.count("`") % 2 or text.count('"') % 2 or re.search(r"<[A-Za-z/!][^>]*\Z|\]\([^)]*\Z", text):
        return True
    depth = 0
    for bracket in _BRACKET.findall(text):
        depth = depth + 1 if bracket in _OPENERS else max(depth - 1, 0)
    return depth > 0
