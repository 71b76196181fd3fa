"""How alike passages are that have nothing to do with each other: what is no more than that means nothing.

Knows vectors; must not know notes' texts or what the measure is for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np

from knapper.search.matrix import Floats, Numbers, Vectors

CEILING = 0.7
"""Passages this alike, the corpus mean taken off, are as alike as can be; only copies are more so."""
FEWEST_CHUNKS, FEWEST_NOTES = 64, 8
"""A smaller corpus has too few pairs to sample: its thresholds are fixed."""
_ABOVE = 50  # chunks
_SHORT_NOTE = 3  # rows
_LEAST_RANGE = 0.1  # between floor and ceiling
_PAIRS = 4096
_SMALL_WEIGHT = 16  # The mean of so many chunks is taken off by half.


@dataclass(frozen=True, eq=False)
class Noise:
    """The cosine that chance alone gives, and the one that counts as the same.

    `sample` are cosines of random pairs, in order; `above` is the part of them that lies above the floor of a
    short note. Without a sample every note has the same floor.
    """

    floor: float
    ceiling: float
    above: float = 0.0
    sample: Floats = field(default_factory=lambda: np.zeros(0, np.float32))

    def floors(self, counts: Numbers) -> Floats:
        """The floor for notes of so many rows: a long note has more chances to be alike by accident."""
        if not len(self.sample):
            return np.full(len(counts), self.floor, np.float32)
        above = self.above * np.sqrt(np.minimum(_SHORT_NOTE / np.maximum(counts, 1), 1))
        floors = np.quantile(self.sample, 1 - above)
        return np.asarray(np.minimum(floors, self.ceiling - _LEAST_RANGE), np.float32)

    def share(self, cosines: Floats, floors: Floats) -> Floats:
        """How far up from its floor to the ceiling each cosine lies, within 0 and 1."""
        return np.asarray(np.clip((cosines - floors) / (self.ceiling - floors), 0, 1), np.float32)


FIXED = Noise(0.35, 0.85)


_known: WeakKeyDictionary[Vectors, Noise] = WeakKeyDictionary()  # Views never change.


def noise_of(vectors: Vectors) -> Noise:
    """The noise of a corpus, from pairs of chunks of different notes; the same for the same vectors.

    A larger corpus offers more chances to be alike by accident, so more of the noise lies below its floor.
    """
    noise = _known.get(vectors)
    if noise is None:
        noise = _known[vectors] = _sampled(vectors)
    return noise


def _sampled(vectors: Vectors) -> Noise:
    living = np.flatnonzero(vectors.alive)
    if is_small(vectors):
        return FIXED
    random = np.random.default_rng(0)
    left, right = random.choice(living, (2, _PAIRS))
    different = vectors.notes[left] != vectors.notes[right]
    cosines = vectors.centred_pairs(left[different], right[different])
    if not len(cosines):
        return FIXED
    above = part_above(len(living))
    floor = min(float(np.quantile(cosines, 1 - above)), CEILING - _LEAST_RANGE)
    return Noise(floor, CEILING, above, np.sort(cosines))


def part_above(chunks: int) -> float:
    """The part of the noise above the floor: 30 % with 150 chunks, 1 % with 5,000, 0.1 % with 50,000.

    So about fifty chunks are above it for each chunk of a note, in a vault of any size. Many random pairs of
    a small vault are no noise: with 0.1 % everywhere, related notes found a third of the hidden links.
    """
    return min(max(_ABOVE / max(chunks, 1), 0.001), 0.3)


def cosines_with(vectors: Vectors, left: Numbers) -> Floats:
    """The cosines of rows *left* with all rows, the corpus mean taken off.

    The mean of a small corpus is mostly the few vectors it is of, so less of it is taken off.
    """
    if not is_small(vectors):
        return vectors.centred(left)
    living = len(vectors)
    shrunk = vectors.rows - vectors.mean * (living / (living + _SMALL_WEIGHT))
    shrunk /= np.maximum(np.linalg.norm(shrunk, axis=1, keepdims=True), 1e-6)
    return np.asarray(shrunk[left] @ shrunk.T, np.float32)


def is_small(vectors: Vectors) -> bool:
    """Whether there are too few chunks or notes to know the noise."""
    return len(vectors) < FEWEST_CHUNKS or len(vectors.note_lengths[0]) < FEWEST_NOTES
