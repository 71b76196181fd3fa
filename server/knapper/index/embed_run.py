"""Some chunks on their way through a model: planned in runs, one run a step, each failure kept to its text.

Runs on the models' thread; must not touch the index.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np

from knapper.index.tried import Tried
from knapper.models.embedder import FastEmbedder
from knapper.models.ports import ModelError
from knapper.models.runs import plan_runs
from knapper.store.embeddings import packed
from knapper.store.vectors import StoredVector

_MOST_FAILURES = 3
_GUILTY = "Embedding this passage ended the index process again and again; it is left out until it changes."


@dataclass(slots=True)
class Batch:
    """What came of some texts, by their hashes: their vectors window by window, or why there are none."""

    vectors: dict[str, list[bytes]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


Windows = list[tuple[str, int, int, str]]
"""Hash, window, how many windows, text."""


def embed_texts(
    model: FastEmbedder, texts: dict[str, str], tried: Tried
) -> Generator[list[StoredVector], None, Batch]:
    """Embed *texts*, by hash. Yields the vectors of each run; raises `ModelError` if the model only fails."""
    batch = Batch(problems={key: _GUILTY for key in texts if tried.is_guilty(key)})
    windows: Windows = []
    for key, text in texts.items():
        if key not in batch.problems:
            parts = model.windows(text)
            windows += [(key, number, len(parts), part) for number, part in enumerate(parts)]
    found: dict[tuple[str, int], bytes] = {}
    failures = 0
    for run in _runs(model, windows, tried):
        tried.begin({key for key, *_ in run})
        vectors = list(_run(model, run, batch))
        tried.end({key for key, *_ in run})
        failures = 0 if vectors else failures + len(run)
        if failures >= _MOST_FAILURES:
            raise ModelError(f"The model {model.name} fails: {next(iter(batch.problems.values()))}")
        found.update({(it.hash, it.window): it.vector for it in vectors})
        yield vectors
    for key, number, _, _ in windows:
        if key not in batch.problems:
            batch.vectors.setdefault(key, []).append(found[key, number])
    return batch


def _runs(model: FastEmbedder, windows: Windows, tried: Tried) -> list[Windows]:
    """Runs of few tokens; what the process has ended on before goes last, each by itself."""
    calm = [window for window in windows if not tried.is_suspect(window[0])]
    suspect = [[window] for window in windows if tried.is_suspect(window[0])]
    lengths = model.lengths([text for *_, text in calm]) if calm else []
    return [[calm[index] for index in run] for run in plan_runs(lengths)] + suspect


def _run(model: FastEmbedder, run: Windows, batch: Batch) -> list[StoredVector]:
    """The vectors of one run; if it fails, of each text by itself."""
    try:
        rows = model.passages([text for *_, text in run])
    except Exception as error:  # noqa: BLE001 -- One text must not cost the others.
        if len(run) > 1:
            return [vector for window in run for vector in _run(model, [window], batch)]
        batch.problems[run[0][0]] = str(error).partition("\n")[0][:200] or type(error).__name__
        return []
    return list(_stored(run, rows, batch))


def _stored(run: Windows, rows: np.ndarray, batch: Batch) -> Generator[StoredVector, None, None]:
    for (key, number, count, _), row in zip(run, rows, strict=True):
        if np.isfinite(row).all() and row.any():
            yield StoredVector(key, number, count, packed(row))
        else:
            batch.problems[key] = "The model gives no usable vector for this passage."
