"""What a search on the command line uses besides the words: the models that are on this machine, and use.

Models are loaded here, in this very process, and only if the search can do something with them. Nothing is
downloaded. Knows settings, models and the index; must not know how hits are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from knapper.base.exclusion import read_exclusion
from knapper.base.settings import Settings
from knapper.cli.opened import OpenedVault
from knapper.models.choice import embedder_choice, folder_named, has_downloads
from knapper.models.embedder import load_embedder
from knapper.models.ports import MissingModel, ModelError
from knapper.models.ports import Reranker as Model
from knapper.models.reranker import load_reranker
from knapper.search.hybrid import Mode
from knapper.search.journal import Journal, journal_file
from knapper.search.passage import PASSAGE_VERSION
from knapper.search.pipeline import Aids
from knapper.search.port import Meaning, Reranker
from knapper.search.salience import Salience
from knapper.search.semantic import VectorMeaning, caught_up
from knapper.vault.paths import NotePath

_OFF = "Search by meaning is switched off in the settings; this is full text."
_NO_MODEL = "Only words were searched: `knapper models fetch` gets a model for their meaning."
_NO_VECTORS = "Only words were searched: no passage has a vector yet; `knapper index` makes them."


def aids_for(vault: OpenedVault, mode: Mode, today: date) -> tuple[Aids, list[str]]:
    """What a search of *vault* may use, and remarks on models that are there and cannot be used."""
    settings = vault.settings
    remarks: list[str] = []
    meaning, why, reranker = None, "", None
    if mode != "text":
        meaning, why = _meaning(vault)
        unwanted = why == _NO_MODEL and settings["embeddings.download"] == "never"
        if mode == "hybrid" and (unwanted or not embedder_choice(settings)):
            why = ""  # The person wants it so, and need not be told.
        reranker, trouble = _reranker(settings)
        remarks += [trouble] if trouble else []
    salience = salience_of(vault, today) if settings["salience.enabled"] else None
    return Aids(meaning, reranker, salience, why), remarks


def salience_of(vault: OpenedVault, today: date) -> Salience:
    """The use of the vault's notes as its journal has it, and which of them do not age."""
    ageless, _ = read_exclusion(vault.settings["salience.evergreen"])

    def evergreen(path: NotePath) -> bool:
        return ageless is not None and ageless.holds(path)

    return Salience(today, Journal(journal_file(vault.root)).uses(), evergreen)


def _meaning(vault: OpenedVault) -> tuple[Meaning | None, str]:
    """The vectors of the index with the model that made them; or None and why."""
    choice = embedder_choice(vault.settings)
    if choice is None:
        return None, _OFF
    changes = vault.reader.vectors_since()
    matrix = caught_up(None, changes)
    if matrix is None:
        return None, _NO_VECTORS if folder_named(choice.model) or has_downloads() else _NO_MODEL
    try:
        model = load_embedder(choice, PASSAGE_VERSION)
    except ModelError as error:
        return None, f"{error} This is full text."
    if model.fingerprint != changes.fingerprint:
        return None, "The vectors of the notes are of another model; this is full text."
    return VectorMeaning(matrix.view(), lambda text: (model.query(text), ""), _missing(vault)), ""


def _missing(vault: OpenedVault) -> str:
    """What is to be said while not every passage has been seen to."""
    counts = vault.reader.counts()
    missing = counts.chunks - counts.meaning.embedded
    said = f"{missing} of {counts.chunks} passages have no vector yet; `knapper index` makes them."
    return said if missing > 0 else ""


def _reranker(settings: Settings) -> tuple[Reranker | None, str]:
    """The reranker if it is on this machine; or None, and why if it is there and of no use."""
    name = settings["reranker.model"]
    if not name or not (folder_named(name) or has_downloads()):
        return None, ""  # Then no library need be loaded to find that out.
    try:
        return _LoadedReranker(load_reranker(name)), ""
    except MissingModel:
        return None, ""
    except ModelError as error:
        return None, f"The reranker is switched off: {error}"


class _LoadedReranker:
    """The port of the search over a model in this process."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def scores(self, query: str, passages: Sequence[str]) -> tuple[Sequence[float] | None, str]:
        """A score for each passage; or None and why, in a sentence."""
        try:
            return self._model.scores(query, passages), ""
        except ModelError as error:
            return None, f"The reranker was left out: {error}"
