"""What the notes of a vault are called, for finding their names in running text.

Names are kept as the pieces that they are read in: words, marks, and single characters of scripts that put no
blanks between words. Knows names; must not know what a mention is worth.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from knapper.search.stopwords import STOP_WORDS
from knapper.text.fold import cjk_runs, name_fold
from knapper.text.span import Span
from knapper.vault.note import Note
from knapper.vault.paths import NotePath, is_note, stem_of

_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_")
_SHORTEST, _SHORTEST_CJK = 3, 2  # characters
_LONGEST = 16  # pieces


class Named(NamedTuple):
    """A note by one of its names."""

    path: NotePath
    name: str
    is_alias: bool


class Mention(NamedTuple):
    """Where a text names notes: those that have this name, by path."""

    span: Span
    notes: tuple[Named, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """The names of all notes by their pieces, and by the first piece how long names are at most."""

    by_pieces: Mapping[tuple[str, ...], tuple[Named, ...]]
    longest: Mapping[str, int]

    @classmethod
    def of(cls, notes: Iterable[Note], hidden: Callable[[NotePath], bool] | None = None) -> Naming:
        """The file names, titles and aliases of *notes*, but for those that say nothing."""
        found: dict[tuple[str, ...], dict[NotePath, Named]] = {}
        longest: dict[str, int] = {}
        for note in notes:
            if not is_note(note.path) or (hidden and hidden(note.path)):
                continue
            for named in _names_of(note):
                pieces = tuple(piece for piece, _ in pieces_of(named.name))
                if _says_something(pieces):
                    found.setdefault(pieces, {}).setdefault(note.path, named)
                    longest[pieces[0]] = max(longest.get(pieces[0], 0), len(pieces))
        by_pieces = {pieces: tuple(named[path] for path in sorted(named)) for pieces, named in found.items()}
        return cls(by_pieces, longest)

    def mentions(self, text: str, within: Span, taken: Sequence[Span] = ()) -> Iterator[Mention]:
        """The names that stand *within* a stretch of *text*, outside of what is *taken* (merged, in order).

        The longest name counts: `Wood oven` in `the wood oven`, and not `Oven`.
        """
        pieces = list(pieces_of(text, within))
        starts = [span.start for span in taken]
        at = 0
        while at < len(pieces):
            length = self._length_at(pieces, at)
            if length:
                span = Span(pieces[at][1].start, pieces[at + length - 1][1].end)
                if not _overlaps(taken, starts, span):
                    yield Mention(span, self.by_pieces[tuple(piece for piece, _ in pieces[at : at + length])])
            at += max(length, 1)

    def _length_at(self, pieces: Sequence[tuple[str, Span]], at: int) -> int:
        """How many pieces from *at* on are the longest name there; 0 for none."""
        for length in range(min(self.longest.get(pieces[at][0], 0), len(pieces) - at), 0, -1):
            if tuple(piece for piece, _ in pieces[at : at + length]) in self.by_pieces:
                return length
        return 0


def pieces_of(text: str, within: Span | None = None) -> Iterator[tuple[str, Span]]:
    """The pieces of *text*, folded, and where they are: `Wood-oven 日本` is `wood - oven 日 本`."""
    within = within or Span(0, len(text))
    for match in _PIECE.finditer(text, within.start, within.end):
        written, start = match[0], match.start()
        at = 0
        for run_start, run_end in (*cjk_runs(written), (len(written), len(written))):
            if run_start > at:
                yield name_fold(written[at:run_start]), Span(start + at, start + run_start)
            for character in range(run_start, run_end):
                yield name_fold(written[character]), Span(start + character, start + character + 1)
            at = run_end


def _names_of(note: Note) -> Iterator[Named]:
    yield Named(note.path, stem_of(note.path), is_alias=False)
    if note.title:
        yield Named(note.path, note.title, is_alias=False)
    for alias in note.aliases:
        yield Named(note.path, alias, is_alias=True)


def _says_something(pieces: tuple[str, ...]) -> bool:
    """Whether a name can be told from running text: not `It`, not `2024`, not `The`."""
    if not pieces or len(pieces) > _LONGEST:
        return False
    letters = "".join(pieces)
    shortest = _SHORTEST_CJK if any(cjk_runs(letters)) else _SHORTEST
    return len(letters) >= shortest and not letters.isdigit() and not all(p in STOP_WORDS for p in pieces)


def _overlaps(taken: Sequence[Span], starts: Sequence[int], span: Span) -> bool:
    before = bisect_right(starts, span.end - 1) - 1
    return before >= 0 and taken[before].end > span.start
