"""What a search in a job thread uses besides the words: vectors, the models of the index process, and use.

Whatever is missing has its reason in words. Must not know how hits are found or shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from knapper.base.exclusion import read_exclusion
from knapper.base.settings import Settings
from knapper.index.messages import Embedded
from knapper.lsp.asking import Models
from knapper.lsp.usage import Usage, today
from knapper.lsp.vectors import Served
from knapper.models.choice import folder_named
from knapper.models.download import was_fetched
from knapper.search.hybrid import Mode
from knapper.search.pipeline import Aids
from knapper.search.port import Vector
from knapper.search.salience import Salience
from knapper.search.semantic import VectorMeaning
from knapper.vault.paths import NotePath

_OFF = "Search by meaning is switched off; this is full text."
_NO_VECTORS = "No passage has a vector yet."
_UNTIL = "until the vectors of the new model are there."
_ANOTHER = "The vectors of the notes are of another model; they are being made anew."


@dataclass(frozen=True, slots=True)
class Remembered:
    """What one vault has: its vectors as of now, its models, and where its use is written down."""

    served: Served
    models: Models
    usage: Usage
    root: Path


def aids_of(it: Remembered, settings: Settings, mode: Mode) -> Aids:
    """What a search of this mode may use. Not for the main thread: reading the use waits."""
    salience = _salience(it, settings) if settings["salience.enabled"] else None
    if mode == "text":
        return Aids(salience=salience)
    reranker = it.models if reranker_is_there(settings) else None
    if not settings["embeddings.enabled"]:
        # Who switched it off need not be told with each search.
        return Aids(None, reranker, salience, _OFF if mode == "semantic" else "")
    if it.served.vectors is None:
        why = (it.models.embedded and it.models.embedded.reason) or _NO_VECTORS
        return Aids(None, reranker, salience, f"{why} This is full text.")
    meaning = VectorMeaning(
        it.served.vectors, lambda text: _vector(it, text), missing_said(it.models.embedded)
    )
    return Aids(meaning, reranker, salience)


def reranker_is_there(settings: Settings) -> bool:
    """Whether the reranker of the settings is on this machine."""
    name = settings["reranker.model"]
    return bool(name) and (folder_named(name) is not None or was_fetched(name))


def _salience(it: Remembered, settings: Settings) -> Salience:
    ageless, _ = read_exclusion(settings["salience.evergreen"])

    def evergreen(path: NotePath) -> bool:
        return ageless is not None and ageless.holds(path)

    return Salience(today(), it.usage.uses(it.root), evergreen)


def _vector(it: Remembered, text: str) -> tuple[Vector | None, str]:
    fingerprint, vector, why = it.models.vector(text)
    if vector is not None and fingerprint != it.served.fingerprint:
        return None, _ANOTHER
    return vector, why


def missing_said(embedded: Embedded | None) -> str:
    """What is to be said while not every passage has a vector."""
    if embedded is None:
        return ""
    if embedded.lacking is not None:
        passages = "1 passage is" if embedded.lacking == 1 else f"{embedded.lacking} passages are"
        return f"{passages} found by words alone {_UNTIL}" if embedded.lacking else ""
    if embedded.done + embedded.failed >= embedded.total:
        return ""
    return f"{embedded.total - embedded.done} of {embedded.total} passages have no vector yet."
