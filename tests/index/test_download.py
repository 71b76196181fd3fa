"""Downloading: only when the person wants it, in the background, from a hub of our own; damage is mended."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from knapper.index.messages import Embedded, FetchModel, Indexing, ModelFetched, Notice
from tests.index.workshop import Server, Workshop
from tests.model import lay_out_model
from tests.models.hub import Hub, running_hub

BGE = "BAAI/bge-small-en-v1.5"
NO_RERANKER = {"reranker.model": ""}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub that the default model comes from."""
    with running_hub(lay_out_model(tmp_path / "on the hub")) as running:
        monkeypatch.setenv("HF_ENDPOINT", running.address)
        monkeypatch.setenv("HF_TOKEN", "secret")
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        yield running


def _embedded(server: Server) -> None:
    server.hear(lambda event: isinstance(event, Embedded) and event.done == event.total == 1)


def test_a_model_is_fetched_when_the_person_asks_and_then_used(
    workshop: Workshop, servers: list[Server], hub: Hub
) -> None:
    workshop.write("A.md", "Of cats.\n")
    server = Server(workshop, "one")
    servers.append(server)
    server.done(server.open(**NO_RERANKER))
    server.hear(lambda event: isinstance(event, Embedded))
    assert hub.downloads == []
    ticket = server.send(FetchModel)
    fetched = server.hear(lambda event: isinstance(event, ModelFetched))
    assert fetched == ModelFetched(server.vault, ticket, BGE)
    _embedded(server)
    assert "model_optimized.onnx" in hub.downloads
    assert hub.asked_with_token == []
    progress = [event for event in server.heard if isinstance(event, Indexing) and "Download" in event.what]
    assert progress[-1] == Indexing(server.vault, f"Downloading {BGE}", 67, 67)


def test_a_damaged_model_is_noticed_and_fetched_again(
    workshop: Workshop, servers: list[Server], hub: Hub
) -> None:
    workshop.write("A.md", "Of cats.\n")
    first = Server(workshop, "one")
    servers.append(first)
    first.done(first.open(**NO_RERANKER, **{"embeddings.download": "auto"}))
    _embedded(first)
    first.client.stop()
    models = Path(os.environ["XDG_DATA_HOME"]) / "knapper/models"
    weights = next(models.rglob("model_optimized.onnx")).resolve()
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1000])
    hub.downloads.clear()
    second = Server(workshop, "two")
    servers.append(second)
    second.done(second.open(**NO_RERANKER))
    notice = second.hear(lambda event: isinstance(event, Notice))
    assert isinstance(notice, Notice)
    assert notice.message == (
        f"The model {BGE} is damaged: model_optimized.onnx is not as it was downloaded."
        " It is downloaded again."
    )
    _embedded(second)
    assert "model_optimized.onnx" in hub.downloads
    assert next(models.rglob("model_optimized.onnx")).read_bytes() == whole


def test_a_hub_without_the_model_is_told_in_one_sentence(
    workshop: Workshop, servers: list[Server], hub: Hub
) -> None:
    server = Server(workshop, "one")
    servers.append(server)
    server.done(server.open(**{"embeddings.model": "", "reranker.model": "nobody/knows"}))
    ticket = server.send(FetchModel)
    fetched = server.hear(lambda event: isinstance(event, ModelFetched))
    reason = "fastembed knows no reranker called nobody/knows."
    assert fetched == ModelFetched(server.vault, ticket, "nobody/knows", reason)
    assert hub.downloads == []
