"""What the layers above may ask of a model, whatever library runs it. Knows arrays; must not know files.

A *set* of vectors is named by the fingerprint of what made it. Vectors of different fingerprints are never
compared with each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Rows of length 1: a dot product is a cosine."""


class ModelError(Exception):
    """A model cannot be had or used. The message is one or two sentences for a person."""


class MissingModel(ModelError):  # noqa: N818 -- It names what is the case.
    """The model has not been downloaded."""


class DamagedModel(ModelError):  # noqa: N818 -- The same.
    """Files of the model are there and not whole: downloading it again mends that."""


class Embedder(Protocol):
    """Turns texts into vectors. May be used by one thread at a time."""

    @property
    def name(self) -> str:
        """What the person calls the model: a fastembed name or a folder."""

    @property
    def fingerprint(self) -> str:
        """Names everything that a vector depends on besides the text."""

    @property
    def dimensions(self) -> int:
        """How long a vector is."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row a text, (n, d). A text over the model's limit is cut off: see `windows`."""

    def query(self, text: str) -> Vectors:
        """The vector of a query, (d,)."""

    def windows(self, text: str) -> list[str]:
        """The text in pieces that the model can take whole; mostly one."""


class Reranker(Protocol):
    """Says how well passages answer a query. May be used by one thread at a time."""

    @property
    def name(self) -> str:
        """What the person calls the model."""

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score a passage, more is better. They have no unit: compare them within one call only."""
