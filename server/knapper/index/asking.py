"""What one server asks of models for one vault, and what it is offered: vectors, scores, downloads.

Answers at once with a reason where a model is not to be had: nobody's search waits for a model to load. Must
not know the index beyond which set of vectors serves.
"""

from __future__ import annotations

from collections.abc import Generator
from datetime import date

from knapper.base.settings import Settings
from knapper.index.embed import Embedding
from knapper.index.messages import (
    Asking,
    EmbedQuery,
    Event,
    FetchModel,
    Indexing,
    ModelFetched,
    ModelWanted,
    Notice,
    QueryVector,
    Rerank,
    Reranked,
)
from knapper.index.model_room import ModelRoom, Standing
from knapper.index.model_thread import QUERY, RERANK
from knapper.index.surroundings import Surroundings
from knapper.models.choice import EmbedderChoice, embedder_choice, folder_named, megabytes
from knapper.models.download import EMBEDDER, RERANKER, is_offline, was_fetched
from knapper.models.embedder import FastEmbedder
from knapper.models.offer import NOT_NOW, may_offer, remember_offer
from knapper.models.reranker import CrossEncoder

OFFERED_FROM = 64
"""A vault with fewer chunks gains too little by a download."""

_OFF = "Search by meaning is switched off."
_NO_RERANKER = "Reranking is switched off."
_AT_ONCE = 5


