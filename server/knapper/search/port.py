"""What a search asks of a full-text index: the one seam between ranking and where the rows lie.

Plain data only. Notes and chunks are known by the numbers the index gives them, which hold for one
state of it. Scores are positive, more is better. An implementation shows the unsaved rows of its own
server instead of the saved ones, and never those of others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from knapper.vault.paths import NotePath

Vector = NDArray[np.float32]
Ranked = list[tuple[int, int, float]]
"""Chunk, its note, score; best first."""


class Passage(Protocol):
    """A chunk with what is shown of it, as written."""

    @property
    def path(self) -> NotePath:
        """The note's path."""

    @property
    def title(self) -> str:
        """The note's title, which is its name if it has none of its own."""

    @property
    def aliases(self) -> tuple[str, ...]:
        """The note's other names."""

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings above the chunk, outermost first."""

    @property
    def text(self) -> str:
        """The chunk's text."""

    @property
    def line(self) -> int:
        """The line of the chunk's first character, from 0."""

    @property
    def character(self) -> int:
        """The UTF-16 column of the chunk's first character."""


class NoteFacts(Protocol):
    """What says how much a note matters, apart from any query."""

    @property
    def path(self) -> NotePath:
        """The note's path."""

    @property
    def day(self) -> date:
        """The note's date: that of its name, else of its properties, else of its file."""

    @property
    def tags(self) -> frozenset[str]:
        """The note's tags as `vault.paths.key` compares them."""

    @property
    def importance(self) -> float | None:
        """The property `importance`, if it is a number."""

    @property
    def pinned(self) -> bool:
        """Whether the property `pinned` is true."""


class Meaning(Protocol):
    """Passages by what they mean: vectors of one model, and the vector of a query by the same."""

    def vector(self, text: str) -> tuple[Vector | None, str]:
        """The vector of a query; or None and why, in a sentence. Waits a moment at most."""

    def nearest(
        self, vector: Vector, limit: int, among: Collection[int] | None, without: Collection[int]
    ) -> Ranked:
        """The chunks nearest to *vector*, each with its cosine, of notes *among* and not *without*."""

    def drawn(self, vector: Vector, chunks: Collection[int], amount: float) -> Vector:
        """*vector* with the mean of the vectors of *chunks* added *amount* times, of length 1."""

    @property
    def remark(self) -> str:
        """What is to be said about these vectors: that some are still missing, say. Or nothing."""


class Reranker(Protocol):
    """Says how well passages answer a query, by reading both."""

    def scores(self, query: str, passages: Sequence[str]) -> tuple[Sequence[float] | None, str]:
        """A score for each passage, more is better; or None and why, in a sentence."""


class LexicalIndex(Protocol):
    """A full-text index over chunks. A *needle* is folded text whose words must stand together."""

    def one_state(self) -> AbstractContextManager[None]:
        """What is asked inside is answered from one state of the index: the numbers hold."""

    def ranked(
        self,
        needles: Sequence[str],
        limit: int,
        *,
        every: bool = False,
        among: Collection[int] | None = None,
        without: Collection[int] = (),
    ) -> Ranked:
        """The best chunks that hold any (or `every`) needle."""

    def held(self, needle: str) -> bool:
        """Whether any chunk holds *needle*."""

    def terms_near(self, word: str) -> tuple[str, list[str]]:
        """The stem of *word* as the index stores it, and indexed stems that look somewhat like it."""

    def names_beginning(self, needles: Sequence[str], limit: int, without: Collection[int] = ()) -> Ranked:
        """Notes whose title, aliases or headings hold all *needles*, the last one as a beginning.

        Each comes as its first chunk, itself and a score, best first.
        """

    def notes_holding(self, needle: str, *, in_title: bool = False) -> frozenset[int]:
        """The notes that hold *needle*, anywhere or in their title or aliases."""

    def notes_tagged(self, tag: str) -> frozenset[int]:
        """The notes with *tag* or a tag nested in it, letter case aside."""

    def notes_dated(self, first: date, last: date) -> frozenset[int]:
        """The notes whose date lies from *first* to *last*."""

    def notes_where(self, test: Callable[[NotePath], bool]) -> frozenset[int]:
        """The notes whose path passes *test*."""

    def latest(self, notes: Collection[int], limit: int, without: Collection[int] = ()) -> Ranked:
        """The first chunk of each of *notes*, the latest note first; the score is 0."""

    def passages(self, chunks: Sequence[int]) -> Mapping[int, Passage]:
        """What is shown of *chunks*."""

    def matched_words(self, needles: Sequence[str], chunks: Sequence[int]) -> Mapping[int, frozenset[str]]:
        """The folded words by which each of *chunks* was found, as they stand in its text."""

    def unseen(self) -> frozenset[int]:
        """The notes that must not be seen: others' unsaved ones, and saved ones under an own unsaved one."""

    def facts(self, notes: Collection[int]) -> Mapping[int, NoteFacts]:
        """What says how much *notes* matter."""

    def interrupt(self) -> None:
        """Stop the statement that runs, from another thread; it raises `Cancelled`."""
