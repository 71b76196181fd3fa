"""Short texts of all notes of a vault, to be looked through at once: headings, and blocks with an id.

Knows texts and which note has them. A change adds to the end and leaves out what the changed notes had, so
that a save costs nothing; when much has changed it is made again.

Invariant: after any changes it finds what one made from scratch finds, perhaps in another order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Self

from knapper.base.cancel import CancelToken
from knapper.text.fold import name_fold
from knapper.vault.note import Note
from knapper.vault.paths import NotePath

Texts = Callable[[Note], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Found:
    """The text number *index* of the note at *path*."""

    path: NotePath
    index: int


@dataclass(frozen=True, slots=True)
class _Layer:
    """Folded texts, one a line, with the offset at which each note's begin."""

    lines: str
    starts: tuple[int, ...]
    paths: tuple[NotePath, ...]

    @classmethod
    def of(cls, notes: Iterable[Note], texts: Texts) -> Self:
        parts: list[str] = []
        starts: list[int] = []
        paths: list[NotePath] = []
        size = 0
        for note in notes:
            own = "".join(f"{_one_line(text)}\n" for text in texts(note))
            if own:
                starts.append(size)
                paths.append(note.path)
                parts.append(own)
                size += len(own)
        return cls("".join(parts), tuple(starts), tuple(paths))

    def search(self, word: str) -> Iterator[tuple[str, Found]]:
        """The lines that hold *word*, each with what it is."""
        at = self.lines.find(word)
        while at >= 0:
            note = bisect_right(self.starts, at) - 1
            index = self.lines.count("\n", self.starts[note], at)
            end = self.lines.index("\n", at)
            yield self.lines[self.lines.rfind("\n", 0, at) + 1 : end], Found(self.paths[note], index)
            at = self.lines.find(word, end)


def _one_line(text: str) -> str:
    return name_fold(text).replace("\n", " ")


@dataclass(frozen=True, slots=True)
class Haystack:
    """The texts of a vault in layers, the oldest first; a note counts in the last layer that names it."""

    layers: tuple[_Layer, ...]
    hidden: tuple[frozenset[NotePath], ...]  # for each layer the notes that changed since

    @classmethod
    def of(cls, notes: Iterable[Note], texts: Texts) -> Self:
        """All texts, from scratch."""
        return cls((_Layer.of(notes, texts),), (frozenset(),))

    def changed(self, notes: Iterable[Note], gone: Collection[NotePath], texts: Texts) -> Self | None:
        """The texts after these notes changed, or None when it is time to make it again."""
        new = list(notes)
        touched = {note.path for note in new} | set(gone)
        if sum(map(len, self.hidden)) + len(touched) > _PATCHED or len(self.layers) > _LAYERS:
            return None
        hidden = tuple(layer | touched for layer in self.hidden)
        return replace(self, layers=(*self.layers, _Layer.of(new, texts)), hidden=(*hidden, frozenset()))

    def search(self, query: str, limit: int, token: CancelToken) -> list[tuple[str, Found]]:
        """Up to *limit* texts that hold every word of *query*, folded, with where they are.

        The limit bounds the work: with one letter typed nearly every text matches.
        """
        words = sorted(name_fold(query).split(), key=len, reverse=True)
        if not words:
            return []
        found: list[tuple[str, Found]] = []
        for layer, hidden in zip(reversed(self.layers), reversed(self.hidden), strict=True):
            for line, place in layer.search(words[0]):
                if place.path not in hidden and all(word in line for word in words[1:]):
                    found.append((line, place))
                    if len(found) >= limit:
                        return found
            token.check()
        return found


_PATCHED = 500
_LAYERS = 50
