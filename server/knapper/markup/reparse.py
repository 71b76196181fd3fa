"""A note that is being edited: only the blocks around an edit are read again.

An outermost block depends on nothing before its first line, and where it ends depends on nothing behind
the second line of the block after it. So a few blocks around the edit are read again, up to a place where
a block began before and begins now: from there on everything is as it was, only further on.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from knapper.markup.assemble import assemble
from knapper.markup.blocks import read_blocks
from knapper.markup.frontmatter import Front, body_start, read_frontmatter
from knapper.markup.note import Parse
from knapper.markup.raw import Raw
from knapper.markup.shift import SHIFTS, place_of
from knapper.text.span import Span

_BLOCKS_BEHIND = (
    4  # How many blocks behind the edit are read at first; if they all changed, four times as many.
)
_start = attrgetter("start")


@dataclass(frozen=True)
class Parsed:
    """A text and what stands in it. `Parsed.of(text).edited(span, new).parse == parse(edited text)`."""

    text: str
    front: Front
    raw: Raw

    @classmethod
    def of(cls, text: str) -> Parsed:
        """Read all of *text*."""
        front = read_frontmatter(text)
        return cls(text, front, read_blocks(text, front.body, len(text)))

    @cached_property
    def parse(self) -> Parse:
        """Everything that stands in the text; put together when it is first asked for."""
        return assemble(self.text, self.front, self.raw)

    def edited(self, span: Span, new: str) -> Parsed:
        """The note with *span* replaced by *new*."""
        text = self.text[: span.start] + new + self.text[span.end :]
        by = len(text) - len(self.text)
        front, body = self.front, body_start(text)
        if span.start < front.body or body != front.body:
            front, begin, kept = read_frontmatter(text), body, 0
        else:
            begin = kept = _begin(self.raw, span.start, body)
        new_raw, join = _reread(text, self.raw, begin, span.end, by)
        return Parsed(text, front, _spliced(self.raw, new_raw, kept, join, by))


def _begin(raw: Raw, edit: int, body: int) -> int:
    """The start of the second block before the one in which the edit begins."""
    index = bisect_right(raw.blocks, edit, key=_start) - 3
    return raw.blocks[index].start if index >= 0 else body


def _reread(text: str, old: Raw, begin: int, edit_end: int, by: int) -> tuple[Raw, int | None]:
    """The parts of *text* from *begin* on, and the place in the old text from which on the old ones count."""
    first = bisect_left(old.blocks, edit_end, key=_start)
    count = _BLOCKS_BEHIND
    while True:
        whole = first + count >= len(old.blocks)
        end = len(text) if whole else old.blocks[first + count].start + by
        new = read_blocks(text, begin, max(begin, end))
        join = _join(old, new, first, by, whole=whole)
        if join is not None or whole:
            return new, join
        count *= 4


def _join(old: Raw, new: Raw, first: int, by: int, *, whole: bool) -> int | None:
    """The first place (in the old text) behind the edit at which a block began and begins still.

    Unless the new blocks reach to the end of the text, the last one may be cut off, and what follows it
    might have belonged to it.
    """
    known = new.blocks if whole else new.blocks[:-1]
    starts = {block.start - by for block in known}
    return next((block.start for block in old.blocks[first:] if block.start in starts), None)


def _spliced(old: Raw, new: Raw, kept_end: int, join: int | None, by: int) -> Raw:
    """The old parts up to *kept_end*, the new ones, and from *join* on the old ones moved by *by*."""
    parts = {}
    for name, shift in SHIFTS.items():
        before: tuple[Any, ...] = getattr(old, name)
        after: tuple[Any, ...] = getattr(new, name)
        kept = before[: bisect_left(before, kept_end, key=place_of)]
        if join is None:
            parts[name] = kept + after
            continue
        tail = before[bisect_left(before, join, key=place_of) :]
        moved = tuple([shift(part, by) for part in tail]) if by else tail
        parts[name] = kept + after[: bisect_left(after, join + by, key=place_of)] + moved
    return Raw(**parts)
