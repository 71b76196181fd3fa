"""A note in pieces for searching.

Cut along headings, then blocks, then items, lines and sentences. Every character that is prose belongs to
exactly one chunk; frontmatter and data (drawings, base64, long JSON) belong to none. Boundaries depend on
nothing but the text, and an edit moves few of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from knapper.markup.measure import Measure
from knapper.markup.note import Chunk, Parse
from knapper.markup.parting import parted
from knapper.markup.pieces import Piece, find_pieces
from knapper.markup.split import may_part, split
from knapper.text.span import Span

CHUNKER_VERSION = 2
"""To be raised whenever the same text would give other chunks."""

_SMALL = 200  # Chunks with fewer characters join a neighbour under the same heading.


class _Draft(NamedTuple):
    """A chunk to be: a span, and the indexes in `parse.headings` of the headings above it."""

    span: Span
    path: tuple[int, ...]


def chunk(text: str, parse: Parse, title: str) -> tuple[Chunk, ...]:
    r"""The chunks of a note, in order.

    `# Trees\n\nOaks …\n\n## Bark\n\nIt …` gives one chunk below `("Trees",)` and one below `("Trees",
    "Bark")`; where one of them is small, one chunk below `("Trees",)` holds both. A first heading that only
    repeats *title* is left out of the paths.
    """
    measure = Measure(text)
    drafts: list[_Draft] = []
    for path, pieces in groupby(find_pieces(text, parse), key=attrgetter("path")):
        spans = _pack(measure, _units(measure, parse, list(pieces)))
        drafts += [_Draft(span, path) for span in spans]
    return tuple(_chunk(measure, parse, title, draft) for draft in _join(measure, parse, drafts))


def _units(measure: Measure, parse: Parse, pieces: list[Piece]) -> list[Span]:
    """What is not parted further: blocks with their headings, parts of long ones, lists with lead-ins."""
    units: list[Span] = []
    before = ""
    for piece in pieces:
        if not measure.fits(piece.span) and measure.text[piece.span.start : piece.span.end].isspace():
            continue  # Blanks that are no blanks to Markdown, such as U+2028: parting them leaves nothing.
        whole = piece
        if before == "heading" or (before == "paragraph" and piece.kind == "list"):
            whole = piece._replace(span=Span(units[-1].start, piece.span.end))
            if not _adjoin(measure.text, units[-1], piece.span) or not (
                measure.fits(whole.span) or may_part(piece.kind) or not measure.fits(piece.span)
            ):
                whole = piece
        if whole is not piece:
            units.pop()
        units += [whole.span] if measure.fits(whole.span) else split(measure, parse, whole)
        before = piece.kind
    return units


def _pack(measure: Measure, units: list[Span]) -> Iterator[Span]:
    """Units that nothing but blanks lies between, together as far as they fit."""
    start = 0
    for index in range(1, len(units) + 1):
        if index == len(units) or not _adjoin(measure.text, units[index - 1], units[index]):
            some = units[start:index]
            for first, end in parted(measure, some):
                yield Span(some[first].start, some[end - 1].end)
            start = index


def _join(measure: Measure, parse: Parse, drafts: list[_Draft]) -> list[_Draft]:
    """Small chunks joined with each other, and what that gives with a neighbour, as far as they fit."""
    joined: list[tuple[_Draft, bool]] = []
    for small, run in groupby(drafts, key=_small):
        some = list(run)
        joined += [(draft, small) for draft in (_together(measure, parse, some) if small else some)]
    done = joined[:1]
    for at, (draft, small) in enumerate(joined[1:], start=1):
        last, last_small = done[-1]
        behind = joined[at + 1][0] if at + 1 < len(joined) else None
        both = _both(measure, last, draft)
        if both and (last_small or (small and not _begins(measure, draft, behind))):
            done[-1] = both, False
        else:
            done.append((draft, small))
    return [draft for draft, _ in done]


def _together(measure: Measure, parse: Parse, small: list[_Draft]) -> Iterator[_Draft]:
    """Neighbours that are all small, parted where the highest headings stand."""
    levels = [parse.headings[draft.path[-1]].level if draft.path else 0 for draft in small]
    for first, end in parted(measure, [draft.span for draft in small], levels):
        last = small[first]
        for draft in small[first + 1 : end]:
            both = _both(measure, last, draft)
            if both is None:
                yield last
            last = both or draft
        yield last


def _small(draft: _Draft) -> bool:
    return len(draft.span) < _SMALL


def _begins(measure: Measure, draft: _Draft, behind: _Draft | None) -> bool:
    """Whether *behind* stands in the section that *draft* begins, and they may be one chunk."""
    return (
        behind is not None
        and len(behind.path) > len(draft.path) == len(_common_path(draft.path, behind.path) or ())
        and _both(measure, draft, behind) is not None
    )


def _both(measure: Measure, first: _Draft, second: _Draft) -> _Draft | None:
    """The two as one chunk, if they may be one."""
    path = _common_path(first.path, second.path)
    whole = Span(first.span.start, second.span.end)
    if path is None or not measure.fits(whole) or not _adjoin(measure.text, first.span, second.span):
        return None
    return _Draft(whole, path)


def _common_path(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...] | None:
    """The heading that two sections stand under: their own, the first one, or the parent of both."""
    if second[: len(first)] == first:
        return first
    if first and second and first[:-1] == second[:-1]:
        return first[:-1]
    return None


def _adjoin(text: str, first: Span, second: Span) -> bool:
    """Whether nothing but blanks lies between, and not data that was left out."""
    return not text[first.end : second.start].strip()


def _chunk(measure: Measure, parse: Parse, title: str, draft: _Draft) -> Chunk:
    headings = tuple(parse.headings[index].text for index in draft.path)
    if headings and headings[0].casefold() == title.casefold():
        headings = headings[1:]
    content = draft.span.of(measure.text).rstrip()
    span = Span(draft.span.start, draft.span.start + len(content))
    hashed = "\x1f".join((*headings, content)).encode("utf-8", "surrogatepass")
    digest = hashlib.blake2b(hashed, digest_size=16).hexdigest()
    return Chunk(span, content, headings, measure.tokens(span), digest)
