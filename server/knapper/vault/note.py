"""A note as the vault knows it: what other notes and the index need of it, without its text.

All places are positions in the text the note was made from. Made from a `Parse` by `note_of`, or read
back from the index; both give equal values.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from knapper.markup.canvas import canvas_links
from knapper.markup.note import BlockId, Heading, Link, LinkKind, Parse
from knapper.text.lines import Text
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath


@dataclass(frozen=True, slots=True)
class NoteLink:
    """A link of a note. `text` is the link exactly as written, `context` the line around it, trimmed."""

    kind: LinkKind
    text: str
    target: str
    subpath: str | None
    display: str | None
    markdown: bool
    place: Place
    context: str


@dataclass(frozen=True, slots=True)
class NoteHeading:
    """A heading; `place` is the whole heading, `section_end` the line after its section's last one."""

    level: int
    text: str
    place: Place
    section_end: int


@dataclass(frozen=True, slots=True)
class NoteBlock:
    """A block that has an id: `place` is the id with its caret, `block` what it names."""

    id: str
    place: Place
    block: Place
    text: str  # the start of the block, for completion and hovers


@dataclass(frozen=True, slots=True)
class NoteTag:
    """A tag as written, without `#`."""

    name: str
    place: Place
    in_properties: bool


@dataclass(frozen=True, slots=True)
class NoteProperty:
    """A property with its scalar values as written."""

    name: str
    kind: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A note, or a canvas (which has only links), as the vault knows it."""

    path: NotePath
    title: str | None = None  # None: the file name is the title
    aliases: tuple[str, ...] = ()
    headings: tuple[NoteHeading, ...] = ()
    blocks: tuple[NoteBlock, ...] = ()
    tags: tuple[NoteTag, ...] = ()
    links: tuple[NoteLink, ...] = ()
    properties: tuple[NoteProperty, ...] = ()
    modified: float = 0.0  # seconds since 1970, of the file
    size: int = 0  # bytes


_CONTEXT = 240  # characters
_BLOCK_TEXT = 120


def note_of(path: NotePath, text: Text, parse: Parse, modified: float = 0.0, size: int = 0) -> Note:
    """The note at *path* with this text and parse."""
    return Note(
        path=path,
        title=parse.title,
        aliases=parse.aliases,
        headings=tuple(_heading(text, heading) for heading in parse.headings),
        blocks=tuple(_block(text, block) for block in parse.block_ids if block.valid),
        tags=tuple(
            NoteTag(sys.intern(tag.name), text.place(tag.span), tag.in_properties) for tag in parse.tags
        ),
        links=_links(text, parse.links),
        properties=tuple(
            NoteProperty(sys.intern(item.name), sys.intern(item.kind), item.values)
            for item in parse.properties
        ),
        modified=modified,
        size=size,
    )


def canvas_note(path: NotePath, text: Text, modified: float = 0.0, size: int = 0) -> Note:
    """The canvas at *path*, a note that has only links: to the files on it. They have no context."""
    links = tuple(_link(text, link, text.place(link.span), "") for link in canvas_links(text.content))
    return Note(path=path, links=links, modified=modified, size=size)


def _links(text: Text, links: tuple[Link, ...]) -> tuple[NoteLink, ...]:
    """The links; those on one line share its context, for many notes have lines of many links."""
    made: list[NoteLink] = []
    shared: dict[str, str] = {}
    for link in links:
        place = text.place(link.span)
        context = _context(text, link.span, place)
        made.append(_link(text, link, place, shared.setdefault(context, context)))
    return tuple(made)


def _link(text: Text, link: Link, place: Place, context: str) -> NoteLink:
    return NoteLink(
        kind=link.kind,
        text=link.span.of(text.content),
        target=sys.intern(link.target),
        subpath=link.subpath,
        display=link.display,
        markdown=link.markdown,
        place=place,
        context=context,
    )


def context_of(text: Text, span: Span) -> str:
    """What stands around *span* on its lines, trimmed to 240 characters with the span in the middle."""
    return _context(text, span, text.place(span))


def _context(text: Text, span: Span, place: Place) -> str:
    start = text.line_starts[place.line]
    end = text.line_span(place.end_line).end
    if end - start > _CONTEXT:
        margin = max(0, _CONTEXT - len(span)) // 2
        low = max(start, min(span.start - margin, end - _CONTEXT))
        start, end = low, min(end, low + _CONTEXT)
    return text.content[start:end].strip()


def _heading(text: Text, heading: Heading) -> NoteHeading:
    end = heading.section.end
    line = text.line_of(end)
    section_end = line if end == text.line_starts[line] else line + 1
    return NoteHeading(heading.level, heading.text, text.place(heading.span), section_end)


def _block(text: Text, block: BlockId) -> NoteBlock:
    start, end = block.block.start, block.block.end
    if start <= block.span.start < end:
        end = block.span.start
    words = text.content[start : min(end, start + 4 * _BLOCK_TEXT)].split()
    return NoteBlock(block.id, text.place(block.span), text.place(block.block), " ".join(words)[:_BLOCK_TEXT])
