"""Notes' texts as rows of the index: parsed, cut in chunks, folded, their links resolved.

Each step is taken for some notes before the next one is begun. What a step needs then stays in the
processor's cache, which makes the whole a fifth faster than one note after the other.
Pure but for the clock of `Timings`. Must not know the disk or SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter

from knapper.index.storable import storable
from knapper.markup.chunk import chunk
from knapper.markup.note import Chunk, Parse
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


_NOTHING = Parse()


class Draft:
    """A note or canvas on its way to the rows that the index will hold of it, one step after the other.

    Without *names* its links are not resolved: those of unsaved texts are not stored.
    """

    __slots__ = (
        "_content",
        "_names",
        "_names_row",
        "_parsed",
        "_pieces",
        "_resolved",
        "_rows",
        "_state",
        "error",
        "note",
        "path",
        "text",
    )

    def __init__(self, path: NotePath, text: str, state: FileState, names: Names | None) -> None:
        self.path = path
        self.text = text
        self._state = state
        self._names = names
        self._content = Text(text)
        self._parsed = _NOTHING
        self._pieces: list[Chunk] = []
        self._rows: tuple[ChunkRow, ...] = ()
        self._names_row = NameRow("", "", "")
        self._resolved: tuple[tuple[str, NotePath | None], ...] = ()
        self.note: Note
        self.error: Exception | None = None

    def parse(self) -> None:
        """Read the text; that of a canvas is read as it is described."""
        if is_note(self.path):
            self._parsed = parse(self.text)

    def describe(self) -> None:
        """Say what the vault must know of it."""
        modified, size = self._state.mtime_ns / 1e9, self._state.size
        if is_note(self.path):
            note = note_of(self.path, self._content, self._parsed, modified, size)
        else:
            note = canvas_note(self.path, self._content, modified, size)
        self.note = storable(note)

    def cut(self) -> None:
        """Cut the text of a note in chunks."""
        if is_note(self.path):
            found = chunk(self.text, self._parsed, self.note.title or stem_of(self.path))
            pieces = [piece for piece in found if piece.span.start < MOST_TEXT]
            # A note without prose has one empty chunk: it is found by its names and tags all the same.
            self._pieces = pieces or [Chunk(Span(len(self.text), len(self.text)), "", (), 0, "")]

    def fold(self) -> None:
        """Fold all that is searched."""
        self._rows, self._names_row = _folded(self.note, self._content, self._pieces)

    def resolve(self) -> None:
        """Look up what the links mean."""
        if self._names is not None:
            self._resolved = resolve_links(self.note, self._names)

    def entry(self, digest: str = "") -> Entry:
        """What came of it; *digest* is that of the bytes the text was read from."""
        return Entry(self.note, self._rows, self._names_row, self._resolved, digest)


_STEPS: tuple[tuple[str, Callable[[Draft], None]], ...] = (
    ("parse", Draft.parse),
    ("parse", Draft.describe),
    ("fold", Draft.cut),
    ("fold", Draft.fold),
    ("resolve", Draft.resolve),
)


def work_out(drafts: Iterable[Draft], timings: Timings, begin: Callable[[Draft], None]) -> None:
    """Take every step for each of *drafts*, saying so to *begin*; what one of them raises is its `error`."""
    left = list(drafts)
    for phase, step in _STEPS:
        began = perf_counter()
        for draft in left:
            begin(draft)
            try:
                step(draft)
            except Exception as error:  # noqa: BLE001 -- A step must not fail, and if it does, it fails for one note.
                draft.error = error
        left = [draft for draft in left if draft.error is None]
        setattr(timings, phase, getattr(timings, phase) + perf_counter() - began)


def entry_of(path: NotePath, text: str, state: FileState, names: Names | None, timings: Timings) -> Entry:
    """All that the index will hold of one note or canvas, but its digest."""
    draft = Draft(path, text, state, names)
    work_out((draft,), timings, lambda _: None)
    if draft.error is not None:
        raise draft.error
    return draft.entry()


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
