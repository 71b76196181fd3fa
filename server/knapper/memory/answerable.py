"""Whether passages hold an answer at all: whether they speak of what was asked, by words or by meaning.

Knows passages, how many notes hold a word, and cosines. Must not know how passages were found or who writes.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from knapper.memory.asked import FoundPassage, Memory
from knapper.memory.finding import Located
from knapper.memory.scoping import Scoped
from knapper.memory.wording import Asked
from knapper.memory.words import are_forms, content_words, stem
from knapper.search.distinctive import idf
from knapper.search.noise import FEWEST_CHUNKS
from knapper.search.pipeline import Aids
from knapper.search.port import Meaning, Ranked, Vector
from knapper.search.typos import nearest
from knapper.vault.paths import NotePath

COVERED = 0.5
"""The part of the question's distinctive words, by idf, that one passage must hold."""
NEAR = 0.15
"""What each deviation counts, as a part of the words, by which a passage is nearer to the question than
chance alone brings one: with three or four of them no words are needed.

Tuned, with `_BY_CHANCE`, on the odd questions of tests/eval. A bare floor let half of the unanswerable
questions pass in a small vault.
"""
_BY_CHANCE = -1.0
_MOST_WANTED = 12
_ONE_SLIP = 7  # letters, up to which `nearest` allows one: with two the president is the Perseids.
_LONG = 6  # letters, from where on a typing slip is one: in four letters it is another word.
_ALL = 1 << 20
_LOOKED_AT = 100


@dataclass(frozen=True, slots=True)
class Wanted:
    """A word that an answer should hold: the stems by which it is known, and its weight."""

    stems: tuple[str, ...]
    weight: float


def wanted(words: Sequence[str], memory: Memory, notes: frozenset[int]) -> tuple[Wanted, ...]:
    """What is looked for instead of *words*: each weighs by how few of *notes* hold it.

    A word that no note holds counts as one that is a typing slip away, if there is one. Of a whole paragraph
    only the words that tell most apart are looked for, and of these only what some note holds.
    """
    found = []
    for word in words:
        holders = len(memory.index.notes_holding(word) & notes)
        stems = [stem(word)] if " " not in word else [word]
        if not holders and " " not in word and len(word) >= _LONG:
            root, near = memory.index.terms_near(word)
            stems += nearest(root, near, min(len(word), _ONE_SLIP))
        found.append((holders, Wanted(tuple(dict.fromkeys(stems)), idf(holders, len(notes)))))
    if len(found) > _MOST_WANTED:
        found = sorted((one for one in found if one[0]), key=lambda one: one[0])[:_MOST_WANTED]
    return tuple(want for _, want in found)


def held(wants: Sequence[Wanted], text: str) -> tuple[Wanted, ...]:
    """Those of *wants* that *text* holds in any form."""
    stems = {word if " " in word else stem(word) for word in content_words(text)}
    return tuple(want for want in wants if any(_holds(stems, one) for one in want.stems))


def _holds(stems: Collection[str], one: str) -> bool:
    return one in stems or (" " not in one and any(are_forms(one, other) for other in stems))


def covered(wants: Sequence[Wanted], text: str) -> float:
    """The part of the weight of *wants* that *text* holds; 0 of nothing."""
    whole = sum(want.weight for want in wants)
    return sum(want.weight for want in held(wants, text)) / whole if whole else 0.0


def read_with_names(passage: FoundPassage) -> str:
    """The passage with the names it stands under, which are part of what it says."""
    return f"{passage.title}\n{passage.heading}\n{passage.text}"


class Judge:
    """Says of passages whether they speak of one question. Asks for its vector at most once."""

    def __init__(self, memory: Memory, scope: Scoped, asked: Asked, said: str) -> None:
        self._memory, self._scope, self._said = memory, scope, said
        self.wants = wanted(asked.words, memory, scope.notes)
        self.own = wanted(asked.own, memory, scope.notes) if asked.follows else ()

    def answers(self, passage: FoundPassage, located: Located | None) -> bool:
        """Whether *passage* speaks of it by its words, or, if it is what was *located*, by its meaning."""
        text = read_with_names(passage)
        near = NEAR * self.near(located) if located else 0.0
        return max(covered(self.wants, text), covered(self.own, text)) + near >= COVERED

    def near(self, located: Located) -> float:
        """How much nearer to the question it is than chance brings a passage, in deviations; 0 at least."""
        place = located.source.text.place(located.span)
        return self._near.get((located.source.path, place.line, place.start), 0.0)

    @cached_property
    def _near(self) -> Mapping[tuple[NotePath, int, int], float]:
        """The passages nearest to the question, by where they begin."""
        meaning = self._memory.aids.meaning
        vector = meaning.vector(self._said)[0] if meaning and self._said.strip() else None
        if meaning is None or vector is None:
            return {}
        rows = meaning.nearest(vector, _ALL, None, self._memory.index.unseen())
        cosines = np.array([cosine for _, _, cosine in rows], np.float32)
        if len(cosines) < FEWEST_CHUNKS:
            return {}
        deviation = float(cosines.std()) or 1.0
        # The largest of so many normal numbers lies about there.
        usual = float(cosines.mean()) + deviation * (math.sqrt(2 * math.log(len(cosines))) + _BY_CHANCE)
        best = [(chunk, cosine) for chunk, note, cosine in rows if note in self._scope.notes][:_LOOKED_AT]
        passages = self._memory.index.passages([chunk for chunk, _ in best])
        return {
            (passage.path, passage.line, passage.character): max(0.0, (cosine - usual) / deviation)
            for chunk, cosine in best
            if (passage := passages.get(chunk))
        }


def asking_once(aids: Aids) -> Aids:
    """The same aids; who asks twice for the vector of a text gets the first one again."""
    return replace(aids, meaning=_Once(aids.meaning)) if aids.meaning else aids


class _Once:
    """A meaning that remembers the vectors it was asked for."""

    def __init__(self, meaning: Meaning) -> None:
        self._meaning = meaning
        self._known: dict[str, tuple[Vector | None, str]] = {}

    def vector(self, text: str) -> tuple[Vector | None, str]:
        """The vector of a query; or None and why."""
        if text not in self._known:
            self._known[text] = self._meaning.vector(text)
        return self._known[text]

    def nearest(
        self, vector: Vector, limit: int, among: Collection[int] | None, without: Collection[int]
    ) -> Ranked:
        """The chunks nearest to *vector*."""
        return self._meaning.nearest(vector, limit, among, without)

    def drawn(self, vector: Vector, chunks: Collection[int], amount: float) -> Vector:
        """*vector*, drawn towards *chunks*."""
        return self._meaning.drawn(vector, chunks, amount)

    @property
    def remark(self) -> str:
        """What is to be said about the vectors."""
        return self._meaning.remark
