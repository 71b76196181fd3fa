"""Where a block that is too long for a chunk is parted."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from operator import attrgetter

from knapper.markup.measure import MAX_CHARACTERS, MAX_TOKENS, Measure
from knapper.markup.note import Parse
from knapper.markup.parting import filled, parted
from knapper.markup.pieces import Piece
from knapper.text.span import Span

_LINES = re.compile(r"\r\n|\r|\n")
_SENTENCES = re.compile(r"[.!?…]['\"”’»)\]]*+[ \t\r\n]+|[。！？；][”’」』）】]*+|\r\n?|\n")
_WORDS = re.compile(r"\s+")
_BY_LINES = frozenset(("code", "table", "callout", "quote", "math", "html", "list", "item", "comment"))


def may_part(kind: str) -> bool:
    """Whether a piece of this kind that fits may be parted all the same, to stay with its heading."""
    return kind == "list" or kind not in _BY_LINES


def split(measure: Measure, parse: Parse, piece: Piece) -> list[Span]:
    """The parts of a piece that is too long: items of a list, lines of a table, sentences of prose."""
    if piece.kind == "list":
        parts = list(_items(parse, piece.span))
        ends = [part.end for part in parts] or [piece.span.end]
        return _packed(measure, piece.span, ends, (_LINES, _SENTENCES, _WORDS))
    finer = (_LINES, _SENTENCES, _WORDS) if piece.kind in _BY_LINES else (_SENTENCES, _WORDS)
    return _part(measure, piece.span, finer)


def _items(parse: Parse, span: Span) -> Iterator[Span]:
    end = span.start
    for index in range(
        bisect_left(parse.regions, span.start, key=attrgetter("span.start")), len(parse.regions)
    ):
        region = parse.regions[index]
        if region.span.start >= span.end:
            break
        if region.kind == "item" and region.span.start >= end:
            yield region.span
            end = region.span.end


def _part(measure: Measure, span: Span, patterns: tuple[re.Pattern[str], ...]) -> list[Span]:
    if not patterns:
        return list(_hard(measure, span))
    ends = [match.end() for match in patterns[0].finditer(measure.text, span.start, span.end)]
    return _packed(measure, span, [*ends, span.end], patterns[1:])


def _packed(measure: Measure, span: Span, ends: list[int], finer: tuple[re.Pattern[str], ...]) -> list[Span]:
    """The parts of *span* between some of *ends*; a unit that is too long by itself is parted more finely."""
    trimmed = (_trim(measure.text, start, end) for start, end in pairwise((span.start, *ends, span.end)))
    units = [unit for unit in trimmed if len(unit)]
    parts: list[Span] = []
    # Filled one after the other where few boundaries can move: in two chunks, or in one endless sentence.
    few = not finer or measure.tokens(span) <= 2 * MAX_TOKENS
    for first, end in filled(measure, units) if few else parted(measure, units):
        part = Span(units[first].start, units[end - 1].end)
        parts += [part] if measure.fits(part) else _part(measure, part, finer)
    return parts


def _hard(measure: Measure, span: Span) -> Iterator[Span]:
    start = span.start
    while start < span.end:
        end = min(start + MAX_CHARACTERS, span.end)
        while not measure.fits(Span(start, end)):
            end = start + max(1, (end - start) * MAX_TOKENS // measure.tokens(Span(start, end)))
        yield Span(start, end)
        start = end


def _trim(text: str, start: int, end: int) -> Span:
    content = text[start:end]
    stripped = content.strip()
    if not stripped:
        return Span(end, end)
    start += len(content) - len(content.lstrip())
    return Span(start, start + len(stripped))
