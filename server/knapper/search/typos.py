"""Words that are nearly another word. Pure."""

from __future__ import annotations

from collections.abc import Iterable

MOST_SUGGESTIONS = 3


def nearest(stem: str, candidates: Iterable[str], length: int) -> tuple[str, ...]:
    """The few *candidates* that a typing slip away may have become *stem*, nearest first.

    *length* is that of the word as typed: a slip is allowed in one of 4 to 7 letters, two in a longer one.
    A transposition counts as one: `recieve` is one away from `receive`.
    """
    allowed = 0 if length < 4 else 1 if length < 8 else 2
    near = []
    for candidate in candidates:
        if candidate != stem and abs(len(candidate) - len(stem)) <= allowed:
            distance = edit_distance(stem, candidate, allowed)
            if distance <= allowed:
                near.append((distance, candidate[:1] != stem[:1], candidate))
    near.sort()
    return tuple(candidate for distance, _, candidate in near if distance == near[0][0])[:MOST_SUGGESTIONS]


def edit_distance(one: str, other: str, most: int) -> int:
    """The Damerau distance (insertions, deletions, replacements, transpositions), or *most* + 1 if larger."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        oldest, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, oldest[j - 2] + 1)
            row.append(cost)
        if min(row) > most and min(before) > most:
            return most + 1
    return min(row[-1], most + 1)
