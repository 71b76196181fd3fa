"""Keeps the vectors of one index equal to its chunks, after everything else and a little at a time.

Only the owner of an index embeds. What is asked of the model goes to the models' thread; what comes back is
written at once, so that nothing is done twice. Must not know pipes, nor how texts are put together.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path

from knapper.base.folders import cache_folder
from knapper.base.settings import Settings
from knapper.index.embed_run import Batch, embed_texts
from knapper.index.former import Former
from knapper.index.memory import memory
from knapper.index.messages import Embedded
from knapper.index.model_room import ModelRoom, Standing
from knapper.index.model_thread import PASSAGES, Job
from knapper.index.passages import Passages, hash_of
from knapper.index.surroundings import Surroundings
from knapper.index.tried import Tried
from knapper.models.choice import EmbedderChoice, embedder_choice
from knapper.models.embedder import FastEmbedder
from knapper.models.reranker import CrossEncoder
from knapper.store.embedding_writer import EmbeddingRow, EmbeddingWriter, Source
from knapper.store.vectors import VectorStore

_Sources = list[tuple[Source, str]]
"""Chunks, each with the hash of its text."""

_CHUNKS = 16
"""So many chunks are looked up and embedded before it is asked again what is most wanted."""
_TOLD_EVERY = 0.5
_USED = 400


class Embedding:
    """The vectors of the index *database* of *vault*."""

    def __init__(self, vault: str, database: Path, around: Surroundings, room: ModelRoom) -> None:
        """Raise a `StoreError` if the index cannot be opened."""
        self.rows = EmbeddingWriter(database)
        self._vectors = VectorStore(cache_folder() / "vectors.db")
        self._passages = Passages(self.rows)
        self._tried = Tried(database.parent / "embedding.json")
        self._vault, self._around, self._room = vault, around, room
        self._choice: EmbedderChoice | None = None
        self._model: FastEmbedder | None = None
        self._first: tuple[str, ...] = ()
        self._version = -1
        self._former = Former(self.rows, room)
        self._former_model: FastEmbedder | None = None
        self._waiting: list[int] = []
        self._waiting_for: FastEmbedder | None = None  # who is to embed them
        self._job: Job | None = None
        self._landing: tuple[FastEmbedder, _Sources, Batch | Exception] | None = None
        self._told: Embedded | None = None
        self._told_at = 0.0
        self._noted: dict[str, str | None] | None = None
        self._to_use: list[str] | None = None  # hashes whose use is still to be remembered

    @property
    def choice(self) -> EmbedderChoice | None:
        """The model that is wanted; None if search by meaning is switched off."""
        return self._choice

    def configure(self, settings: Settings) -> None:
        """Take the settings into account; another model embeds everything anew."""
        choice = embedder_choice(settings)
        if choice != self._choice:
            self._forget_model()
            self._choice = choice

    def prefer(self, paths: Iterable[str]) -> None:
        """Embed these notes before others: they are open."""
        self._first = tuple(dict.fromkeys((*paths, *self._first)))[:100]
        self._version = -1  # What waits is put in order again.

    def close(self) -> None:
        """Stop. What is at work is lost and done again."""
        self._forget_model()
        self._tried.close()
        self._vectors.close()
        self.rows.close()

    # --- working ---

    def step(self) -> bool:
        """Do a little; whether there is more to do at once. False too while the model is at work."""
        if self._landing is not None:
            self._land(*self._landing)
            return True
        if self._choice is None or self._job is not None or self.rows.meta("bulk") != "0":
            return False
        standing = self._room.embedder(self._choice)
        if standing.model is None:
            return self._step_without(standing.reason)
        if standing.model is not self._model:
            self._begin(standing.model)
        return self._step(standing.model)

    def _step(self, model: FastEmbedder) -> bool:
        if self._passages.step(model.fingerprint):
            return True
        if self._is_news(model.fingerprint):
            self._look(model)
        if self._waiting:
            self._embed_some()
            return True
        return self._use_some(model)

    def _step_without(self, reason: str | None) -> bool:
        """The model is not there: what another one has made serves, and is kept up."""
        news = self._is_news("")
        if news:
            self._wait_for_former()
        if news or self._told is None or self._told.reason != reason:
            another = self._former.choice() != self._choice
            self._tell(Embedded(self._vault, 0, 0, 0, reason, self._former.lacking("") if another else None))
        if self._waiting:
            self._embed_some()
            return True
        return False

    def _is_news(self, building: str) -> bool:
        """Whether the index has changed since it was looked at, or the former model is another one now."""
        version, former = self.rows.data_version(), self._former.model(building)
        if version == self._version and former is self._former_model:
            return False
        self._version, self._former_model = version, former
        return True

    def _begin(self, model: FastEmbedder) -> None:
        """Begin with a model that has just been loaded: its set serves at once if there is no other."""
        self._forget_model()
        self._model = model
        assert self._choice is not None
        self.rows.retry_failed(model.fingerprint)
        self._to_use = None

    def _look(self, model: FastEmbedder) -> None:
        """See which chunks have no vectors."""
        if self.rows.meta("building") != model.fingerprint:
            self.rows.set_meta(building=model.fingerprint)
        if self._wait_for_former():
            return
        missing = self.rows.missing(model.fingerprint)
        first = {path: order for order, path in enumerate(self._first)}
        missing.sort(key=lambda item: first.get(item[1], len(first)))
        self._waiting, self._waiting_for = [chunk for chunk, _ in missing], model
        serving = self.rows.meta("serving")
        if not self._waiting or not serving or not self.rows.tally(serving).done:
            self._serve(model, serving)
        self._progress(model, now=not self._waiting)

    def _wait_for_former(self) -> bool:
        """What was edited while the former vectors serve comes first: it is little. Whether there is any."""
        former = self._former_model
        self._waiting, self._waiting_for = self._former.edited(former) if former else [], former
        return bool(self._waiting)

    def _serve(self, model: FastEmbedder, serving: str | None) -> None:
        """The set is complete, or there is no other: it is the one that is used."""
        assert self._choice is not None
        if serving != model.fingerprint:
            self.rows.serve(model.fingerprint, serving_choice=self._choice.as_text())

    def _embed_some(self) -> None:
        """Write what need not be embedded, and have the model do the rest."""
        model = self._waiting_for
        assert model is not None
        taken, self._waiting = self._waiting[:_CHUNKS], self._waiting[_CHUNKS:]
        texts: dict[str, str] = {}
        sources: _Sources = []
        ready: list[EmbeddingRow] = []
        for source in self.rows.sources(taken):
            text = self._passages.text_of(source)
            key = hash_of(text)
            if text:
                texts[key] = text
                sources.append((source, key))
            else:
                ready.append(EmbeddingRow(source, key))
        known = self._vectors.get_many(model.fingerprint, texts)
        ready += [EmbeddingRow(source, key, known[key]) for source, key in sources if key in known]
        self.rows.put(model.fingerprint, ready)
        rest = [(source, key) for source, key in sources if key not in known]
        if rest:
            wanted = {key: texts[key] for _, key in rest}
            self._job = self._room.runner.submit(
                PASSAGES,
                embed_texts(model, wanted, self._tried),
                lambda result: self._landed(model, rest, result),
                lambda vectors: self._vectors.put_many(model.fingerprint, vectors),
            )
        else:
            self._got_on()

    def _landed(self, model: FastEmbedder, sources: _Sources, result: Batch | Exception) -> None:
        """Take what came of a job; it is written with the next step."""
        self._landing = model, sources, result

    def _land(self, model: FastEmbedder, sources: _Sources, result: Batch | Exception) -> None:
        self._landing, self._job = None, None
        if isinstance(result, Exception):
            choice = self._choice if model is self._model else self._former.choice()
            assert choice is not None
            self._room.give_up(choice, str(result))
            return
        found = [
            EmbeddingRow(source, key, result.vectors.get(key, ()), result.problems.get(key))
            for source, key in sources
        ]
        self.rows.put(model.fingerprint, found)
        self._got_on()

    def _got_on(self) -> None:
        if self._model is not None:
            self._progress(self._model, now=not self._waiting)
        if not self._waiting:
            self._version = -1  # Look once more: is the set complete, did chunks change on the way?

    def _use_some(self, model: FastEmbedder) -> bool:
        """Once a run of the program, tell the cache which vectors this vault still has."""
        if self._to_use is None:
            self._to_use = [key for _, key in self.rows.hashes(model.fingerprint, 0, 10_000_000)]
        elif self._to_use:
            self._vectors.use(model.fingerprint, self._to_use[:_USED])
            del self._to_use[:_USED]
            if not self._to_use:
                self._vectors.purge()
        else:
            return False
        return True

    def _forget_model(self) -> None:
        if self._job is not None:
            self._job.cancelled = True
        self._job, self._landing, self._model, self._waiting, self._version = None, None, None, [], -1
        self._waiting_for = None

    # --- telling ---

    def _progress(self, model: FastEmbedder, *, now: bool) -> None:
        if not now and time.monotonic() - self._told_at < _TOLD_EVERY:
            return
        tally = self.rows.tally(model.fingerprint)
        lacking = self._former.lacking(model.fingerprint)
        self._tell(Embedded(self._vault, tally.done, tally.chunks, tally.failed, lacking=lacking))
        if now:
            self._noted = None  # The memory is worth telling again.

    def note_models(self, reranker: Standing[CrossEncoder] | None) -> None:
        """Write down for `status` what is at work here, when that has changed."""
        if self._choice is None:
            return
        standing = self._room.embedder(self._choice)
        if standing.missing or standing.loading or (reranker is not None and reranker.loading):
            return
        facts = {
            "model": standing.model.name if standing.model else None,
            "reason": standing.reason,
            "reranker": reranker.model.name if reranker and reranker.model else None,
            "rerankerReason": reranker.reason if reranker else None,
        }
        if facts != self._noted:
            self._noted = facts
            self.rows.set_meta(models=json.dumps({**facts, "memory": memory()}))

    def _tell(self, event: Embedded) -> None:
        if event != self._told:
            self._told, self._told_at = event, time.monotonic()
            self._around.tell(event)
