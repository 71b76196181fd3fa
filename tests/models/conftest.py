"""A real model's folder, and folders of Knapper's own that nobody else uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from knapper.models.choice import EmbedderChoice
from knapper.models.embedder import FastEmbedder, load_embedder
from tests.model import lay_out_model


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a whole model."""
    return lay_out_model(tmp_path_factory.mktemp("models") / "model")


@pytest.fixture(scope="session")
def model(model_folder: Path) -> FastEmbedder:
    """The model, loaded."""
    return load_embedder(EmbedderChoice(str(model_folder)), 1)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is downloaded yet."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
