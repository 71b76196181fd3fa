"""The outermost blocks of a note, as searching sees them: what is prose, and under which headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from knapper.markup.note import Parse
from knapper.text.span import Span

# Letters, digits and nothing else for so long are no word of any language.
_RUN = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{200,}+")
_HALF_RUN = re.compile(r"[A-Za-z0-9+/=]{100}")
_MIXED = (re.compile(r"[a-z]"), re.compile(r"[A-Z]"), re.compile(r"[0-9]"))
_LONG_JSON = 1000  # characters
_JSON_INFO = re.compile(r"[`~]*+[ \t]*+[\w-]*json\b", re.IGNORECASE)
_JSON_START = re.compile(r"[ \t\r\n]*+[\[{][ \t\r\n]*+[\"\[{]")


class Piece(NamedTuple):
    """A block without the blanks around it, and the indexes of the headings above (its own included)."""

    span: Span
    kind: str  # that of the region, "heading", or "text" for what is no region
    path: tuple[int, ...]


def find_pieces(text: str, parse: Parse) -> list[Piece]:
    """All prose of the note in order; headings open a path, data is left out."""
    data = _find_data(text, parse)
    pieces: list[Piece] = []
    path: tuple[int, ...] = ()
    at = parse.body
    for span, kind, index in _outermost(parse):
        if not text[at : span.start].isspace():
            pieces += _without_data(text, Piece(Span(at, span.start), "text", path), data)
        if kind == "heading":
            level = parse.headings[index].level
            path = (*(above for above in path if parse.headings[above].level < level), index)
        pieces += _without_data(text, Piece(span, kind, path), data)
        at = span.end
    pieces += _without_data(text, Piece(Span(at, len(text)), "text", path), data)
    return pieces


def _outermost(parse: Parse) -> Iterator[tuple[Span, str, int]]:
    """Headings and regions that lie in no other one, with the index of a heading."""
    found = [(heading.span, "heading", index) for index, heading in enumerate(parse.headings)]
    found += [(region.span, region.kind, -1) for region in parse.regions]
    found.sort(key=lambda item: (item[0].start, -item[0].end))
    end = parse.body
    for item in found:
        if item[0].start >= end:
            yield item
            end = item[0].end


def _find_data(text: str, parse: Parse) -> list[Span]:
    found = [
        region.span
        for region in parse.regions
        if region.kind == "code" and len(region.span) > _LONG_JSON and _is_json(text, region.span)
    ]
    # Wherever such a run lies, it holds the whole of one of these hundreds: there is rarely more to look for.
    if not any(_HALF_RUN.match(text, at) for at in range(parse.body, len(text), 100)):
        return sorted(found)
    for run in _RUN.finditer(text, parse.body):
        head = text[run.start() : run.start() + 200]
        if all(sort.search(head) for sort in _MIXED):
            found.append(Span(*run.span()))
    return sorted(found)


def _is_json(text: str, fence: Span) -> bool:
    if text[fence.start] not in "`~":
        return False  # Indented code or a command of Templater: what it holds is not declared to be data.
    first_line = text[fence.start : fence.start + 80].partition("\n")[0]
    if _JSON_INFO.match(first_line):
        return True
    return _JSON_START.match(text, fence.start + len(first_line)) is not None


def _without_data(text: str, piece: Piece, data: list[Span]) -> Iterable[Piece]:
    """The parts of *piece* between the data in it; *data* loses what lies before its end."""
    if piece.kind != "text" and not (data and data[0].start < piece.span.end):
        return (piece,)
    parts: list[Piece] = []
    at, end = piece.span.start, piece.span.end
    while data and data[0].start < end:
        parts += _trimmed(text, piece._replace(kind="text", span=Span(at, max(at, data[0].start))))
        at = max(at, min(data[0].end, end))
        if data[0].end > end:
            break
        data.pop(0)
    kind = piece.kind if at == piece.span.start else "text"
    return [*parts, *_trimmed(text, piece._replace(kind=kind, span=Span(at, end)))]


def _trimmed(text: str, piece: Piece) -> Iterator[Piece]:
    content = piece.span.of(text)
    stripped = content.strip()
    if stripped:
        start = piece.span.start + len(content) - len(content.lstrip())
        yield piece._replace(span=Span(start, start + len(stripped)))
