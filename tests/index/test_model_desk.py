"""What is said, offered and answered about models: with none, with broken ones, with a reranker."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knapper.index.messages import (
    Embedded,
    EmbedQuery,
    Event,
    FetchModel,
    ModelFetched,
    ModelWanted,
    Notice,
    QueryVector,
    Rerank,
    Reranked,
)
from knapper.index.model_room import ModelRoom
from knapper.index.model_thread import InPlace, Job, Steps
from tests.index.studio import Studio, at_once, new_room, sections
from tests.index.workshop import Server, Workshop, until
from tests.model import lay_out_constant_reranker, lay_out_lexical_reranker, lay_out_model

Told = Callable[[Any], None]
BGE = "BAAI/bge-small-en-v1.5"


def _said(studio: Studio, kind: type[Event]) -> list[Event]:
    return [event for event in studio.events if isinstance(event, kind)]


def _studio(workshop: Workshop, model: Path | str = BGE, **settings: object) -> Studio:
    studio = Studio(workshop, new_room(), model, **settings)
    studio.run()
    return studio


def test_without_a_model_a_small_vault_is_told_nothing_but_why_there_are_no_vectors(
    workshop: Workshop,
) -> None:
    workshop.write("A.md", "A note.\n")
    studio = _studio(workshop)
    reason = f"The model {BGE} is not downloaded."
    assert studio.events == [Embedded(str(workshop.root), 0, 0, 0, reason)]
    assert studio.ask(EmbedQuery("", 5, "x")) == QueryVector(str(workshop.root), 5, "", None, reason)


def test_a_vault_of_64_chunks_is_offered_the_model_once_on_a_machine(workshop: Workshop) -> None:
    workshop.write("A.md", sections([f"thing{number}" for number in range(63)]))
    assert _said(_studio(workshop), ModelWanted) == []
    workshop.write("B.md", "One more.\n")
    studio = _studio(workshop)
    assert _said(studio, ModelWanted) == [ModelWanted(str(workshop.root), BGE, 147)]
    studio.reopen()
    studio.run()
    assert len(_said(studio, ModelWanted)) == 1


@pytest.mark.parametrize(
    "settings", [{"embeddings_download": "never"}, {"embeddings_enabled": False}], ids=["never", "off"]
)
def test_nothing_is_offered_to_who_does_not_want_it(workshop: Workshop, settings: dict[str, object]) -> None:
    workshop.write("A.md", sections([f"thing{number}" for number in range(64)]))
    assert _said(_studio(workshop, **settings), ModelWanted) == []


def test_search_by_meaning_that_is_switched_off_says_so(workshop: Workshop) -> None:
    studio = _studio(workshop, embeddings_enabled=False)
    answer = studio.ask(EmbedQuery("", 5, "x"))
    assert answer == QueryVector(str(workshop.root), 5, "", None, "Search by meaning is switched off.")


def test_a_download_without_a_network_fails_at_once_with_one_message(
    workshop: Workshop, servers: list[Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    workshop.write("A.md", "A note.\n")
    server = Server(workshop, "one")
    servers.append(server)
    server.done(server.open(**{"embeddings.download": "auto"}))
    fetched = server.hear(lambda event: isinstance(event, ModelFetched))
    reason = (
        f"The model {BGE} could not be downloaded: HF_HUB_OFFLINE is set."
        " Search goes on with full text; `knapper models fetch` tries again."
    )
    assert fetched == ModelFetched(server.vault, 0, BGE, reason)
    assert [event.message for event in server.heard if isinstance(event, Notice)] == [reason]
    ticket = server.send(FetchModel)
    again = server.hear(lambda event: isinstance(event, ModelFetched))
    assert again == ModelFetched(server.vault, ticket, BGE, reason)


def test_a_broken_model_folder_is_told_once_and_works_as_soon_as_it_is_whole(
    workshop: Workshop, servers: list[Server], tmp_path: Path
) -> None:
    workshop.write("A.md", "Of cats.\n")
    folder = lay_out_model(tmp_path / "model")
    (folder / "tokenizer.json").unlink()
    server = Server(workshop, "one")
    servers.append(server)
    server.done(server.open(**{"embeddings.model": str(folder)}))
    notice = server.hear(lambda event: isinstance(event, Notice))
    assert isinstance(notice, Notice)
    assert notice.message == (
        f"The model folder {folder} has no tokenizer.json. Search goes on with full text."
    )
    lay_out_model(folder)
    server.hear(lambda event: isinstance(event, Embedded) and event.done == event.total == 1)
    assert until(lambda: workshop.reader().counts().meaning.model) == str(folder)


def test_a_reranker_answers_with_scores_and_a_broken_one_is_switched_off(
    workshop: Workshop, tmp_path: Path
) -> None:
    workshop.write("A.md", "A note.\n")
    lexical = lay_out_lexical_reranker(tmp_path / "lexical")
    studio = _studio(workshop, reranker_model=str(lexical))
    passages = ("no such word", "the red car")
    assert studio.ask(Rerank("", 1, "red car", passages)) == Reranked(str(workshop.root), 1, (0.0, 1.0))
    constant = lay_out_constant_reranker(tmp_path / "constant")
    studio = _studio(workshop, reranker_model=str(constant))
    answer = studio.ask(Rerank("", 2, "red car", passages))
    assert isinstance(answer, Reranked)
    assert answer.scores is None
    assert "scores an answer and an unrelated sentence the same" in (answer.reason or "")
    studio = _studio(workshop, reranker_model="")
    assert studio.ask(Rerank("", 3, "red car", passages)) == Reranked(
        str(workshop.root), 3, None, "Reranking is switched off."
    )


def test_status_tells_how_far_the_vectors_are_and_which_notes_have_none(
    workshop: Workshop, tmp_path: Path
) -> None:
    workshop.write("A.md", "Of cats.\n")
    workshop.write("B.md", "Of dogs.\n")
    studio = Studio(workshop, new_room(), lay_out_model(tmp_path / "model"))
    studio.run()
    studio.embedding.note_models(None)
    connection = workshop.reader().connection
    connection.execute("UPDATE embedding SET problem = 'no', vector = NULL WHERE id = 2")
    meaning = workshop.reader().counts().meaning
    assert (meaning.embedded, [why for _, why in meaning.failed]) == (1, ["no"])
    assert (meaning.model, meaning.reason) == (str(tmp_path / "model"), None)
    assert meaning.memory > 1_000_000
    statuses = connection.execute("SELECT status, why FROM embeddings ORDER BY status").fetchall()
    assert statuses == [("failed", "no"), ("indexed", None)]
    studio.reopen()
    studio.run()
    assert workshop.reader().counts().meaning.failed == ()


def test_no_model_means_that_no_library_is_loaded(workshop: Workshop, servers: list[Server]) -> None:
    workshop.write("A.md", "A note.\n")
    server = Server(workshop, "one")
    servers.append(server)
    server.done(server.open())
    server.hear(lambda event: isinstance(event, Embedded))
    maps = Path(f"/proc/{server.client.pid}/maps")
    if os.path.exists(maps):  # noqa: PTH110 -- Only Linux tells.
        assert "onnxruntime" not in maps.read_text()


def test_a_model_that_nobody_wants_any_more_is_let_go_of_and_loaded_again_when_asked_for(
    tmp_path: Path,
) -> None:
    now = 0.0
    room = ModelRoom(InPlace(), at_once, lambda: now)
    names = [str(lay_out_lexical_reranker(tmp_path / f"reranker {number}")) for number in range(3)]
    loaded = []
    for name in names:
        room.reranker(name)
        first = room.reranker(names[0]).model  # It is wanted all the time.
        loaded.append([room.reranker(name).model is not None, first is not None])
        now += 301
    room.reranker(names[0])
    there = [bool(standing and standing.model) for standing in map(room.known_reranker, names)]

    assert loaded == [[True, True]] * 3
    assert there == [True, False, True]
    assert room.reranker(names[1]).model or room.reranker(names[1]).model


def test_a_model_folder_that_was_away_while_it_was_loaded_is_loaded_again(tmp_path: Path) -> None:
    folder, elsewhere = lay_out_lexical_reranker(tmp_path / "reranker"), tmp_path / "elsewhere"
    now = 0.0

    class Unlucky(InPlace):
        """The first time the folder is away, and back when that has failed."""

        def submit(self, rank: int, steps: Steps, done: Told, each: Told = lambda _: None) -> Job:
            if now > 0:
                return super().submit(rank, steps, done, each)
            folder.rename(elsewhere)
            try:
                return super().submit(rank, steps, done, each)
            finally:
                elsewhere.rename(folder)

    room = ModelRoom(Unlucky(), at_once, lambda: now)
    failed = room.reranker(str(folder))
    now = 10.0
    room.reranker(str(folder))
    found = room.reranker(str(folder))

    assert failed.model is None
    assert found.model is not None
