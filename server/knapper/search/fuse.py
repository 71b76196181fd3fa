"""Two rankings made one: reciprocal rank fusion.

A chunk gets `weight / (60 + rank)` from each side that found it. The sum is scaled so that the first of
both sides has 1; scores of different kinds are never added. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knapper.search.lexical import Candidate
from knapper.search.results import Stage

RANK_OFFSET = 60
DEPTH = 200
"""How many chunks of each side are looked at."""


@dataclass(frozen=True, slots=True)
class Side:
    """A ranking: chunk, note and score, best first, and how much it counts."""

    name: str
    rows: Sequence[tuple[int, int, float]]
    weight: float = 1.0


def fuse(sides: Sequence[Side]) -> list[Candidate]:
    """The chunks of all *sides*, best first; of equals the one that an earlier side has higher."""
    whole = sum(side.weight for side in sides) / (RANK_OFFSET + 1)
    pool: dict[int, Candidate] = {}
    for side in sides:
        for rank, (chunk, note, value) in enumerate(side.rows[:DEPTH], 1):
            share = side.weight / (RANK_OFFSET + rank) / whole if whole else 0.0
            candidate = pool.setdefault(chunk, Candidate(chunk, note))
            candidate.trace.append(Stage(side.name, rank, share, value))
    return sorted(pool.values(), key=lambda candidate: -candidate.score)
