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
from knapper.text.span import Span
from knapper.vault.names import Names
from knapper.vault.note import Note, canvas_note, note_of
from knapper.vault.paths import NotePath, is_note, stem_of
from knapper.vault.resolve import head, ignorable, is_address, resolve_link

MOST_TEXT = 5_000_000
"""How many characters of a note are searched. Its links, headings and tags are all known."""


_SEPARATOR = "\x1f"


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
    content = Text(text)
    pieces: list[Chunk] = []
    if is_note(path):
        parsed = parse(text)
        note = storable(note_of(path, content, parsed, modified, state.size))
        read = perf_counter()
        found = chunk(text, parsed, note.title or stem_of(path))
        pieces = [piece for piece in found if piece.span.start < MOST_TEXT]
        # A note without prose has one empty chunk: it is found by its names and tags all the same.
        pieces = pieces or [Chunk(Span(len(text), len(text)), "", (), 0, "")]
    else:
        note = storable(canvas_note(path, content, modified, state.size))
        read = perf_counter()
    rows, names_row = _folded(note, content, pieces)
    folded = perf_counter()
    resolved = resolve_links(note, names) if names is not None else ()
    timings.parse += read - began
    timings.fold += folded - read
    timings.resolve += perf_counter() - folded
    return Entry(note, rows, names_row, resolved)


def resolve_links(note: Note, names: Names) -> tuple[tuple[str, NotePath | None], ...]:
    """For each link its bucket and the file it means."""
    return tuple((bucket_of(link.target), resolve_link(names, note.path, link)) for link in note.links)


def bucket_of(target: str) -> str:
    """The folded name under which files are looked up for *target*; `""` if no file can ever be meant."""
    return "" if ignorable(target) or is_address(target) else head(target)


def _folded(note: Note, content: Text, pieces: list[Chunk]) -> tuple[tuple[ChunkRow, ...], NameRow]:
    """The rows that searching needs. All texts of the note are folded in one go, which is a third faster."""
    above = ["\n".join(piece.headings) for piece in pieces]
    wanted = (
        note.title or stem_of(note.path),
        "\n".join(_other_names(note)),
        " ".join(dict.fromkeys(tag.name for tag in note.tags)),
        "\n".join(heading.text for heading in note.headings),
    )
    title, aliases, tags, headings, *rest = fold_all([*wanted, *above, *(piece.text for piece in pieces)])
    rows = []
    for index, piece in enumerate(pieces):
        start = content.position(piece.span.start)
        rows.append(
            ChunkRow(
                piece.text, above[index], piece.span.start, piece.span.end, start.line, start.character,
                piece.digest, piece.tokens, title, aliases, tags, rest[index], rest[len(pieces) + index],
            )
        )  # fmt: skip
    return tuple(rows), NameRow(title, aliases, headings)


def _other_names(note: Note) -> tuple[str, ...]:
    """The aliases, and the file name where a title stands in its place: people search for either."""
    return (*note.aliases, stem_of(note.path)) if note.title else note.aliases


def fold_all(texts: list[str]) -> list[str]:
    """`search_fold` of each of *texts*. A separator that is no letter keeps them apart."""
    folded = search_fold(_SEPARATOR.join(texts)).split(_SEPARATOR)
    return folded if len(folded) == len(texts) else [search_fold(text) for text in texts]
