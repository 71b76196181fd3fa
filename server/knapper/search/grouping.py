"""Vectors in groups of their likes: spherical k-means that gives the same groups for the same vectors.

Pure. Knows directions; must not know what they are of.
"""

from __future__ import annotations

import numpy as np

from knapper.search.matrix import Floats, Numbers

_ROUNDS = 25
_STARTS = 3
_FEWEST = 3
"""A smaller group is given up; its members go to the next nearest."""
_LEAST = 0.1
"""A member less like its group than this belongs to none."""


def groups(points: Floats, count: int) -> list[Numbers]:
    """At most *count* groups of the rows of *points*, the largest first, each with its nearest row first.

    Rows are directions (their length does not matter); rows of zeros, and rows that are like none of the
    groups, are in none of them.
    """
    lengths = np.linalg.norm(points, axis=1)
    used = np.flatnonzero(lengths > 1e-6)
    if not len(used) or count < 1:
        return []
    unit = np.asarray(points[used] / lengths[used, None], np.float32)
    random = np.random.default_rng(0)
    tries = [_settled(unit, _seeds(unit, min(count, len(unit)), random)) for _ in range(_STARTS)]
    centres = max(tries, key=lambda found: float((unit @ found.T).max(axis=1).sum()))
    found = _members(unit, _large(unit, centres))
    found.sort(key=lambda members: (-len(members), int(members[0])))
    return [used[members] for members in found]


def _seeds(unit: Floats, count: int, random: np.random.Generator) -> Floats:
    """*count* rows far from each other (k-means++)."""
    chosen = [int(random.integers(len(unit)))]
    distance = 1 - unit @ unit[chosen[0]]
    while len(chosen) < count:
        weights = np.maximum(distance, 0).astype(np.float64)
        if weights.sum() <= 1e-9:
            break  # The rest are copies of what is chosen.
        chosen.append(int(random.choice(len(unit), p=weights / weights.sum())))
        distance = np.minimum(distance, 1 - unit @ unit[chosen[-1]])
    return unit[chosen]


def _settled(unit: Floats, centres: Floats) -> Floats:
    """The centres moved to the middle of their rows until they stay."""
    before = np.full(len(unit), -1)
    for _ in range(_ROUNDS):
        nearest = (unit @ centres.T).argmax(axis=1)
        if np.array_equal(nearest, before):
            break
        before = nearest
        centres = _means(unit, nearest, len(centres))
    return centres


def _means(unit: Floats, nearest: Numbers, count: int) -> Floats:
    """The direction of the mean of each group's rows; groups without rows are dropped."""
    order = np.argsort(nearest, kind="stable")
    present, first = np.unique(nearest[order], return_index=True)
    assert len(present) <= count
    sums = np.add.reduceat(unit[order], first, axis=0)
    return np.asarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9), np.float32)


def _large(unit: Floats, centres: Floats) -> Floats:
    """The centres of groups that are large enough; the one of the largest at least."""
    while len(centres) > 1:
        sizes = np.bincount((unit @ centres.T).argmax(axis=1), minlength=len(centres))
        smallest = int(sizes.argmin())
        if sizes[smallest] >= _FEWEST:
            break
        centres = np.delete(centres, smallest, axis=0)
    return centres


def _members(unit: Floats, centres: Floats) -> list[Numbers]:
    likeness = unit @ centres.T
    nearest, best = likeness.argmax(axis=1), likeness.max(axis=1)
    found = []
    for number in range(len(centres)):
        members = np.flatnonzero((nearest == number) & (best >= _LEAST))
        if len(members):
            found.append(members[np.argsort(-best[members], kind="stable")])
    return found
