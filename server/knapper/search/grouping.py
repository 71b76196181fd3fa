"""Vectors in groups of their likes: spherical k-means that gives the same groups for the same vectors.

Pure. Knows directions; must not know what they are of.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from knapper.base.cancel import CancelToken
from knapper.search.matrix import Floats, Numbers

_ROUNDS = 25
_STARTS = 3
_SAMPLE = 4096
"""So many rows are enough to find good starts with; all rows settle once, from the best of these."""
_FEWEST = 3
"""A smaller group is given up; its members go to the next nearest."""
_LEAST = 0.1
"""A member less like its group than this belongs to none."""


def groups(points: Floats, count: int, token: CancelToken | None = None) -> list[Numbers]:
    """At most *count* groups of the rows of *points*, the largest first, each with its nearest row first.

    Rows are directions (their length does not matter); rows of zeros, and rows that are like none of the
    groups, are in none of them. Raises `Cancelled`.
    """
    token = token or CancelToken()
    lengths = np.linalg.norm(points, axis=1)
    used = np.flatnonzero(lengths > 1e-6)
    if not len(used) or count < 1:
        return []
    unit = np.asarray(points[used] / lengths[used, None], np.float32)
    random = np.random.default_rng(0)
    some = unit
    if len(unit) > _SAMPLE:
        some = unit[np.sort(random.choice(len(unit), _SAMPLE, replace=False))]
    tries = [_settled(some, _seeds(some, min(count, len(some)), random), token) for _ in range(_STARTS)]
    centres = max(tries, key=lambda found: float((some @ found.T).max(axis=1).sum()))
    if some is not unit:
        centres = _settled(unit, centres, token)
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


def _settled(unit: Floats, centres: Floats, token: CancelToken) -> Floats:
    """The centres moved to the middle of their rows until they stay; one without rows stays where it is."""
    before = np.full(len(unit), -1)
    sums, sizes = np.zeros(centres.shape), np.zeros(len(centres), np.int64)
    for _ in range(_ROUNDS):
        token.check()
        nearest = (unit @ centres.T).argmax(axis=1)
        changed = np.flatnonzero(nearest != before)  # After a few rounds these are few.
        if not len(changed):
            break
        _add_up(sums, sizes, unit[changed], nearest[changed], 1)
        if before[0] >= 0:
            _add_up(sums, sizes, unit[changed], before[changed], -1)
        before = nearest
        lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        centres = np.where(sizes[:, None] > 0, sums / lengths, centres).astype(np.float32)
    return centres


def _add_up(sums: NDArray[np.float64], sizes: Numbers, rows: Floats, group: Numbers, times: int) -> None:
    """Add *rows* to the *sums* of their groups, or take them off."""
    order = np.argsort(group, kind="stable")
    present, first, counts = np.unique(group[order], return_index=True, return_counts=True)
    sums[present] += times * np.add.reduceat(rows[order], first, axis=0)
    sizes[present] += times * counts


def _large(unit: Floats, centres: Floats) -> Floats:
    """The centres of groups that are large enough; the one of the largest at least."""
    likeness = unit @ centres.T
    while len(centres) > 1:
        sizes = np.bincount(likeness.argmax(axis=1), minlength=len(centres))
        smallest = int(sizes.argmin())
        if sizes[smallest] >= _FEWEST:
            break
        centres = np.delete(centres, smallest, axis=0)
        likeness = np.delete(likeness, smallest, axis=1)
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
