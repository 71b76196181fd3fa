"""The topics of a vault: notes in groups of their likes, each named by its most distinctive words.

From the vectors of the notes' chunks; without vectors from the words of the notes. Derived whole, each time:
the same notes give the same topics. Must not know SQLite or editors.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from knapper.base.cancel import CancelToken
from knapper.search.distinctive import Frequencies, idf, words_in
from knapper.search.grouping import groups
from knapper.search.matrix import Floats, Vectors
from knapper.search.port import Passage
from knapper.vault.paths import NotePath, is_note

FEWEST_NOTES = 4
MOST_CLUSTERS = 60
_LABEL_WORDS, _WORDS = 3, 8
_TEXTS_READ = 3  # chunks of a note that are looked at for words
_NOTES_READ = 40  # notes of a cluster that name it, the most typical ones
_TEXT_WEIGHT = 0.5  # What a word of the text counts beside one of the title.
_LEAST_INSIDE = 0.1  # So much of a cluster a word must stand for, to name it.
_DIMENSIONS = 256  # of vectors made of words

_Words = dict[str, float]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A topic: its label, its most distinctive words, its notes, the most typical first."""

    label: str
    words: tuple[str, ...]
    notes: tuple[NotePath, ...]


class AllWords(Frequencies, Protocol):
    """What is asked of the index about all notes, as one server sees them."""

    def notes(self) -> Sequence[tuple[int, NotePath]]:
        """The notes, by path, each with its number."""

    def chunks_of(self, note: int) -> Sequence[int]:
        """The chunks of the note, in the order of its text."""

    def passages(self, chunks: Sequence[int]) -> Mapping[int, Passage]:
        """What is shown of *chunks*."""


def clusters(
    index: AllWords,
    vectors: Vectors | None = None,
    hidden: Callable[[NotePath], bool] | None = None,
    token: CancelToken | None = None,
) -> tuple[Cluster, ...]:
    """The topics of the vault, the largest first; none in a vault of very few notes. Raises `Cancelled`."""
    token = token or CancelToken()
    notes = [pair for pair in index.notes() if is_note(pair[1]) and not (hidden and hidden(pair[1]))]
    if len(notes) < FEWEST_NOTES:
        return ()
    paths = dict(notes)
    counted: dict[int, _Words] = {}
    said: dict[str, str] = {}
    if vectors is not None and len(vectors):
        numbers, points = _points(vectors, paths)
    else:
        for note in paths:
            token.check()
            counted[note] = _words_of(index, note, said)
        numbers, points = list(paths), _word_points(index, list(counted.values()))
    token.check()
    found = groups(points, min(cluster_count(len(numbers)), MOST_CLUSTERS))
    members = [[numbers[at] for at in group] for group in found]
    for note in (note for group in members for note in group[:_NOTES_READ] if note not in counted):
        token.check()
        counted[note] = _words_of(index, note, said)
    named = _names([[counted[note] for note in group[:_NOTES_READ]] for group in members], index)
    return tuple(
        Cluster(
            label=", ".join(said[word] for word in words[:_LABEL_WORDS]) or paths[group[0]],
            words=tuple(said[word] for word in words),
            notes=tuple(paths[note] for note in group),
        )
        for words, group in zip(named, members, strict=True)
    )


def cluster_count(notes: int) -> int:
    """How many topics are looked for: 86 notes give 7, 1,000 notes 22, 5,000 notes 50."""
    return max(1, round(math.sqrt(notes / 2)))


def _points(vectors: Vectors, paths: Mapping[int, NotePath]) -> tuple[list[int], Floats]:
    """The notes that have vectors, each with the direction of its chunks' mean, the corpus mean taken off."""
    rows = vectors.rows_of_notes(paths)
    if not len(rows):
        return [], np.zeros((0, vectors.dimensions), np.float32)
    rows = rows[np.argsort(vectors.notes[rows], kind="stable")]
    numbers, first = np.unique(vectors.notes[rows], return_index=True)
    sums = np.add.reduceat(vectors.rows[rows], first, axis=0)
    counts = np.diff(np.append(first, len(rows)))
    return numbers.tolist(), np.asarray(sums / counts[:, None] - vectors.mean, np.float32)


def _words_of(index: AllWords, note: int, said: dict[str, str]) -> _Words:
    """The words of a note's title and beginning, with what they weigh; as they are written, in *said*."""
    passages = list(index.passages(index.chunks_of(note)[:_TEXTS_READ]).values())
    found: _Words = {}
    titles = [passage.title for passage in passages[:1]]
    for texts, weight in ((titles, 1.0), ((passage.text for passage in passages), _TEXT_WEIGHT)):
        for text in texts:
            for needle, written in words_in(text):
                found.setdefault(needle, weight)
                said.setdefault(needle, written)
    return found


def _word_points(index: AllWords, counted: Sequence[_Words]) -> Floats:
    """A vector of each note's words: each word has a direction of its own, as long as the word is rare."""
    shared = Counter(word for words in counted for word in words)
    known = [word for word, notes in shared.items() if notes > 1 and " " not in word]
    held, stems, total = index.frequencies(known), index.stems_of(known), index.chunk_count()
    points = np.zeros((len(counted), _DIMENSIONS), np.float32)
    for number, words in enumerate(counted):
        for word in words:
            if word in held:
                points[number] += idf(held[word], total) * _direction(stems.get(word, word))
    return points


@lru_cache(maxsize=20_000)
def _direction(stem: str) -> Floats:
    random = np.random.default_rng(zlib.crc32(stem.encode("utf-8", "replace")))
    return random.standard_normal(_DIMENSIONS, np.float32)


def _names(members: Sequence[Sequence[_Words]], index: AllWords) -> list[list[str]]:
    """For each cluster the words that many of its notes hold, and few of the others."""
    within = [_summed(group) for group in members]
    everywhere = _summed(within)
    notes = sum(len(group) for group in members)
    named = []
    for weights, group in zip(within, members, strict=True):
        weighed: dict[str, float] = {}
        for word, weight in weights.items():
            inside = weight / len(group)
            outside = (everywhere[word] - weight + 0.5) / (notes - len(group) + 1)
            if inside >= _LEAST_INSIDE and inside > outside:
                weighed[word] = inside * math.log(inside / outside)
        often = sorted(weighed, key=lambda word: (-weighed[word], word))[: 3 * _WORDS]
        stems = index.stems_of(often)
        best: dict[str, str] = {}
        for word in often:
            best.setdefault(stems.get(word, word), word)
        named.append(list(best.values())[:_WORDS])
    return named


def _summed(every: Iterable[_Words]) -> _Words:
    total: defaultdict[str, float] = defaultdict(float)
    for words in every:
        for word, weight in words.items():
            total[word] += weight
    return total
