"""The vectors of an evaluated vault, made by the real packaged model and kept in the cache folder."""

from __future__ import annotations

import atexit
import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from knapper.base.folders import cache_folder
from knapper.models.choice import EmbedderChoice
from knapper.models.embedder import FastEmbedder, load_embedder
from knapper.search.matrix import Matrix
from knapper.search.passage import PASSAGE_VERSION, embedded_text
from knapper.search.semantic import VectorMeaning
from knapper.store.reader import Reader
from tests.model import lay_out_model

Vectors = NDArray[np.float32]
_AT_A_TIME = 64
_OFTEN = 512
_CHUNKS = """
    SELECT chunk.id, chunk.note, coalesce(note.title, note.name), chunk.above, chunk.text
    FROM chunk JOIN note ON note.id = chunk.note ORDER BY chunk.id"""


class KeptVectors:
    """Vectors by their text, of one model; what is not kept is made. Slow the first time only."""

    def __init__(self, model: Path, told: Callable[[int, int], None] | None = None) -> None:
        self._model = model
        self._told = told
        self._file = cache_folder() / "eval" / "packaged-minilm.npz"
        self._kept: dict[str, Vectors] = {}
        self._new = 0
        atexit.register(self.save)
        if self._file.exists():
            with np.load(self._file) as kept:
                self._kept = dict(zip(kept["keys"].tolist(), kept["rows"], strict=True))

    @cached_property
    def _embedder(self) -> FastEmbedder:
        return load_embedder(EmbedderChoice(str(self._model)), PASSAGE_VERSION)

    def of(self, texts: Sequence[str]) -> Vectors:
        """One row for each text."""
        missing = sorted({text for text in texts if _key(text) not in self._kept}, key=len)
        for start in range(0, len(missing), _AT_A_TIME):
            some = missing[start : start + _AT_A_TIME]
            self._kept.update(zip(map(_key, some), self._embedder.passages(some), strict=True))
            if self._told:
                self._told(start + len(some), len(missing))
        self._new += len(missing)
        if self._new >= _OFTEN:
            self.save()
        return np.stack([self._kept[_key(text)] for text in texts])

    def save(self) -> None:
        """Write down what was made since it was last written down."""
        if not self._new:
            return
        self._new = 0
        self._file.parent.mkdir(parents=True, exist_ok=True)
        keys = np.array(list(self._kept))
        np.savez(self._file, keys=keys, rows=np.stack(list(self._kept.values())))


def meaning_of(reader: Reader, kept: KeptVectors, queries: Iterable[str] = ()) -> VectorMeaning:
    """The vectors of all chunks of an index. *queries* are those that will be asked, to make them at once."""
    rows = reader.connection.execute(_CHUNKS).fetchall()
    texts = [
        embedded_text(title, above.split("\n") if above else [], "", text) for *_, title, above, text in rows
    ]
    kept.of([*texts, *queries])
    vectors = kept.of(texts)
    matrix = Matrix(vectors.shape[1])
    matrix.put([row[0] for row in rows], [row[1] for row in rows], vectors)
    return VectorMeaning(matrix.view(), lambda text: (kept.of([text])[0], ""))


def packaged(folder: Path) -> Path:
    """The packaged model, laid out in *folder*."""
    return lay_out_model(folder)


def _key(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
