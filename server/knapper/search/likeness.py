"""How like other notes are to one note, chunk by chunk, by their vectors.

Chunks are compared with chunks, never whole notes: a note is related by its best passages, and its length
gains it nothing. Knows numbers of chunks and notes; must not know texts, paths or links.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from knapper.search.matrix import Floats, Numbers, Vectors
from knapper.search.noise import Noise, cosines_with, noise_of

MOST_SOURCE_CHUNKS = 24
BEST, TOP, BREADTH = 0.7, 0.3, 0.12
"""The weights of the best chunk, of the mean of the top three, and of the part of the chunks that match."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """A note's likeness: its score from 0, its best pair of chunks, and how near these are.

    By vectors `near` is a cosine, by words the part of all the evidence one can ask for. Chance alone would
    bring it up to `noise`.
    """

    note: int
    score: float
    source: int
    target: int
    near: float
    noise: float


def some_of(chunks: Sequence[int], most: int = MOST_SOURCE_CHUNKS) -> list[int]:
    """At most so many of *chunks*, evenly spread, the first one always among them."""
    if len(chunks) <= most:
        return list(chunks)
    return [chunks[at * len(chunks) // most] for at in range(most)]


def by_vectors(
    vectors: Vectors, source: Sequence[int], without: Collection[int], most: int, noise: Noise | None = None
) -> list[Likeness]:
    """The *most* notes with a chunk more like one of *source* than chance makes it, most alike first.

    Never those *without*. Empty if no chunk of *source* has a vector.
    """
    left = vectors.rows_of(source)
    if not len(left):
        return []
    noise = noise or noise_of(vectors)
    owners, kinds = np.unique(vectors.chunks[left], return_inverse=True)
    cosines = cosines_with(vectors, left)
    others = vectors.alive & ~np.isin(vectors.notes, np.fromiter(without, np.int64, len(without)))
    at, to = np.nonzero((cosines > noise.floor) & others)
    if not len(at):
        return []
    notes, index = np.unique(vectors.notes[to], return_inverse=True)
    shares = np.zeros((len(notes), len(owners)), np.float32)
    values = cosines[at, to]
    floors = noise.floors(_lengths(vectors, notes))
    np.maximum.at(shares, (index, kinds[at]), noise.share(values, floors[index]))
    scores = combined(shares)
    best = np.argsort(-scores, kind="stable")[:most]
    pairs = _best_pairs(index, values, len(notes))
    return [
        Likeness(
            note=int(notes[number]),
            score=float(scores[number]),
            source=int(vectors.chunks[left[at[pairs[number]]]]),
            target=int(vectors.chunks[to[pairs[number]]]),
            near=float(values[pairs[number]]),
            noise=float(floors[number]),
        )
        for number in best
    ]


def _lengths(vectors: Vectors, notes: Numbers) -> Numbers:
    """How many rows each of *notes* has."""
    every, counts = vectors.note_lengths
    return np.asarray(counts[np.searchsorted(every, notes)], np.int64)


def combined(shares: Floats) -> Floats:
    """One score for each row of *shares*, which holds a note's share for each source chunk.

    A source of one chunk has no top three; its only share counts for all of them.
    """
    top = np.sort(shares, axis=1)[:, ::-1][:, :3].mean(axis=1)
    breadth = np.count_nonzero(shares, axis=1) / shares.shape[1]
    return np.asarray(BEST * shares.max(axis=1) + TOP * top + BREADTH * breadth, np.float32)


def _best_pairs(index: Numbers, values: Floats, notes: int) -> Numbers:
    """For each note the place of its highest value, the first of equal ones."""
    order = np.lexsort((np.arange(len(values)), -values, index))
    first = np.searchsorted(index[order], np.arange(notes))
    return np.asarray(order[first], np.int64)
