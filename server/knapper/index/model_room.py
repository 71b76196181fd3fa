"""The models of one process: which are there, which are being loaded, and why one is not to be had.

Used by the main thread; loading runs on the models' thread, downloading on one of its own. Must not know
vaults.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from knapper.base.folders import cache_folder
from knapper.base.progress import Progress
from knapper.index.model_thread import LOAD, Runner
from knapper.index.tried import Tried
from knapper.models.choice import EmbedderChoice, folder_named, has_downloads, models_folder
from knapper.models.download import EMBEDDER, RERANKER, fetch
from knapper.models.embedder import FastEmbedder, load_embedder
from knapper.models.ports import DamagedModel, MissingModel, ModelError
from knapper.models.reranker import CrossEncoder, load_reranker
from knapper.search.passage import PASSAGE_VERSION

M = TypeVar("M")
_LOOK_AGAIN = 2.0
_KEPT = 600.0
"""A model that nobody has asked for in so many seconds goes when another of its kind is at work."""
_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Standing(Generic[M]):
    """How it is with one model: it is there, or `reason` says why not yet or not at all."""

    model: M | None = None
    reason: str | None = None
    loading: bool = False
    missing: bool = False  # it could be downloaded
    damaged: bool = False  # it should be downloaded again


class ModelRoom:
    """Loads models when they are asked for, each once."""

    def __init__(
        self,
        runner: Runner,
        later: Callable[[Callable[[], None]], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.runner = runner
        self._later = later
        self._clock = clock
        self._standings: dict[object, Standing[Any]] = {}
        self._stamps: dict[object, object] = {}
        self._looked: dict[str, float] = {}
        self._asked: dict[object, float] = {}  # when somebody last wanted a model
        self._tried: Tried | None = None
        self._fetching: dict[str, list[Callable[[str | None], None]]] = {}  # who waits for the end

    def embedder(self, choice: EmbedderChoice) -> Standing[FastEmbedder]:
        """The embedder, or why there is none; loading it begins with the first time it is asked for."""
        return self._standing(choice, choice.model, lambda: load_embedder(choice, PASSAGE_VERSION))

    def loaded(self, choice: EmbedderChoice) -> FastEmbedder | None:
        """The embedder, if it is loaded already."""
        standing = self._standings.get(choice)
        self._asked[choice] = self._clock()
        return standing.model if standing else None

    def reranker(self, name: str) -> Standing[CrossEncoder]:
        """The reranker, or why there is none."""
        return self._standing(("reranker", name), name, lambda: load_reranker(name))

    def known_reranker(self, name: str) -> Standing[CrossEncoder] | None:
        """The same, if anybody has asked for it before."""
        self._asked["reranker", name] = self._clock()
        return self._standings.get(("reranker", name))

    def give_up(self, choice: EmbedderChoice, reason: str) -> None:
        """The embedder was loaded and does not work."""
        self._standings[choice] = Standing(reason=reason)

    def fetch(self, name: str, kind: str, progress: Progress, ended: Callable[[str | None], None]) -> None:
        """Download a model; *ended* gets None or what went wrong. Both are called in the main thread."""
        if name in self._fetching:
            self._fetching[name].append(ended)
            return
        self._fetching[name] = [ended]

        def told(what: str, done: int, total: int) -> None:
            self._later(lambda: progress(what, done, total))

        def run() -> None:
            reason = None
            try:
                fetch(name, kind, told)
            except ModelError as error:
                reason = str(error)
            except Exception as error:  # noqa: BLE001 -- The library raises all sorts, and a person waits.
                _log.exception("A model could not be downloaded")
                reason = f"The model {name} could not be downloaded: {error}"
            self._later(lambda: self._fetched(name, reason))

        threading.Thread(target=run, name="download", daemon=True).start()

    def close(self) -> None:
        """The process ends as it should."""
        if self._tried is not None:
            self._tried.close()

    def _fetched(self, name: str, reason: str | None) -> None:
        waiting = self._fetching.pop(name)
        if reason is None:
            for key in [key for key in self._standings if _name_of(key) == name]:
                del self._standings[key]
        for ended in waiting:
            ended(reason)

    def _standing(self, key: object, name: str, load: Callable[[], M]) -> Standing[M]:
        self._asked[key] = self._clock()
        self._look_again(name)
        self._release(key)
        if key not in self._standings:
            self._stamps[name] = _stamp(name)  # Before: what changes meanwhile is news.
            self._standings[key] = self._begin(key, name, load)
        return self._standings[key]

    def _release(self, at_work: object) -> None:
        """Let go of the models that nobody wants any more beside the one *at_work*: each holds 100 MB."""
        if (standing := self._standings.get(at_work)) is None or standing.model is None:
            return
        since = self._clock() - _KEPT
        for key, standing in list(self._standings.items()):
            if type(key) is type(at_work) and standing.model is not None and self._asked[key] < since:
                del self._standings[key], self._asked[key]

    def _look_again(self, name: str) -> None:
        """Forget what was wrong with a model once its files are others."""
        now = self._clock()
        if now - self._looked.get(name, 0.0) < _LOOK_AGAIN or name not in self._stamps:
            return
        self._looked[name] = now
        if _stamp(name) != self._stamps[name]:
            for key, standing in list(self._standings.items()):
                if _name_of(key) == name and standing.model is None and not standing.loading:
                    del self._standings[key]

    def _begin(self, key: object, name: str, load: Callable[[], M]) -> Standing[M]:
        if folder_named(name) is None and not has_downloads():
            return Standing(reason=f"The model {name} is not downloaded.", missing=True)
        if self._tried is None:
            self._tried = Tried(cache_folder() / "loading.json")
        tried, mark = self._tried, f"{key}"
        if tried.is_guilty(mark):
            return Standing(
                reason=f"Loading the model {name} ended the process again and again, so it is left alone"
                " for a day. `knapper models test` tells more."
            )

        def steps() -> Generator[None, None, M]:
            tried.begin([mark])
            try:
                return load()
            finally:
                tried.end([mark])
            yield  # It is one step, and a generator all the same.

        standing = Standing[M](reason=f"The model {name} is being loaded.", loading=True)
        self._standings[key] = standing
        self.runner.submit(LOAD, steps(), lambda result: self._loaded(key, result))
        return self._standings[key]

    def _loaded(self, key: object, result: object) -> None:
        if not isinstance(result, Exception):
            self._standings[key] = Standing(model=result)
            return
        if not isinstance(result, ModelError):
            _log.error("A model could not be loaded", exc_info=result)
        self._standings[key] = Standing(
            reason=str(result) or type(result).__name__,
            missing=isinstance(result, MissingModel),
            damaged=isinstance(result, DamagedModel) and folder_named(_name_of(key)) is None,
        )


def _name_of(key: object) -> str:
    return key.model if isinstance(key, EmbedderChoice) else key[1] if isinstance(key, tuple) else ""


def _stamp(name: str) -> object:
    """What changes when the files of a model do, also when they go and come back while it is loaded."""
    folder = folder_named(name)
    files = [models_folder(), models_folder() / "fetched.json"]
    if folder is not None:
        files = [folder, folder / "model.onnx", folder / "tokenizer.json", folder / "tokenizer_config.json"]
    return [_times_of(file) for file in files]


def _times_of(file: Path) -> tuple[int, int] | None:
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns


KINDS = {EMBEDDER: "embeddings.model", RERANKER: "reranker.model"}
"""The settings that name models."""
