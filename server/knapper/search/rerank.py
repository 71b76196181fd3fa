"""A second opinion on the first hits, by a model that reads query and passage together.

Its order is blended with the order it was given, by rank, and never takes its place: a weak model cannot
spoil the list. Knows orders and scores; must not know models.

A rank counts as `1 / (60 + rank)`. With `1 / rank` a weak model (the share of the query's words in the
passage) cost more, nDCG@10 -2.7 / -2.9 on the odd queries of Cranfield / CISI against -2.1 / -2.2, and a
simulated good one gained less, +2.5 / +6.5 against +6.2 / +9.0. In the given order's place the weak one
costs 15.5 / 12.8.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from knapper.search.fuse import RANK_OFFSET

DEPTH = 30
"""How many hits are read again."""

_KEPT = ((3, 0.75), (10, 0.60), (DEPTH, 0.40))
"""Up to such a rank, so much of the given order counts; the rest is the reranker's."""


def trouble_with(scores: Sequence[float], passages: int) -> str:
    """Why *scores* of so many passages say nothing, or `""`: too few, no numbers, all the same."""
    if len(scores) != passages:
        return f"it gave {len(scores)} scores for {passages} passages"
    if not all(map(math.isfinite, scores)):
        return "its scores are no numbers"
    if passages > 1 and max(scores) - min(scores) <= 1e-9:
        return "it scores all passages the same"
    return ""


def blended(scores: Sequence[float]) -> list[tuple[int, int]]:
    """The new order of what was in order and got *scores*: where each was, from 0, and the reranker's rank.

    The first of three that the reranker likes least stays first: `0.75 / 61 + 0.25 / 63` is more than
    `0.75 / 62 + 0.25 / 61`. Least liked of thirty, with the others as they were, it comes sixth.
    """
    by_score = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    ranks = {at: rank for rank, at in enumerate(by_score, 1)}
    values = [_blend(at + 1, ranks[at]) for at in range(len(scores))]
    order = sorted(range(len(scores)), key=lambda at: (-values[at], at))
    return [(at, ranks[at]) for at in order]


def _blend(given: int, rank: int) -> float:
    kept = next(share for most, share in _KEPT if given <= most or most == DEPTH)
    return kept / (RANK_OFFSET + given) + (1 - kept) / (RANK_OFFSET + rank)
