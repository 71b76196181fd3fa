"""What a selection grows to: word, part of a link, link, paragraph, block, sections, note."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from knapper.ide.locate import touching
from knapper.ide.open_note import OpenNote
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Link
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath

_WORD = re.compile(r"\w+")
_LONGEST_WORD = 200  # characters to either side of the cursor


def selection(snap: Snapshot, path: NotePath, offsets: Iterable[int]) -> list[tuple[Place, ...]]:
    """For each offset the places around it, the innermost first; each lies inside the next.

    In `## A` / `see [[Ada|her<cursor>]]` these are `her`, the link, the paragraph, the section, the note.
    """
    opened = snap.document(path)
    if opened is None:
        return [() for _ in offsets]
    return [tuple(opened.place(span) for span in _growing(opened, offset)) for offset in offsets]


def _growing(opened: OpenNote, offset: int) -> list[Span]:
    """The spans around *offset*, each larger than the one before."""
    whole = Span(0, len(opened.text))
    around = {span for span in _around(opened, offset) if span.holds(offset) and span != whole}
    grown: list[Span] = []
    for span in sorted(around, key=len):
        if len(span) and (not grown or span.covers(grown[-1])):
            grown.append(span)
    return [*grown, whole]


def _around(opened: OpenNote, offset: int) -> Iterator[Span]:
    parse = opened.parse
    yield from _word(opened, offset)
    if link := touching(parse.links, offset):
        yield from _parts(link)
    around = (touching(things, offset) for things in (parse.addresses, parse.tags, parse.properties))
    yield from (thing.span for thing in around if thing)
    for heading in parse.headings:
        yield from (heading.text_span, heading.span, heading.section)
    yield from (region.span for region in parse.regions)


def _word(opened: OpenNote, offset: int) -> Iterator[Span]:
    content = opened.text.content
    low, high = max(0, offset - _LONGEST_WORD), min(len(content), offset + _LONGEST_WORD)
    for match in _WORD.finditer(content, low, high):
        yield Span(*match.span())


def _parts(link: Link) -> Iterator[Span]:
    yield link.target_span
    if link.subpath_span:
        yield link.subpath_span
        yield Span(min(link.target_span.start, link.subpath_span.start), link.subpath_span.end)
    if link.display_span:
        yield link.display_span
    yield link.span
