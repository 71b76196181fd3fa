"""A vault with an index and with vectors that are made of words: texts with the same words are alike."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from knapper.search.matrix import Floats, Matrix, Vectors
from knapper.search.related import RelatedNote, RelatedOptions, related
from knapper.search.structure import SavedLinks
from knapper.store.words import WordReader
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView
from tests.search.library import library

DIMENSIONS = 64


def direction(word: str) -> Floats:
    """A direction of its own for each word."""
    random = np.random.default_rng(zlib.crc32(word.encode()))
    return random.standard_normal(DIMENSIONS).astype(np.float32)


def vector(text: str) -> Floats:
    """The mean of the directions of the words of *text*, of length one."""
    words = re.findall(r"\w+", text.casefold()) or [""]
    total = np.sum([direction(word) for word in words], axis=0)
    return np.asarray(total / np.linalg.norm(total), np.float32)


@dataclass(frozen=True)
class World:
    """An indexed vault; `vectors` has one row for each chunk."""

    view: VaultView
    index: WordReader
    vectors: Vectors

    def related(
        self, path: str, options: RelatedOptions | None = None, *, words: bool = False
    ) -> tuple[RelatedNote, ...]:
        """The related notes, by meaning or by *words*."""
        vectors = None if words else self.vectors
        return related(NotePath(path), self.index, SavedLinks(self.view), vectors, options)

    def paths(self, path: str, options: RelatedOptions | None = None, *, words: bool = False) -> list[str]:
        """Their paths, best first."""
        return [one.path for one in self.related(path, options, words=words)]


@contextmanager
def world(folder: Path, notes: Mapping[str, str]) -> Iterator[World]:
    """A vault of *notes* in *folder*."""
    saved = library(folder, notes)
    loaded = saved.reader.load()
    rows = saved.reader.connection.execute("SELECT id, note, text FROM chunk WHERE text <> ''").fetchall()
    matrix = Matrix(DIMENSIONS)
    if rows:
        stacked = np.stack([vector(text) for _, _, text in rows])
        matrix.put([chunk for chunk, _, _ in rows], [note for _, note, _ in rows], stacked)
    try:
        yield World(
            VaultView.build(loaded.notes, loaded.files), WordReader(saved.reader.connection), matrix.view()
        )
    finally:
        saved.reader.close()
