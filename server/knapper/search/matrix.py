"""The vectors of a vault in memory: one grown buffer, frozen views of it, exact search.

Rows are float32 and of length one. A chunk may have several rows, its windows; the best one counts.
Knows chunks and notes by their numbers only; must not know what the vectors are of or where they are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

_FIRST_CAPACITY = 1024
_MOST_DEAD = 0.25
"""The part of the rows that may be tombstones before the living ones move to a new buffer."""


class Vectors:
    """A frozen view: the rows as they were when it was taken, whatever is put or dropped later.

    `rows[i]` is a vector of chunk `chunks[i]` of note `notes[i]`; it counts only where `alive[i]`.
    """

    def __init__(self, rows: Floats, chunks: Numbers, notes: Numbers, alive: Flags) -> None:
        self.rows = rows
        self.chunks = chunks
        self.notes = notes
        self.alive = alive
        for array in (rows, chunks, notes, alive):
            array.flags.writeable = False

    def __len__(self) -> int:
        """How many rows count."""
        return int(np.count_nonzero(self.alive))

    @property
    def dimensions(self) -> int:
        """How long a vector is."""
        return int(self.rows.shape[1])

    def nearest(
        self,
        vector: Floats,
        limit: int,
        among: Collection[int] | None = None,
        without: Collection[int] = (),
    ) -> list[tuple[int, int, float]]:
        """The *limit* chunks nearest to *vector*, each with its note and cosine, nearest first.

        Only notes *among* those given (None: all), and never those *without*. Equally near chunks come in
        the order of their numbers. A vector that is all zeros, or not of this length, is near nothing.
        """
        if vector.shape != (self.dimensions,) or not np.any(vector):
            return []
        at = np.flatnonzero(self._counting(among, without))
        # Not `@`: for one vector the library's threads mostly wait for each other. At 50,000 rows on two busy
        # cores that took 26 ms of processor time; this takes 5, in one thread.
        cosines = np.einsum("ij,j->i", self.rows, vector.astype(np.float32))
        return _best_chunks(self.chunks[at], self.notes[at], cosines[at], limit)

    def rows_of(self, chunks: Iterable[int]) -> Numbers:
        """Where the rows of *chunks* are, in the order of the buffer."""
        return np.flatnonzero(self.alive & np.isin(self.chunks, _numbers(chunks)))

    def rows_of_notes(self, notes: Iterable[int]) -> Numbers:
        """Where the rows of *notes* are, in the order of the buffer."""
        return np.flatnonzero(self.alive & np.isin(self.notes, _numbers(notes)))

    @cached_property
    def note_lengths(self) -> tuple[Numbers, Numbers]:
        """The notes that have rows, by number, and how many rows each has."""
        notes, counts = np.unique(self.notes[self.alive], return_counts=True)
        return np.asarray(notes, np.int64), np.asarray(counts, np.int64)

    @cached_property
    def mean(self) -> Floats:
        """The mean of all rows that count; zeros if there are none."""
        if not len(self):
            return np.zeros(self.dimensions, np.float32)
        total = self.alive.astype(np.float32) @ self.rows
        return np.asarray(total / len(self), np.float32)

    @cached_property
    def _along_mean(self) -> Floats:
        """`x·m` of every row."""
        return np.asarray(self.rows @ self.mean, np.float32)

    @cached_property
    def _distances(self) -> Floats:
        """`|x-m|` of every row; 1 where it is nothing, since such a row is like no other."""
        return _lengths(self._along_mean, self.mean)

    def centred(self, left: Numbers, right: Numbers | None = None) -> Floats:
        """The cosines of rows *left* with rows *right* (None: all), the mean taken off both.

        `(x·y - x·m - y·m + m·m) / (|x-m| |y-m|)`, so no second matrix is needed. Rows are numbers as
        `rows_of` gives them; dead ones have a cosine as well, look at `alive`.
        """
        rows = self.rows if right is None else self.rows[right]
        along = self._along_mean if right is None else self._along_mean[right]
        distances = self._distances if right is None else self._distances[right]
        products = self.rows[left] @ rows.T
        products -= self._along_mean[left][:, None]
        products -= along
        products += np.float32(self.mean @ self.mean)
        products /= self._distances[left][:, None] * distances
        return np.asarray(np.clip(products, -1, 1, out=products), np.float32)

    def centred_pairs(self, left: Numbers, right: Numbers) -> Floats:
        """The centred cosine of each row of *left* with the row of *right* at the same place."""
        products = np.einsum("ij,ij->i", self.rows[left], self.rows[right])
        products = products - self._along_mean[left] - self._along_mean[right]
        products += np.float32(self.mean @ self.mean)
        return np.asarray(np.clip(products / (self._distances[left] * self._distances[right]), -1, 1))

    def _counting(self, among: Collection[int] | None, without: Collection[int]) -> Flags:
        counting = self.alive
        if among is not None:
            counting = counting & np.isin(self.notes, _numbers(among))
        if without:
            counting = counting & ~np.isin(self.notes, _numbers(without))
        return counting


class Matrix:
    """The buffer. One thread puts and drops; `view` is what the others get."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._count = 0
        self._rows = np.empty((_FIRST_CAPACITY, dimensions), np.float32)
        self._chunks = np.empty(_FIRST_CAPACITY, np.int64)
        self._notes = np.empty(_FIRST_CAPACITY, np.int64)
        self._alive = np.empty(0, np.bool_)  # Views share it: it is replaced and never written to.
        self._view: Vectors | None = None

    @property
    def dimensions(self) -> int:
        """How long a vector is."""
        return self._dimensions

    @property
    def memory(self) -> int:
        """The bytes that the buffer takes."""
        return self._rows.nbytes + self._chunks.nbytes + self._notes.nbytes + self._alive.nbytes

    def put(self, chunks: Iterable[int], notes: Iterable[int], rows: NDArray[np.floating]) -> None:
        """Add *rows*, one for each of *chunks* and *notes*; what these chunks had before is dropped.

        A chunk's windows must come in one call. Rows come normalised, in any float type.
        """
        new_chunks, new_notes = _numbers(chunks), _numbers(notes)
        if rows.shape != (len(new_chunks), self._dimensions) or len(new_chunks) != len(new_notes):
            raise ValueError(f"{rows.shape} are no {len(new_chunks)} rows of {self._dimensions}")
        self.drop(new_chunks)
        self._make_room(len(new_chunks))
        end = self._count + len(new_chunks)
        self._rows[self._count : end] = rows
        self._chunks[self._count : end] = new_chunks
        self._notes[self._count : end] = new_notes
        self._alive = np.concatenate([self._alive, np.ones(len(new_chunks), np.bool_)])
        self._count = end
        self._view = None

    def drop(self, chunks: Iterable[int]) -> None:
        """Forget *chunks*; those that are not there are no error."""
        dead = np.isin(self._chunks[: self._count], _numbers(chunks)) & self._alive
        if not dead.any():
            return
        self._alive = self._alive & ~dead
        self._view = None
        if np.count_nonzero(self._alive) < self._count * (1 - _MOST_DEAD):
            self._move(max(self._count, _FIRST_CAPACITY))

    def view(self) -> Vectors:
        """The rows as they are now. The same object while nothing changes."""
        if self._view is None:
            some = slice(self._count)
            self._view = Vectors(self._rows[some], self._chunks[some], self._notes[some], self._alive)
        return self._view

    def _make_room(self, more: int) -> None:
        wanted = self._count + more
        if wanted > len(self._rows):
            self._move(max(wanted, len(self._rows) * 3 // 2))

    def _move(self, capacity: int) -> None:
        """Take the living rows to a new buffer; views keep the old one."""
        living = np.flatnonzero(self._alive)
        rows = np.empty((capacity, self._dimensions), np.float32)
        chunks, notes = np.empty(capacity, np.int64), np.empty(capacity, np.int64)
        self._count = len(living)
        for old, new in ((self._rows, rows), (self._chunks, chunks), (self._notes, notes)):
            np.take(old, living, axis=0, out=new[: self._count])
        self._rows, self._chunks, self._notes = rows, chunks, notes
        self._alive = np.ones(self._count, np.bool_)


def _numbers(some: Iterable[int]) -> Numbers:
    if isinstance(some, np.ndarray):
        return some.astype(np.int64, copy=False)
    return np.fromiter(some, np.int64)


def _lengths(along_mean: Floats, mean: Floats) -> Floats:
    """`|x-m|` from `x·m`, for x of length one."""
    squares = 1 - 2 * along_mean + np.float32(mean @ mean)
    return np.asarray(np.where(squares > 1e-6, np.sqrt(np.maximum(squares, 1e-6)), 1), np.float32)


def _best_chunks(
    chunks: Numbers, notes: Numbers, cosines: Floats, limit: int
) -> list[tuple[int, int, float]]:
    """The chunks with the highest cosines, each with its best row only."""
    if limit <= 0:
        return []
    wanted = limit
    while True:
        if wanted < len(cosines):
            # Everything as near as the last one taken comes along, so that ties are settled by number.
            least = np.partition(cosines, -wanted)[-wanted]
            top = np.flatnonzero(cosines >= least)
        else:
            top = np.arange(len(cosines))
        order = top[np.lexsort((chunks[top], -cosines[top]))]
        _, first = np.unique(chunks[order], return_index=True)
        if len(first) >= limit or len(top) == len(cosines):
            order = order[np.sort(first)][:limit]
            return [(int(chunks[at]), int(notes[at]), float(cosines[at])) for at in order]
        wanted *= 4  # The nearest rows are windows of a few chunks.
