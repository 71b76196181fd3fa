"""Passages by what they mean, out of the vectors in memory and whoever can turn a query into one.

Knows vectors; must not know models or where vectors are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from knapper.search.matrix import Matrix, Vectors
from knapper.search.port import Ranked, Vector


class Changes(Protocol):
    """What is new about the vectors of an index: forget all if `anew`, forget `gone`, then add `rows`."""

    @property
    def anew(self) -> bool:
        """Whether all there was is to be forgotten."""

    @property
    def gone(self) -> NDArray[np.int64]:
        """The chunks that have no vectors any more."""

    @property
    def chunks(self) -> NDArray[np.int64]:
        """The chunk of each row."""

    @property
    def notes(self) -> NDArray[np.int64]:
        """The note of each row."""

    @property
    def rows(self) -> NDArray[np.float32]:
        """The new vectors."""


def caught_up(matrix: Matrix | None, changes: Changes) -> Matrix | None:
    """*matrix* with *changes*, a new one where that is due; None while there is no vector at all."""
    if changes.anew:
        matrix = None
    if matrix is not None:
        matrix.drop(changes.gone)
    if len(changes.rows):
        if matrix is None:
            matrix = Matrix(changes.rows.shape[1])
        matrix.put(changes.chunks, changes.notes, changes.rows)
    return matrix


@dataclass(frozen=True, slots=True)
class VectorMeaning:
    """The port `Meaning` over *vectors*; *ask* turns a query into a vector, or says why not."""

    vectors: Vectors
    ask: Callable[[str], tuple[Vector | None, str]]
    remark: str = ""

    def vector(self, text: str) -> tuple[Vector | None, str]:
        """The vector of a query; or None and why, in a sentence."""
        found, why = self.ask(text)
        if found is not None and found.shape != (self.vectors.dimensions,):
            return None, "The vectors of the notes are of another model; they are being made anew."
        return found, why

    def nearest(
        self, vector: Vector, limit: int, among: Collection[int] | None, without: Collection[int]
    ) -> Ranked:
        """The chunks nearest to *vector*, each with its cosine, of notes *among* and not *without*."""
        return self.vectors.nearest(vector, limit, among, without)

    def drawn(self, vector: Vector, chunks: Collection[int], amount: float) -> Vector:
        """*vector* with the mean of the vectors of *chunks* added *amount* times, of length 1.

        Those that have none add nothing.
        """
        rows = self.vectors.rows[self.vectors.rows_of(chunks)]
        moved = vector + amount * rows.mean(axis=0) if len(rows) else vector
        return np.asarray(moved / max(float(np.linalg.norm(moved)), 1e-9), np.float32)
