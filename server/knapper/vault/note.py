"""A note as the vault knows it: what other notes and the index need of it, without its text.

All places are positions in the text the note was made from. Made from a `Parse` by `note_of`, or read
back from the index; both give equal values.
"""

from __future__ import annotations

from dataclasses import dataclass

from knapper.markup.note import LinkKind, Parse
from knapper.text.lines import Text
from knapper.text.span import Place
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


def note_of(path: NotePath, text: Text, parse: Parse, modified: float = 0.0, size: int = 0) -> Note:
    """The note at *path* with this text and parse."""
    raise NotImplementedError
