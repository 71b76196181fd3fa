"""A note in pieces for searching.

Cut along headings, then blocks, then items, lines and sentences. Every character that is prose belongs to
exactly one chunk; frontmatter and data (drawings, base64, long JSON) belong to none. Boundaries depend on
nothing but the text, and an edit moves few of them.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from knapper.markup.measure import Measure
from knapper.markup.note import Chunk, Parse
from knapper.markup.pieces import Piece, find_pieces
from knapper.markup.split import may_part, split
from knapper.text.span import Span

CHUNKER_VERSION = 1
"""To be raised whenever the same text would give other chunks."""

_SMALL = 200  # Chunks with fewer characters join a neighbour under the same heading.
_ENOUGH = 750  # A chunk with so many characters takes no further block.
_NEIGHBOURS = 4  # With how many blocks on either side an anchor is compared.


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
        for span in _pack(measure, _units(measure, parse, list(pieces))):
            _add(measure, drafts, _Draft(span, path))
    return tuple(_chunk(measure, parse, title, draft) for draft in drafts)


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
    """Whole units together, until there is enough; in long sections a chunk also ends before an anchor.

    Anchors are units whose beginnings hash lower than those around: they stay where they are when the
    length of a unit changes, so that not all chunks behind an edit become others.
    """
    if not units:
        return
    whole = Span(units[0].start, units[-1].end)
    anchors = set() if measure.fits(whole) else _anchors(measure.text, units)
    current = units[0]
    for index, unit in enumerate(units[1:], start=1):
        joined = Span(current.start, unit.end)
        room = len(current) < _ENOUGH and index not in anchors
        if room and measure.fits(joined) and _adjoin(measure.text, current, unit):
            current = joined
        else:
            yield current
            current = unit
    yield current


def _anchors(text: str, units: list[Span]) -> set[int]:
    hashes = [
        zlib.crc32(text[unit.start : min(unit.end, unit.start + 16)].encode("utf-8", "replace"))
        for unit in units
    ]
    return {
        index
        for index, value in enumerate(hashes)
        if value <= min(hashes[max(index - _NEIGHBOURS, 0) : index + _NEIGHBOURS + 1])
    }


def _add(measure: Measure, drafts: list[_Draft], draft: _Draft) -> None:
    """Add *draft*, joined with the one before if one of them is small and they are neighbours."""
    if drafts:
        last = drafts[-1]
        joined = Span(last.span.start, draft.span.end)
        path = _common_path(last.path, draft.path)
        small = len(last.span) < _SMALL or len(draft.span) < _SMALL
        if (
            path is not None
            and small
            and measure.fits(joined)
            and _adjoin(measure.text, last.span, draft.span)
        ):
            drafts[-1] = _Draft(joined, path)
            return
    drafts.append(draft)


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
