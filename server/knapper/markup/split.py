"""How long a chunk may be, and where a block that is longer is parted."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter

from knapper.markup.note import Parse
from knapper.markup.pieces import Piece
from knapper.text.fold import count_cjk
from knapper.text.span import Span

MAX_CHARACTERS = 1500
MAX_TOKENS = 350

_LINES = re.compile(r"\r\n|\r|\n")
_SENTENCES = re.compile(r"[.!?…]['\"”’»)\]]*+[ \t\r\n]+|[。！？；][”’」』）】]*+|\r\n?|\n")
_WORDS = re.compile(r"\s+")
_BY_LINES = frozenset(("code", "table", "callout", "quote", "math", "html", "list", "item", "comment"))


def estimate_tokens(text: str) -> int:
    """How many tokens a model makes of *text*: one for a CJK character, one for four others."""
    wide = count_cjk(text)
    return wide + -(-(len(text) - wide) // 4)


def fits(text: str, span: Span) -> bool:
    """Whether a chunk may take *span*."""
    length = len(span)
    if length > MAX_CHARACTERS:
        return False
    return length <= MAX_TOKENS or estimate_tokens(span.of(text)) <= MAX_TOKENS


def may_part(kind: str) -> bool:
    """Whether a piece of this kind that fits may be parted all the same, to stay with its heading."""
    return kind == "list" or kind not in _BY_LINES


def split(text: str, parse: Parse, piece: Piece) -> list[Span]:
    """The parts of a piece that is too long: items of a list, lines of a table or code, sentences of prose."""
    if piece.kind == "list":
        parts = list(_items(parse, piece.span))
        ends = [part.end for part in parts] or [piece.span.end]
        return _packed(text, piece.span, ends, (_LINES, _SENTENCES, _WORDS))
    finer = (_LINES, _SENTENCES, _WORDS) if piece.kind in _BY_LINES else (_SENTENCES, _WORDS)
    return _part(text, piece.span, finer)


def _items(parse: Parse, span: Span) -> Iterator[Span]:
    end = span.start
    for index in range(bisect_left(parse.regions, span.start, key=attrgetter("span.start")), len(parse.regions)):
        region = parse.regions[index]
        if region.span.start >= span.end:
            break
        if region.kind == "item" and region.span.start >= end:
            yield region.span
            end = region.span.end


def _part(text: str, span: Span, patterns: tuple[re.Pattern[str], ...]) -> list[Span]:
    if not patterns:
        return list(_hard(text, span))
    ends = [match.end() for match in patterns[0].finditer(text, span.start, span.end)]
    return _packed(text, span, [*ends, span.end], patterns[1:])


def _packed(text: str, span: Span, ends: list[int], finer: tuple[re.Pattern[str], ...]) -> list[Span]:
    """As many units as fit in each part; a unit that is too long by itself is parted more finely."""
    parts: list[Span] = []
    start, last = span.start, span.start
    for end in ends:
        if end > start and not fits(text, _trim(text, start, end)):
            if last > start:
                parts.append(_trim(text, start, last))
                start = last
            if not fits(text, _trim(text, start, end)):
                parts += _part(text, _trim(text, start, end), finer)
                start = end
        last = end
    if span.end > start:
        parts.append(_trim(text, start, span.end))
    return [part for part in parts if len(part)]


def _hard(text: str, span: Span) -> Iterator[Span]:
    start = span.start
    while start < span.end:
        end = min(start + MAX_CHARACTERS, span.end)
        while not fits(text, Span(start, end)):
            end = start + max(1, (end - start) * MAX_TOKENS // estimate_tokens(text[start:end]))
        yield Span(start, end)
        start = end


def _trim(text: str, start: int, end: int) -> Span:
    content = text[start:end]
    stripped = content.strip()
    if not stripped:
        return Span(end, end)
    start += len(content) - len(content.lstrip())
    return Span(start, start + len(stripped))
