"""Models tried out on this machine: golden pairs and a speed test. Must not know how it is shown."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from knapper.base.settings import Settings
from knapper.models.choice import embedder_choice, folder_named, has_downloads
from knapper.models.download import EMBEDDER, RERANKER, verify, was_fetched
from knapper.models.folder import read_folder
from knapper.models.ports import ModelError

KINDS = {
    EMBEDDER: (
        ("loadSeconds", "seconds to load"),
        ("dimensions", "dimensions"),
        ("passagesPerSecond", "passages of 250 tokens a second"),
        ("shortPassagesPerSecond", "passages of 100 tokens a second"),
        ("queryMilliseconds", "milliseconds for a query"),
    ),
    RERANKER: (
        ("loadSeconds", "seconds to load"),
        ("milliseconds", "milliseconds for 30 passages of 200 tokens"),
    ),
}
"""What is measured of a model of each kind, with its unit in words."""

_LINE = "the garden behind the old house was full of apple trees and bees in the early summer light"


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of trying a model; `problem` says why it is not used."""

    kind: str
    name: str
    problem: str | None = None
    figures: dict[str, float] = field(default_factory=dict)


def chosen(settings: Settings) -> list[tuple[str, str]]:
    """Kind and name of each model that the settings name."""
    choice = embedder_choice(settings)
    found = [(EMBEDDER, choice.model)] if choice else []
    return [*found, *((RERANKER, name) for name in [settings["reranker.model"]] if name)]


def state_of(kind: str, name: str) -> str:
    """Whether the model is there, in a few words, without loading it."""
    folder = folder_named(name)
    try:
        if folder is not None:
            read_folder(folder)
            return "is a whole folder"
        verify(name)
    except ModelError as error:
        return str(error)
    if was_fetched(name):
        return "is downloaded and whole"
    return "may be there" if has_downloads() and kind else "is not downloaded"


def try_model(kind: str, name: str, settings: Settings) -> Trial:
    """Load the model and measure it. What is wrong becomes the trial's problem."""
    try:
        figures = _try_embedder(settings) if kind == EMBEDDER else _try_reranker(name)
    except ModelError as error:
        return Trial(kind, name, str(error))
    return Trial(kind, name, None, figures)


def _try_embedder(settings: Settings) -> dict[str, float]:
    from knapper.models.embedder import load_embedder  # noqa: PLC0415 -- Only a trial needs it.

    choice = embedder_choice(settings)
    assert choice is not None
    began = time.perf_counter()
    model = load_embedder(choice, 0)
    loaded = time.perf_counter() - began
    return {
        "loadSeconds": round(loaded, 2),
        "dimensions": model.dimensions,
        "passagesPerSecond": round(1 / _seconds(lambda: model.passages([_text(250)]), 8), 1),
        "shortPassagesPerSecond": round(1 / _seconds(lambda: model.passages([_text(100)]), 8), 1),
        "queryMilliseconds": round(1000 * _seconds(lambda: model.query("apple trees in summer"), 8), 1),
    }


def _try_reranker(name: str) -> dict[str, float]:
    from knapper.models.reranker import load_reranker  # noqa: PLC0415 -- The same.

    began = time.perf_counter()
    model = load_reranker(name)
    loaded = time.perf_counter() - began
    passages = [_text(200)] * 30
    seconds = _seconds(lambda: model.scores("apple trees in summer", passages), 1)
    return {"loadSeconds": round(loaded, 2), "milliseconds": round(1000 * seconds, 1)}


def _seconds(work: Callable[[], object], times: int) -> float:
    """How long *work* takes: the median of so many times, or of as many as fit in a second."""
    found: list[float] = []
    while len(found) < times and sum(found) < 1:
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return sorted(found)[len(found) // 2]


def _text(tokens: int) -> str:
    """About so many tokens: every word is one."""
    return " ".join((_LINE.split() * (tokens // 10))[:tokens])
