"""How good a ranking is, and how sure one can be that another is better."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

Measure = Callable[[Sequence[int], frozenset[int]], float]
_SAMPLES = 5000


def ndcg(found: Sequence[int], relevant: frozenset[int]) -> float:
    """NDCG@10 with binary relevance."""
    gain = sum(1 / math.log2(rank + 1) for rank, number in enumerate(found[:10], 1) if number in relevant)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), 10) + 1))


def recall(found: Sequence[int], relevant: frozenset[int]) -> float:
    """The part of what is relevant that stands among the first 50."""
    return len(relevant.intersection(found[:50])) / len(relevant)


def reciprocal_rank(found: Sequence[int], relevant: frozenset[int]) -> float:
    """One over the rank of the first relevant document of the first ten."""
    return next((1 / rank for rank, number in enumerate(found[:10], 1) if number in relevant), 0.0)


MEASURES: dict[str, Measure] = {"nDCG@10": ndcg, "recall@50": recall, "MRR@10": reciprocal_rank}


def values(
    measure: Measure,
    found: Mapping[int, Sequence[int]],
    relevant: Mapping[int, frozenset[int]],
    numbers: Sequence[int],
) -> list[float]:
    """The measure of each of the queries *numbers*."""
    return [measure(found[number], relevant[number]) for number in numbers]


def mean_with_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean, and the ends of its 95 % bootstrap interval. Of differences by query it is the paired one."""
    if not any(values):
        return 0.0, 0.0, 0.0
    samples = np.random.default_rng(0).choice(np.array(values), (_SAMPLES, len(values))).mean(axis=1)
    low, high = np.percentile(samples, [2.5, 97.5])
    return float(np.mean(values)), float(low), float(high)
