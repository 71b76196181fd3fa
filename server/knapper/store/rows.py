"""What goes into an index, as plain values. Knows neither SQL nor the disk."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from knapper.markup.note import LinkKind
from knapper.vault.note import Note
from knapper.vault.paths import NotePath


class FileState(NamedTuple):
    """What a file looked like from outside: enough to see that it has changed, without reading it."""

    size: int
    mtime_ns: int
    inode: int


class KnownFile(NamedTuple):
    """A file as the index remembers it; `digest` is None until its text has been indexed."""

    state: FileState
    digest: str | None


class ChunkRow(NamedTuple):
    """One chunk: as written, and folded for searching. `line` and `character` say where `start` is."""

    text: str
    above: str  # the headings above it, one a line
    start: int
    stop: int
    line: int
    character: int
    digest: str
    tokens: int
    title: str
    aliases: str
    tags: str
    headings: str
    body: str


class NameRow(NamedTuple):
    """A note's names, folded, for search as one types."""

    title: str
    aliases: str
    headings: str


@dataclass(frozen=True, slots=True)
class Entry:
    """All that the index holds of one note.

    `resolved` has, for each link in order, its bucket (the target's folded base name) and the path it
    means, or None.
    """

    note: Note
    chunks: tuple[ChunkRow, ...]
    names: NameRow
    resolved: tuple[tuple[str, NotePath | None], ...] = ()
    digest: str = ""  # of the bytes it was read from

    def with_digest(self, digest: str) -> Entry:
        """The same, read from bytes with this digest."""
        return replace(self, digest=digest)


class LinkRow(NamedTuple):
    """A saved link, to be resolved again; it can be handed to `vault.resolve.resolve_link`."""

    note: int
    ord: int
    source: NotePath
    kind: LinkKind
    target: str
    markdown: bool
    resolved: NotePath | None
