"""The words of many notes as numbers: by them topics are named and, where there are no vectors, found.

Knows texts; must not know how notes are grouped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from knapper.base.cancel import CancelToken
from knapper.search.distinctive import words_in
from knapper.search.matrix import Floats, Numbers

# With folders for topics, 384 dimensions and one chunk give 0.445 (normalised mutual information) on 1,028
# notes about a game and 0.209 on 1,920 Chinese ones; 256 give 0.363 and 0.189, two chunks 0.401 and 0.190.
_TEXTS_READ = 1  # chunks of a note that are looked at for words
_READ_AT_ONCE = 256  # notes; between them it may be cancelled
_TEXT_WEIGHT = 0.5  # What a word of the text counts beside one of the title.
_LEAST_INSIDE = 0.1  # So much of a cluster a word must stand for, to name it.
_WORDS = 8
_DIMENSIONS = 384  # of points made of words
_PLACES = 8  # dimensions that one word moves a point in
_WORKED_OUT_AT_ONCE = 2048


class Beginnings(Protocol):
    """What is asked about the texts of notes."""

    def beginnings(self, notes: Sequence[int], chunks: int) -> Iterable[tuple[int, str, str]]:
        """The first *chunks* of each of *notes*, in the order of the text: the note, its title, the text."""

    def stems_of(self, words: Sequence[str]) -> dict[str, str]:
        """Each of *words* as the index would store it."""


class _Read(NamedTuple):
    words: Numbers  # each once, those of the title first
    titles: int


class TopicWords:
    """The words of the titles and beginnings of the notes that were read. Belongs to one thread."""

    def __init__(self, index: Beginnings, token: CancelToken) -> None:
        self._index, self._token = index, token
        self._needles: dict[str, int] = {}  # in the order of their numbers
        self._said: list[str] = []
        self._read: dict[int, _Read] = {}

    def read(self, notes: Sequence[int]) -> None:
        """Read the notes that are not read yet."""
        new = [note for note in dict.fromkeys(notes) if note not in self._read]
        for start in range(0, len(new), _READ_AT_ONCE):
            self._token.check()
            some = new[start : start + _READ_AT_ONCE]
            texts: dict[int, list[str]] = {note: [] for note in some}
            for note, title, text in self._index.beginnings(some, _TEXTS_READ):
                texts[note] += [text] if texts[note] else [title, text]
            for note, parts in texts.items():
                self._take(note, parts[0] if parts else "", parts[1:])

    def points(self, notes: Sequence[int]) -> Floats:
        """A point for each of *notes*, all read: each word moves it its own way, the rarer the farther.

        The way is a few places with signs, which a digest of the word's stem picks. Words of one note alone
        are left out.
        """
        words, lengths = self._flat(notes)
        holders = np.bincount(words, minlength=len(self._needles))
        weights, places = self._directions(holders, len(notes))
        points = np.zeros((len(notes), _DIMENSIONS), np.float32)
        ends = np.append(0, np.cumsum(lengths))
        for start in range(0, len(notes), _WORKED_OUT_AT_ONCE):
            self._token.check()
            stop = min(start + _WORKED_OUT_AT_ONCE, len(notes))
            some = words[ends[start] : ends[stop]]
            note = np.repeat(np.arange(stop - start), lengths[start:stop])
            known = weights[some] > 0
            some, note = some[known], note[known]
            at = note[:, None] * _DIMENSIONS + (places[some] >> 1)
            moved = np.where(places[some] & 1, -1.0, 1.0) * weights[some][:, None]
            summed = np.bincount(at.ravel(), moved.ravel(), minlength=(stop - start) * _DIMENSIONS)
            points[start:stop] = summed.reshape(-1, _DIMENSIONS)
        return points

    def names(self, members: Sequence[Sequence[int]]) -> list[tuple[str, ...]]:
        """For each group of read notes the words that many of them hold, and few of the others."""
        within = [self._summed(group) for group in members]
        everywhere = np.zeros(len(self._needles))
        for words, weights in within:
            everywhere[words] += weights
        notes = sum(map(len, members))
        often: list[list[str]] = []
        needles = list(self._needles)
        for (words, weights), group in zip(within, members, strict=True):
            inside = weights / len(group)
            outside = (everywhere[words] - weights + 0.5) / (notes - len(group) + 1)
            telling = np.flatnonzero((inside >= _LEAST_INSIDE) & (inside > outside))
            weighed = inside[telling] * np.log(inside[telling] / outside[telling])
            found = zip((-weighed).tolist(), (needles[at] for at in words[telling].tolist()), strict=True)
            often.append([needle for _, needle in sorted(found)[: 3 * _WORDS]])
        stems = self._index.stems_of(list({word for words in often for word in words}))
        return [self._written(words, stems) for words in often]

    def _take(self, note: int, title: str, texts: Sequence[str]) -> None:
        needles, said = self._needles, self._said
        numbers: dict[int, None] = {}
        titles = -1
        for text in (title, *texts):
            for needle, written in words_in(text):
                number = needles.get(needle)
                if number is None:
                    number = needles[needle] = len(said)
                    said.append(written)
                numbers[number] = None
            titles = len(numbers) if titles < 0 else titles
        self._read[note] = _Read(np.fromiter(numbers, np.int64, len(numbers)), titles)

    def _flat(self, notes: Sequence[int]) -> tuple[Numbers, Numbers]:
        """The words of all *notes* in one, and how many each has."""
        read = [self._read[note].words for note in notes]
        lengths = np.fromiter(map(len, read), np.int64, len(read))
        return np.concatenate([np.empty(0, np.int64), *read]), lengths

    def _directions(self, holders: Numbers, notes: int) -> tuple[Floats, Numbers]:
        """Of each word its weight (0: none) and where it moves a point: twice the place, and the sign."""
        needles = list(self._needles)
        known = np.flatnonzero(holders > 1).tolist()
        stems = self._index.stems_of([needles[at] for at in known if " " not in needles[at]])
        of_stem: dict[str, int] = {}
        stem = np.array(
            [of_stem.setdefault(stems.get(needles[at], needles[at]), len(of_stem)) for at in known], np.int64
        )
        held = np.minimum(np.bincount(stem, holders[known], minlength=len(of_stem)), notes)
        weights = np.zeros(len(needles), np.float32)
        weights[known] = np.log1p((notes - held + 0.5) / (held + 0.5))[stem]
        digests = b"".join(
            hashlib.blake2b(one.encode("utf-8", "replace"), digest_size=2 * _PLACES).digest()
            for one in of_stem
        )
        picked = np.frombuffer(digests, "<u2").reshape(-1, _PLACES).astype(np.int64) % (2 * _DIMENSIONS)
        places = np.zeros((len(needles), _PLACES), np.int64)
        places[known] = picked[stem]
        return weights, places

    def _summed(self, group: Sequence[int]) -> tuple[Numbers, Floats]:
        """The words of a group of notes, and what each weighs in it."""
        words, _ = self._flat(group)
        weights = [
            np.where(np.arange(len(it.words)) < it.titles, 1, _TEXT_WEIGHT)
            for it in map(self._read.__getitem__, group)
        ]
        numbers, at = np.unique(words, return_inverse=True)
        summed = np.bincount(at, np.concatenate([np.empty(0), *weights]), minlength=len(numbers))
        return numbers, summed.astype(np.float32)

    def _written(self, words: Sequence[str], stems: dict[str, str]) -> tuple[str, ...]:
        """*words* as they were written first, each stem once."""
        best: dict[str, str] = {}
        for word in words:
            best.setdefault(stems.get(word, word), self._said[self._needles[word]])
        return tuple(best.values())[:_WORDS]