class ModelDesk:
    """Answers for the vault *vault*."""

    def __init__(self, vault: str, around: Surroundings, room: ModelRoom) -> None:
        self._vault, self._around, self._room = vault, around, room
        self._considered: object = None
        self._tried_to_fetch = False
        self._said: set[str] = set()

    def accept(self, request: Asking, settings: Settings, serving: str | None) -> None:
        """Answer. *serving* is the choice, as text, that made the vectors which are used now."""
        match request:
            case EmbedQuery():
                self._embed_query(request, settings, serving)
            case Rerank():
                self._rerank(request, settings)
            case FetchModel(name=name, ticket=ticket):
                self._fetch(ticket, settings, name)

    def reranker(self, settings: Settings) -> Standing[CrossEncoder] | None:
        """How it is with the reranker, if anybody has asked for it."""
        name = settings["reranker.model"]
        return self._room.known_reranker(name) if name else Standing(reason=_NO_RERANKER)

    def consider(self, settings: Settings, embedding: Embedding) -> None:
        """See whether the embedder that a vault lacks is to be downloaded, offered or complained about."""
        if embedding.choice is None:
            return
        standing = self._room.embedder(embedding.choice)
        if standing.model is not None or standing.loading:
            return
        now = (standing.reason, settings["embeddings.download"], embedding.rows.meta("passed"))
        if now != self._considered:
            self._considered = now
            self._lacking(standing, embedding.choice.model, settings, embedding)

    def _lacking(
        self, standing: Standing[FastEmbedder], name: str, settings: Settings, embedding: Embedding
    ) -> None:
        download = settings["embeddings.download"]
        if standing.missing or standing.damaged:
            known = was_fetched(name)
            if (download == "auto" or (known and download == "ask")) and not self._tried_to_fetch:
                self._tried_to_fetch = True
                if known:
                    self._notice(f"{standing.reason} It is downloaded again.")
                self._fetch(0, settings, "")
            elif standing.missing and download == "ask" and embedding.rows.chunks() >= OFFERED_FROM:
                self._offer(name, settings)
            elif standing.damaged:
                self._notice(f"{standing.reason} `knapper models fetch` downloads it again.")
        else:
            self._notice(f"{standing.reason} Search goes on with full text.")

    def _offer(self, name: str, settings: Settings) -> None:
        """Say that a model would be of use, unless that was said on this machine not long ago."""
        today = date.today()  # noqa: DTZ011 -- A person's week is that of the machine's clock.
        if folder_named(name) is not None or is_offline() or not may_offer(today):
            return
        remember_offer(name, NOT_NOW, today)  # At once: other vaults and servers are not to ask too.
        size = sum(megabytes(model) for model, _ in _downloads(settings))
        self._tell(ModelWanted(self._vault, name, size))

    # --- answers ---

    def _embed_query(self, request: EmbedQuery, settings: Settings, serving: str | None) -> None:
        choice = embedder_choice(settings)
        if choice is not None and serving is not None:
            choice = EmbedderChoice.from_text(serving) or choice
        if choice is None:
            self._tell(QueryVector(self._vault, request.ticket, "", None, _OFF))
            return
        standing = self._room.embedder(choice)
        model = standing.model
        if model is None:
            self._tell(QueryVector(self._vault, request.ticket, "", None, standing.reason))
            return

        def steps() -> Generator[None, None, tuple[float, ...]]:
            return tuple(model.query(request.text).tolist())
            yield

        def done(result: tuple[float, ...] | Exception) -> None:
            if isinstance(result, Exception):
                reason = f"The model {model.name} failed: {result}"
                self._tell(QueryVector(self._vault, request.ticket, model.fingerprint, None, reason))
            else:
                self._tell(QueryVector(self._vault, request.ticket, model.fingerprint, result))

        self._room.runner.submit(QUERY, steps(), done)

    def _rerank(self, request: Rerank, settings: Settings) -> None:
        name = settings["reranker.model"]
        standing = self._room.reranker(name) if name else Standing[CrossEncoder](reason=_NO_RERANKER)
        model = standing.model
        if model is None:
            self._tell(Reranked(self._vault, request.ticket, None, standing.reason))
            return

        def steps() -> Generator[None, None, tuple[float, ...]]:
            scores: list[float] = []
            for start in range(0, len(request.passages), _AT_ONCE):  # A query may slip in between.
                scores += model.scores(request.query, request.passages[start : start + _AT_ONCE])
                yield
            return tuple(scores)

        def done(result: tuple[float, ...] | Exception) -> None:
            if isinstance(result, Exception):
                reason = f"The reranker {model.name} failed: {result}"
                self._tell(Reranked(self._vault, request.ticket, None, reason))
            else:
                self._tell(Reranked(self._vault, request.ticket, result))

        self._room.runner.submit(RERANK, steps(), done)

    # --- downloads ---

    def _fetch(self, ticket: int, settings: Settings, name: str) -> None:
        """Download one model after the other, and say how it went."""
        wanted = [(model, kind) for model, kind in _downloads(settings) if name in ("", model)]
        if not wanted:
            reason = f"The settings name no model {name} that could be downloaded."
            self._tell(ModelFetched(self._vault, ticket, name, reason))
        else:
            self._fetch_next(ticket, wanted, wanted[0][0])

    def _fetch_next(self, ticket: int, wanted: list[tuple[str, str]], first: str) -> None:
        (name, kind), *rest = wanted

        def ended(reason: str | None) -> None:
            if reason is None and rest:
                self._fetch_next(ticket, rest, first)
                return
            if reason is not None and ticket == 0:
                self._notice(reason)
            self._tell(ModelFetched(self._vault, ticket, first, reason))

        self._room.fetch(name, kind, self._progress, ended)

    def _progress(self, what: str, done: int, total: int) -> None:
        self._tell(Indexing(self._vault, what, done, total))

    def _notice(self, message: str) -> None:
        if message not in self._said:
            self._said.add(message)
            self._tell(Notice(self._vault, "warning", message))

    def _tell(self, event: Event) -> None:
        self._around.tell(event)


def _downloads(settings: Settings) -> list[tuple[str, str]]:
    """The models of the settings that are no folders, the embedder first."""
    choice = embedder_choice(settings)
    names = [(choice.model, EMBEDDER)] if choice else []
    names.append((settings["reranker.model"], RERANKER))
    return [(name, kind) for name, kind in names if name and folder_named(name) is None]
