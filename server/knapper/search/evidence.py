"""How like other notes are to one note by words alone: how much the words that a passage shares tell.

Words that few hold tell much; what chance alone would bring up about once in the whole vault tells nothing.
Knows numbers of chunks and notes, and how long chunks are; must not know texts, paths, links or vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knapper.search.distinctive import SMALL, Distinct
from knapper.search.likeness import Likeness
from knapper.search.matrix import Numbers

CHANCE, CERTAIN = 1.0, 4.0
"""The evidence that is none and that is all one can ask for, as parts of the logarithm of the chunks.

A word held by one in a hundred brings up one in a hundred by chance: the sum of the logarithms must be that
of all chunks, or the passage could as well be any.
"""
_LOOKED_AT = 100  # So many chunks at most are weighed by their length.
_TYPICAL = 600  # characters of a chunk, which neither gains nor loses by its length
_SATURATION, _LENGTH = 1.2, 0.6  # k1 and b of BM25

Weights = NDArray[np.float64]
Holders = Mapping[str, Sequence[tuple[int, int]]]
"""For each needle the chunks that hold it, each with its note."""
Lengths = Callable[[Sequence[int]], Mapping[int, int]]
"""The characters of chunks."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The passages among which likeness by words is looked for: how many, how long, and in what notes not."""

    chunks: int
    lengths: Lengths
    without: Collection[int]


@dataclass(frozen=True, slots=True)
class _Held:
    """Chunks that hold words, in order: the note of each, and where its stretch of `numbers` begins."""

    chunks: Numbers
    notes: Numbers
    starts: Numbers
    numbers: Numbers

    def of(self, at: int) -> Numbers:
        """The numbers of the words that the chunk *at* this place holds."""
        return self.numbers[self.starts[at] : self.starts[at + 1]]

    def of_chunk(self, chunk: int) -> Numbers:
        """The numbers of the words that *chunk* holds."""
        at = int(np.searchsorted(self.chunks, chunk))
        there = at < len(self.chunks) and self.chunks[at] == chunk
        return self.of(at) if there else self.numbers[:0]


def by_words(
    words: Sequence[Distinct], holders: Holders, source: Sequence[int], corpus: Corpus, most: int
) -> list[Likeness]:
    """The *most* notes with a chunk that shares more of *words* than chance makes it, best first.

    A note is as like as its best chunk. `source` of a likeness is the chunk that shares the most with it.
    """
    held = _held([holders[word.needle] for word in words])
    weights = np.array([word.weight for word in words])
    floor, ceiling = (times * math.log(max(corpus.chunks, SMALL)) for times in (CHANCE, CERTAIN))
    best: dict[int, tuple[float, int]] = {}
    for at, value in _weighed(held, weights, corpus):
        note = int(held.notes[at])
        if value > max(best.get(note, (0.0, 0))[0], floor):
            best[note] = (value, at)
    own = {chunk: held.of_chunk(chunk) for chunk in source}
    return [
        Likeness(
            note=note,
            score=min((value - floor) / (ceiling - floor), 1.0),
            source=_nearest(own, held.of(at), weights),
            target=int(held.chunks[at]),
            near=min(value / ceiling, 1.0),
            noise=floor / ceiling,
        )
        for note, (value, at) in sorted(best.items(), key=lambda item: (-item[1][0], item[0]))[:most]
    ]


def _held(holders: Sequence[Sequence[tuple[int, int]]]) -> _Held:
    """What each chunk holds, from what holds each word."""
    rows = np.array([row for some in holders for row in some], np.int64).reshape(-1, 2)
    numbers = np.repeat(np.arange(len(holders)), [len(some) for some in holders])
    order = np.argsort(rows[:, 0], kind="stable")
    chunks, starts = np.unique(rows[order, 0], return_index=True)
    return _Held(chunks, rows[order[starts], 1], np.append(starts, len(rows)), numbers[order])


def _weighed(held: _Held, weights: Weights, corpus: Corpus) -> list[tuple[int, float]]:
    """The chunks with the most evidence, each by its place and with what it is worth in so short a text."""
    summed = np.add.reduceat(weights[held.numbers], held.starts[:-1]) if len(held.chunks) else weights[:0]
    others = np.flatnonzero(~np.isin(held.notes, list(corpus.without)))
    most = others[np.argsort(-summed[others], kind="stable")[:_LOOKED_AT]]
    lengths = corpus.lengths(held.chunks[most].tolist())
    return [
        (int(at), float(summed[at]) * _by_length(lengths.get(int(held.chunks[at]), _TYPICAL))) for at in most
    ]


def _by_length(length: int) -> float:
    """What words in a chunk of so many characters are worth: more in a short one, which is about less."""
    return (_SATURATION + 1) / (1 + _SATURATION * (1 - _LENGTH + _LENGTH * length / _TYPICAL))


def _nearest(own: Mapping[int, Numbers], wanted: Numbers, weights: Weights) -> int:
    """The source chunk that shares the most weight with *wanted*, the first of equal ones."""
    return max(own, key=lambda chunk: float(weights[wanted[np.isin(wanted, own[chunk])]].sum()))
