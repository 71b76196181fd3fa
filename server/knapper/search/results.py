"""What a search gives back. Frozen, plain, and complete: a hit needs no second look at the index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from knapper.text.span import Place
from knapper.vault.paths import NotePath


class Stage(NamedTuple):
    """What one stage of a search gave a hit: its rank there, from 1, and what that added to the score.

    `value` is what the stage itself measured, where that is another number: the score of the words, a
    cosine, the reranker's score, the factor of salience.
    """

    name: str
    rank: int
    score: float
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A note and its best passage. The scores of `trace` add up to `score`.

    `heading` is the path of headings above the passage (`Bread > Sourdough`), `place` the matched words in
    the note, `snippet` the text around them as written, on one line.
    """

    path: NotePath
    title: str
    heading: str
    place: Place
    snippet: str
    score: float
    trace: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """Hits, best first; `remarks` are sentences on how the query was read and what was left out."""

    hits: tuple[Hit, ...] = ()
    remarks: tuple[str, ...] = ()
