"""The topics of a vault: notes in groups of their likes, each named by its most distinctive words.

From the vectors of the notes' chunks; without vectors from the words of the notes. Derived whole: the same
notes give the same topics, so that an answer can be kept until they are others. Must not know SQLite or
editors, nor where answers are kept.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from knapper.base.cancel import CancelToken
from knapper.search.grouping import groups
from knapper.search.matrix import Floats, Vectors
from knapper.search.topic_words import Beginnings, TopicWords
from knapper.vault.paths import NotePath, is_note

FEWEST_NOTES = 4
MOST_CLUSTERS = 60
_LABEL_WORDS = 3
_NOTES_READ = 40  # notes of a cluster that name it, the most typical ones
_VERSION = 1
"""Raise it whenever the same notes are to give other topics."""

_Notes = Sequence[tuple[int, NotePath]]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A topic: its label, its most distinctive words, its notes, the most typical first."""

    label: str
    words: tuple[str, ...]
    notes: tuple[NotePath, ...]


Clusters = tuple[Cluster, ...]


class AllNotes(Beginnings, Protocol):
    """What is asked of the index about all notes."""

    def notes(self) -> _Notes:
        """The notes, by path, each with its number."""

    def digests(self) -> Mapping[NotePath, str]:
        """A digest of the text of each note."""


class Kept(Protocol):
    """Where an answer is kept."""

    def get(self, basis: str) -> Clusters | None:
        """What was found on this basis, if that is what is kept."""

    def put(self, basis: str, found: Clusters) -> None:
        """Keep what was found, instead of what was kept before."""


def clusters(
    index: AllNotes,
    vectors: Vectors | None = None,
    hidden: Callable[[NotePath], bool] | None = None,
    token: CancelToken | None = None,
    kept: Kept | None = None,
) -> Clusters:
    """The topics of the vault, the largest first; none in a vault of very few notes. Raises `Cancelled`."""
    token = token or CancelToken()
    notes = [pair for pair in index.notes() if is_note(pair[1]) and not (hidden and hidden(pair[1]))]
    if len(notes) < FEWEST_NOTES:
        return ()
    made = _points(vectors, notes) if vectors is not None and len(vectors) else None
    basis = _basis(notes, index.digests(), made[1] if made else None)
    found = kept.get(basis) if kept else None
    if found is None:
        found = _found(index, notes, made, token)
        if kept:
            kept.put(basis, found)
    return found


def cluster_count(notes: int) -> int:
    """How many topics are looked for: 86 notes give 7, 1,000 notes 22, 5,000 notes 50."""
    return max(1, round(math.sqrt(notes / 2)))


def _found(
    index: AllNotes, notes: _Notes, made: tuple[list[int], Floats] | None, token: CancelToken
) -> Clusters:
    words = TopicWords(index, token)
    if made is None:
        numbers = [note for note, _ in notes]
        words.read(numbers)
        made = numbers, words.points(numbers)
    numbers, points = made
    token.check()
    found = groups(points, min(cluster_count(len(numbers)), MOST_CLUSTERS), token)
    members = [[numbers[at] for at in group] for group in found]
    typical = [group[:_NOTES_READ] for group in members]
    words.read([note for group in typical for note in group])
    paths = dict(notes)
    return tuple(
        Cluster(
            label=", ".join(named[:_LABEL_WORDS]) or paths[group[0]],
            words=named,
            notes=tuple(paths[note] for note in group),
        )
        for named, group in zip(words.names(typical), members, strict=True)
    )


def _points(vectors: Vectors, notes: _Notes) -> tuple[list[int], Floats]:
    """The notes that have vectors, by path, each with the direction of its chunks' mean, the common mean off.

    Added up in the order of paths and chunks, so that it does not matter in which order vectors were made.
    """
    order = {note: at for at, (note, _) in enumerate(notes)}
    rows = vectors.rows_of_notes(order)
    if not len(rows):
        return [], np.zeros((0, vectors.dimensions), np.float32)
    places = np.array([order[note] for note in vectors.notes[rows].tolist()])
    sorting = np.lexsort((vectors.chunks[rows], places))
    rows, places = rows[sorting], places[sorting]
    present, first = np.unique(places, return_index=True)
    sums = np.add.reduceat(vectors.rows[rows], first, axis=0)
    counts = np.diff(np.append(first, len(rows)))
    mean = sums.sum(axis=0) / len(rows)
    return [notes[at][0] for at in present], np.asarray(sums / counts[:, None] - mean, np.float32)


def _basis(notes: _Notes, digests: Mapping[NotePath, str], points: Floats | None) -> str:
    """A digest of all that topics are made from: the paths and texts of the notes, and their vectors."""
    basis = hashlib.blake2b(digest_size=16)
    basis.update(json.dumps([_VERSION, [(path, digests.get(path, "")) for _, path in notes]]).encode())
    if points is not None:
        basis.update(np.ascontiguousarray(points).data)
    return basis.hexdigest()
