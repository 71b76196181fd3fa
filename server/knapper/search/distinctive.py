"""The words that tell a note from others: often in it, and seldom elsewhere.

Knows texts and how many chunks hold a word; must not know vectors or how notes are related by words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from knapper.search.stopwords import STOP_WORDS
from knapper.text.fold import cjk_runs, search_fold

MOST_WORDS = 16
"""So many words that others hold too tell what a note is about."""
LOOKED_AT = 80
"""By so many words of a note others are found; most of them stand in no other note."""
SMALL = 64
"""A vault of fewer chunks shows how common a word is no better than by so many."""
_COUNTED = 600  # Words of a note that are looked up, the most frequent first.
_PAIRS_LOOKED_AT = 60  # Each pair of CJK characters is a question of its own.
_TITLE_COUNTS = 3
_COMMON = 0.25  # A word in more of the chunks tells nothing apart,
_COMMON_COUNT = 8  # unless they are few.
_MOST_HOLDERS = 2000  # In a large vault one in fewer is common, and slow to look up.

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+|\b[\w.-]+@[\w-]+\.\w+", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Frequencies(Protocol):
    """What is asked about words. A *needle* is folded text whose words must stand together."""

    def chunk_count(self) -> int:
        """How many chunks there are."""

    def frequencies(self, needles: Sequence[str], most: int | None = None) -> dict[str, int]:
        """How many chunks hold each needle, as it is stemmed; counting stops at *most*."""

    def stems_of(self, words: Sequence[str]) -> dict[str, str]:
        """Each of *words* as the index would store it."""


@dataclass(frozen=True, slots=True)
class Distinct:
    """A word: as it is searched, as it was written first, its weight, and how many chunks hold it."""

    needle: str
    said: str
    weight: float
    holders: int


def distinctive(
    title: str, texts: Sequence[str], index: Frequencies, limit: int = LOOKED_AT
) -> tuple[Distinct, ...]:
    """The most distinctive words of a note, the weightiest first; words of its title count three times.

    Of CJK text each pair of neighbouring characters is a word. Forms of one word are one, by their stem.
    """
    counts, said = _counted(title, texts)
    pairs = [needle for needle, _ in counts.most_common() if " " in needle][:_PAIRS_LOOKED_AT]
    words = [needle for needle, _ in counts.most_common() if " " not in needle][:_COUNTED]
    stems = {**index.stems_of(words), **{pair: pair for pair in pairs}}
    together: dict[str, list[str]] = {}
    for needle in (*words, *pairs):
        together.setdefault(stems.get(needle, needle), []).append(needle)
    total = max(index.chunk_count(), SMALL)
    rare = int(min(max(_COMMON * total, _COMMON_COUNT), _MOST_HOLDERS))
    held = index.frequencies([forms[0] for forms in together.values()], rare + 1)
    found = [
        _distinct(forms[0], said[forms[0]], sum(counts[form] for form in forms), held[forms[0]], total)
        for forms in together.values()
        if held[forms[0]] <= rare
    ]
    return tuple(sorted(found, key=lambda word: (-word.weight, word.needle))[:limit])


def idf(holders: int, chunks: int) -> float:
    """What a word is worth that so many of all chunks hold; always above 0."""
    return math.log(1 + (max(chunks - holders, 0) + 0.5) / (holders + 0.5))


def _distinct(needle: str, said: str, count: int, holders: int, total: int) -> Distinct:
    return Distinct(needle, said, count / (count + 1) * idf(holders, total), holders)


def _counted(title: str, texts: Sequence[str]) -> tuple[Counter[str], dict[str, str]]:
    """How often each needle stands in the note, and how it is written first."""
    counts: Counter[str] = Counter()
    said: dict[str, str] = {}
    for text, times in ((title, _TITLE_COUNTS), *((text, 1) for text in texts)):
        for needle, written in words_in(text):
            counts[needle] += times
            said.setdefault(needle, written)
    return counts, said


def words_in(text: str) -> Iterable[tuple[str, str]]:
    """The words of *text* as needles and as written: `Größe` as `grosse`; `日本語` as `日 本`, `本 語`."""
    if "@" in text or "://" in text:
        text = _ADDRESS.sub(" ", text)
    for written in _WORD.findall(text):
        runs = () if written.isascii() else tuple(cjk_runs(written))
        if runs:
            for start, end in runs:
                for one, other in pairwise(written[start:end]):
                    yield f"{one} {other}", one + other
        elif needle := _needle_of(written):
            yield needle, written


@lru_cache(maxsize=30_000)
def _needle_of(written: str) -> str:
    """A word as it is looked for; nothing if it tells nothing apart."""
    folded = search_fold(written).split()
    word = re.split(r"['’]", folded[0])[0] if folded else ""
    return "" if len(word) <= 2 or word in STOP_WORDS or word.isdigit() else word
