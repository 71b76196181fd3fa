"""The vectors of an index as readers see them: all that serve, and what changed since.

Knows the tables; must not know models, nor what vectors are compared for. Belongs to its connection's
thread.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from knapper.store.connection import snapshot
from knapper.store.errors import in_words
from knapper.vault.paths import NotePath

KEPT_GONE = 20_000
"""So many of the last rows of `embedding_gone` are kept; who is further behind loads anew."""


class Mark(NamedTuple):
    """A state of the vectors that a reader has seen."""

    horizon: int  # of the file, which may have been built anew
    fingerprint: str
    last: int
    gone: int


@dataclass(frozen=True, slots=True)
class VectorChanges:
    """What to do to a matrix, in this order: forget everything if `anew`, forget `gone`, add `rows`.

    `chunks` and `notes` (numbers of rows of `chunk` and `note`) lie beside `rows`, which are float32 and of
    length 1. A chunk may have several rows; all of them go when it is among `gone`. Rows of unsaved notes
    are among them, of every server: hide what the search hides.
    """

    mark: Mark
    anew: bool
    chunks: NDArray[np.int64]
    notes: NDArray[np.int64]
    rows: NDArray[np.float32]
    gone: NDArray[np.int64]

    @property
    def fingerprint(self) -> str | None:
        """What made the vectors that serve; None while there are none."""
        return self.mark.fingerprint or None


@dataclass(frozen=True, slots=True)
class Meaning:
    """How far search by meaning is, for `status`. Without a model everything is 0 or None."""

    embedded: int = 0  # chunks that have been seen to
    failed: tuple[tuple[NotePath, str], ...] = ()  # notes with a chunk that has no vector, each with why
    model: str | None = None  # the embedder that the owner of the index has loaded
    reason: str | None = None  # why it has none, if it has tried
    reranker: str | None = None  # the same of the reranker, once anybody has searched
    reranker_reason: str | None = None
    memory: int = 0  # bytes of the owner's index process


def read_meaning(connection: sqlite3.Connection) -> Meaning:
    """How far search by meaning is; inside the caller's transaction."""
    facts = dict(connection.execute("SELECT key, value FROM meta WHERE key IN ('building', 'models')"))
    building = str(facts.get("building") or "")
    (embedded,) = connection.execute(
        "SELECT count(*) FROM embedding WHERE fingerprint = ? AND window = 0 AND problem IS NULL", (building,)
    ).fetchone()
    failed = connection.execute(
        "SELECT note.path, min(problem) FROM embedding JOIN chunk ON chunk.id = embedding.chunk"
        " JOIN note ON note.id = chunk.note WHERE fingerprint = ? AND window = 0 AND problem IS NOT NULL"
        " GROUP BY note.path ORDER BY note.path LIMIT 100",
        (building,),
    ).fetchall()
    models = json.loads(str(facts.get("models") or "{}"))
    return Meaning(
        int(embedded), tuple((NotePath(path), str(why)) for path, why in failed),
        models.get("model"), models.get("reason"), models.get("reranker"), models.get("rerankerReason"),
        int(models.get("memory") or 0),
    )  # fmt: skip


def vectors_since(connection: sqlite3.Connection, mark: Mark | None = None) -> VectorChanges:
    """All vectors that serve, or what changed since *mark*, as of one state of the index."""
    with in_words(), snapshot(connection):
        now = _mark(connection)
        (first,) = connection.execute("SELECT coalesce(min(id), 0) FROM embedding_gone").fetchone()
        anew = (
            mark is None
            or (mark.horizon, mark.fingerprint) != (now.horizon, now.fingerprint)
            or mark.gone + 1 < first
        )
        last, seen = (0, now.gone) if anew or mark is None else (mark.last, mark.gone)
        added = connection.execute(
            "SELECT chunk.id, chunk.note, vector FROM embedding JOIN chunk ON chunk.id = embedding.chunk"
            " WHERE embedding.id > ? AND fingerprint = ? AND vector IS NOT NULL ORDER BY embedding.id",
            (last, now.fingerprint),
        ).fetchall()
        gone = connection.execute(
            "SELECT chunk FROM embedding_gone WHERE id > ? AND fingerprint = ?", (seen, now.fingerprint)
        )
        lost = np.array([chunk for (chunk,) in gone], dtype=np.int64)
    return VectorChanges(now, anew, _numbers(added, 0), _numbers(added, 1), _matrix(added), lost)


def _mark(connection: sqlite3.Connection) -> Mark:
    known = dict(
        connection.execute("SELECT key, value FROM meta WHERE key IN ('horizon', 'serving')").fetchall()
    )
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM embedding").fetchone()
    (gone,) = connection.execute("SELECT coalesce(max(id), 0) FROM embedding_gone").fetchone()
    return Mark(int(known.get("horizon") or 0), str(known.get("serving") or ""), int(last), int(gone))


def packed(row: NDArray[np.float32]) -> bytes:
    """A vector as it lies in a file."""
    return row.astype("<f2").tobytes()


def unpacked(blobs: list[bytes]) -> NDArray[np.float32]:
    """Vectors out of a file, of length 1 again: float16 makes them a little shorter or longer."""
    if not blobs:
        return np.empty((0, 0), dtype=np.float32)
    matrix = np.frombuffer(b"".join(blobs), dtype="<f2").reshape(len(blobs), -1).astype(np.float32)
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    return matrix


def _numbers(rows: list[Any], column: int) -> NDArray[np.int64]:
    return np.array([row[column] for row in rows], dtype=np.int64)


def _matrix(rows: list[Any]) -> NDArray[np.float32]:
    return unpacked([row[2] for row in rows])
