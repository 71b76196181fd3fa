"""One note's text as rows of the index: parsed, cut in chunks, folded, its links resolved.

Pure but for the clock of `Timings`. Must not know the disk or SQL.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from knapper.index.storable import storable
from knapper.markup.chunk import chunk
from knapper.markup.note import Chunk
from knapper.markup.parse import parse
from knapper.store.rows import ChunkRow, Entry, FileState, NameRow
from knapper.text.fold import search_fold
from knapper.text.lines import Text
from knapper.vault.names import Names
from knapper.vault.note import Note, canvas_note, note_of
from knapper.vault.paths import NotePath, is_note, stem_of
from knapper.vault.resolve import head, ignorable, is_address, resolve_link

MOST_TEXT = 5_000_000
"""How many characters of a note are searched. Its links, headings and tags are all known."""


@dataclass(slots=True)
class Timings:
    """Where the seconds went, for the benchmark."""

    scan: float = 0.0
    read: float = 0.0  # opening, hashing, decoding
    parse: float = 0.0  # text to Parse to Note
    fold: float = 0.0  # chunks and their folded columns
    resolve: float = 0.0
    sql: float = 0.0


def entry_of(path: NotePath, text: str, state: FileState, names: Names | None, timings: Timings) -> Entry:
    """All that the index will hold of the note or canvas at *path*, but its digest.

    Without *names* its links are not resolved: those of unsaved texts are not stored.
    """
    began = perf_counter()
    modified = state.mtime_ns / 1e9
    if is_note(path):
        parsed, content = parse(text), Text(text)
        note = storable(note_of(path, content, parsed, modified, state.size))
        read = perf_counter()
        pieces = chunk(text, parsed, note.title or stem_of(path))
        rows = _chunk_rows(note, content, [piece for piece in pieces if piece.span.start < MOST_TEXT])
    else:
        note = storable(canvas_note(path, Text(text), modified, state.size))
        read = perf_counter()
        rows = ()
    name_row = _name_row(note)
    folded = perf_counter()
    resolved = resolve_links(note, names) if names is not None else ()
    timings.parse += read - began
    timings.fold += folded - read
    timings.resolve += perf_counter() - folded
    return Entry(note, rows, name_row, resolved)


def resolve_links(note: Note, names: Names) -> tuple[tuple[str, NotePath | None], ...]:
    """For each link its bucket and the file it means."""
    return tuple((bucket_of(link.target), resolve_link(names, note.path, link)) for link in note.links)


def bucket_of(target: str) -> str:
    """The folded name under which files are looked up for *target*; `""` if no file can ever be meant."""
    return "" if ignorable(target) or is_address(target) else head(target)


def _chunk_rows(note: Note, content: Text, pieces: list[Chunk]) -> tuple[ChunkRow, ...]:
    title = search_fold(note.title or stem_of(note.path))
    aliases = search_fold(" \n".join(note.aliases))
    tags = search_fold(" ".join(dict.fromkeys(tag.name for tag in note.tags)))
    folded: dict[str, str] = {}
    rows = []
    for piece in pieces:
        above = "\n".join(piece.headings)
        if above not in folded:
            folded[above] = search_fold(above)
        start = content.position(piece.span.start)
        rows.append(
            ChunkRow(
                piece.text, above, piece.span.start, piece.span.end, start.line, start.character,
                piece.digest, piece.tokens, title, aliases, tags, folded[above], search_fold(piece.text),
            )
        )  # fmt: skip
    return tuple(rows)


def _name_row(note: Note) -> NameRow:
    return NameRow(
        search_fold(note.title or stem_of(note.path)),
        search_fold("\n".join(note.aliases)),
        search_fold("\n".join(heading.text for heading in note.headings)),
    )
