"""Give every passage of an index a vector in seconds, where a model would take an hour.

A vector is the sum of one random direction for each word, so passages with the same words are alike. Exact
search and related notes take as long as with the model's own, and find something.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knapper.index.passages import Passages, hash_of
from knapper.models.choice import EmbedderChoice
from knapper.store.embedding_writer import EmbeddingRow, EmbeddingWriter
from knapper.store.embeddings import packed

_AT_A_TIME = 1000
_COMMON = 2.0  # How far all vectors point into one direction, as those of a model do.


class Directions:
    """The vector of any text, of *dimensions* numbers."""

    def __init__(self, dimensions: int) -> None:
        self._random = np.random.default_rng(0)
        self._known: dict[str, NDArray[np.float32]] = {}
        self._common = self._random.standard_normal(dimensions).astype(np.float32) * _COMMON

    def of(self, text: str) -> NDArray[np.float32]:
        """A vector of length 1."""
        row = self._common.copy()
        for word in text.lower().split():
            direction = self._known.get(word)
            if direction is None:
                direction = self._random.standard_normal(len(row)).astype(np.float32)
                self._known[word] = direction
            row += direction
        return row / np.float32(np.linalg.norm(row))


def fill(database: Path, choice: EmbedderChoice, fingerprint: str, dimensions: int) -> int:
    """Write the vectors as if the model *choice* had made them; how many."""
    rows = EmbeddingWriter(database)
    passages, directions = Passages(rows), Directions(dimensions)
    rows.set_meta(building=fingerprint)
    while passages.step(fingerprint):
        pass
    missing = [chunk for chunk, _ in rows.missing(fingerprint)]
    for start in range(0, len(missing), _AT_A_TIME):
        done = []
        for source in rows.sources(missing[start : start + _AT_A_TIME]):
            text = passages.text_of(source)
            vectors = (packed(directions.of(text)),) if text else ()
            done.append(EmbeddingRow(source, hash_of(text), vectors))
        rows.put(fingerprint, done)
    rows.serve(fingerprint, serving_choice=choice.as_text())
    rows.close()
    return len(missing)


def embedded_texts(database: Path) -> list[str]:
    """What is embedded of every passage of the index."""
    rows = EmbeddingWriter(database)
    passages = Passages(rows)
    sources = rows.sources([chunk for chunk, _ in rows.missing("none")])
    texts = [passages.text_of(source) for source in sources]
    rows.close()
    return texts
