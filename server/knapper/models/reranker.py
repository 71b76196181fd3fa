"""A cross-encoder behind fastembed, used only if it puts golden pairs in order.

A model that scores every pair the same, or the wrong way round, loads without any error; it would spoil
every search. Must not know notes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from knapper.models.choice import folder_named, models_folder
from knapper.models.download import verify
from knapper.models.folder import read_folder
from knapper.models.library import cross_encoder, session_options, telling_damage
from knapper.models.ports import ModelError
from knapper.models.runs import plan_runs

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder

GOLDEN = (
    (
        "how long does bread dough rise",
        "Bread dough should rise for about an hour, until it has doubled.",
        "The committee approved the budget for the coming year.",
    ),
    (
        "capital of France",
        "Paris is the capital of France and its largest city.",
        "A sourdough starter is fed with flour and water every day.",
    ),
    (
        "why is the sky blue",
        "The sky is blue because air scatters blue light more than red light.",
        "She parked the car behind the library and walked home.",
    ),
)
"""A query, a passage that answers it, and one that has nothing to do with it."""

_LONGEST = 4_000
"""Characters of a query or a passage that are looked at."""
_DIFFERENT = 1e-4


class CrossEncoder:
    """One loaded reranker."""

    def __init__(self, name: str, model: TextCrossEncoder) -> None:
        self.name = name
        self._model = model

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score a passage; in runs of at most 512 tokens. Raises `ModelError` if they are no numbers."""
        query = _sound(query[:_LONGEST])
        texts = [_sound(text[:_LONGEST]) for text in passages]
        scores = np.zeros(len(texts))
        # Four characters are a token or less; the exact number matters little here.
        for run in plan_runs([(len(query) + len(text)) // 4 + 1 for text in texts]):
            found = self._model.rerank(query, [texts[index] for index in run], batch_size=len(run))
            scores[run] = list(found)
        if not np.isfinite(scores).all():
            raise ModelError(f"The reranker {self.name} gives scores that are no numbers.")
        return [float(score) for score in scores]


def load_reranker(name: str) -> CrossEncoder:
    """The reranker *name*, a fastembed name or a folder, tested. Raises `ModelError` with the reason."""
    folder = folder_named(name)
    with telling_damage(name):
        reranker = CrossEncoder(name, _by_name(name) if folder is None else _in_folder(folder))
        check(reranker)
    return reranker


def check(reranker: CrossEncoder) -> None:
    """Have the golden pairs scored; raises `ModelError` unless each is in order and told apart."""
    for query, good, bad in GOLDEN:
        better, worse = reranker.scores(query, [good, bad])
        if abs(better - worse) < _DIFFERENT:
            raise ModelError(
                f"The reranker {reranker.name} scores an answer and an unrelated sentence the same"
                f" ({better:.3f}); it is not used."
            )
        if better < worse:
            raise ModelError(
                f"The reranker {reranker.name} prefers an unrelated sentence ({worse:.3f}) to the answer of"
                f" “{query}” ({better:.3f}); it is not used."
            )


def _by_name(name: str) -> TextCrossEncoder:
    library = cross_encoder()
    if not any(name.lower() == known["model"].lower() for known in library.list_supported_models()):
        raise ModelError(f"fastembed knows no reranker called {name}.")
    verify(name)
    return library(name, cache_dir=str(models_folder()), **session_options())


def _in_folder(folder: Path) -> TextCrossEncoder:
    found = read_folder(folder)
    library = cross_encoder()  # First: it opens the door, which silences what is behind it.
    from fastembed.common.model_description import ModelSource  # noqa: PLC0415 -- Costs a second.

    name = f"folder {folder} {found.model_file}"
    if not any(name.lower() == known["model"].lower() for known in library.list_supported_models()):
        library.add_custom_model(model=name, sources=ModelSource(hf="folder"), model_file=found.model_file)
    return library(name, specific_model_path=str(folder), **session_options())


def _sound(text: str) -> str:
    """The text without halves of surrogate pairs, which the tokenizer cannot take."""
    return text.encode("utf-8", "replace").decode("utf-8")
