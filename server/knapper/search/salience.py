"""What matters now: a bounded factor on a hit's score from its note's age, use and importance.

    factor = clamp(0.7, 1.3, 1 + A + U + F + I)

- A, age: `0.15 * (2 * 2**(-age_days / 30) - 1)`, 0 for notes that do not age.
- U, last use: `0.10 * 2**(-days_since_opened / 14)`, 0 if never opened.
- F, frequency: `0.05 * log2(1 + n) / log2(21)`, n different days on which it was opened, at most 20.
- I, importance: from 1..10 linear to -0.20..0.20, 0 if it has none; pinned counts as 10.

Pure. Must not know where the facts come from. Every part is 0 or monotone in what it is made of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date

from knapper.search.port import NoteFacts
from knapper.vault.paths import NotePath, key

LEAST, MOST = 0.7, 1.3
EVERGREEN_TAG = "evergreen"

_AGE, _AGE_HALVES = 0.15, 30
_USE, _USE_HALVES = 0.10, 14
_FREQUENCY, _MOST_DAYS = 0.05, 20
_IMPORTANCE, _MOST_IMPORTANT = 0.20, 10.0


@dataclass(frozen=True, slots=True)
class Use:
    """The last day on which a note was used, and on how many different days it was."""

    last: date
    days: int


def _ages(_: NotePath) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Salience:
    """What salience is worked out from besides the notes: the day, the use of notes by the key of their path.

    `evergreen` says which notes do not age, besides those with the tag `evergreen`.
    """

    today: date
    uses: Mapping[str, Use] = field(default_factory=dict)
    evergreen: Callable[[NotePath], bool] = _ages

    def factor(self, facts: NoteFacts) -> float:
        """The factor of the note with these *facts*."""
        ageless = EVERGREEN_TAG in facts.tags or self.evergreen(facts.path)
        use = self.uses.get(key(facts.path))
        return factor_of(
            age_days=None if ageless else (self.today - facts.day).days,
            opened_days_ago=(self.today - use.last).days if use else None,
            days_opened=use.days if use else 0,
            importance=_MOST_IMPORTANT if facts.pinned else facts.importance,
        )


def factor_of(
    *,
    age_days: float | None = None,
    opened_days_ago: float | None = None,
    days_opened: int = 0,
    importance: float | None = None,
) -> float:
    """The factor, from LEAST to MOST; 1 for a note of which nothing is known.

    A note of today that was never opened has 1.15, one a month old 1, one of years ago 0.85.
    """
    parts = (
        age_part(age_days),
        use_part(opened_days_ago),
        frequency_part(days_opened),
        importance_part(importance),
    )
    return min(MOST, max(LEAST, 1 + sum(parts)))


def age_part(days: float | None) -> float:
    """A: 0.15 for today or later, 0 for a month ago, -0.15 for long ago; 0 for None, which does not age."""
    return 0.0 if days is None else _AGE * (2 * 2 ** (-max(days, 0) / _AGE_HALVES) - 1)


def use_part(days: float | None) -> float:
    """U: 0.10 for today, half of it a fortnight ago; 0 for None, never."""
    return 0.0 if days is None else _USE * 2 ** (-max(days, 0) / _USE_HALVES)


def frequency_part(days: int) -> float:
    """F: 0 for no day, 0.05 for 20 and more."""
    return _FREQUENCY * math.log2(1 + min(max(days, 0), _MOST_DAYS)) / math.log2(1 + _MOST_DAYS)


def importance_part(importance: float | None) -> float:
    """I: -0.20 for 1 and less, 0.20 for 10 and more; 0 for None."""
    if importance is None:
        return 0.0
    share = (min(max(importance, 1.0), _MOST_IMPORTANT) - 1) / (_MOST_IMPORTANT - 1)
    return _IMPORTANCE * (2 * share - 1)
