"""`knapper models`: what is there, fetching, trying out; and what `doctor` and `index` make of a model."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.transcript import check_transcript, run
from tests.model import lay_out_constant_reranker, lay_out_lexical_reranker, lay_out_model


def _set(**settings: Path | str) -> None:
    folder = Path(os.environ["XDG_CONFIG_HOME"]) / "knapper"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f'{name.replace("_", ".")} = "{value}"' for name, value in settings.items()]
    (folder / "config.toml").write_text("\n".join(lines))


def test_no_model_is_needed_and_none_is_fetched_unasked(vault: Path) -> None:
    models = Path(os.environ["XDG_DATA_HOME"]) / "knapper/models"
    check_transcript(
        vault,
        f"""
        $ knapper models list
        embedder  BAAI/bge-small-en-v1.5  is not downloaded
        reranker  Xenova/ms-marco-MiniLM-L-6-v2  is not downloaded
        downloaded models lie in {models}
        """,
    )
    run(vault, "index")
    assert not models.exists()


def test_without_a_network_fetching_fails_in_words_and_at_once(
    vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    result = run(vault, "models", "fetch")
    assert result.exit_code == 2
    assert result.output == (
        "Error: The model BAAI/bge-small-en-v1.5 could not be downloaded: HF_HUB_OFFLINE is set."
        " Search goes on with full text; `knapper models fetch` tries again.\n"
    )
    assert run(vault, "models", "fetch", "nobody/knows").exit_code == 2


def test_a_model_folder_is_tried_and_used(vault: Path, tmp_path: Path) -> None:
    _set(
        embeddings_model=lay_out_model(tmp_path / "model"),
        reranker_model=lay_out_lexical_reranker(tmp_path / "lexical"),
    )
    embedder, reranker = json.loads(run(vault, "models", "test", "--json").stdout)
    assert (embedder["problem"], embedder["dimensions"], reranker["problem"]) == (None, 384, None)
    assert embedder["passagesPerSecond"] > 0
    indexed = json.loads(run(vault, "index", "--json").stdout)
    assert indexed["embedded"] == indexed["chunks"]
    status = json.loads(run(vault, "status", "--json").stdout)
    assert (status["embedded"], status["model"]) == (status["chunks"], str(tmp_path / "model"))


def test_a_broken_model_is_named_by_the_doctor_and_by_a_trial(vault: Path, tmp_path: Path) -> None:
    model = lay_out_model(tmp_path / "model")
    (model / "tokenizer.json").unlink()
    _set(embeddings_model=model, reranker_model=lay_out_constant_reranker(tmp_path / "constant"))
    run(vault, "index")
    result = run(vault, "models", "test", "--json")
    problems = [trial["problem"] for trial in json.loads(result.stdout)]
    assert result.exit_code == 1
    assert problems[0] == f"The model folder {model} has no tokenizer.json."
    assert "the same" in problems[1]
    doctor = run(vault, "doctor", "--json")
    assert doctor.exit_code == 0
    checks = {check["name"]: (check["level"], check["message"]) for check in json.loads(doctor.stdout)}
    assert (checks["embedder"], checks["reranker"]) == (("warn", problems[0]), ("warn", problems[1]))


def test_models_that_are_switched_off_are_none(vault: Path) -> None:
    folder = Path(os.environ["XDG_CONFIG_HOME"]) / "knapper"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text('embeddings.enabled = false\nreranker.model = ""\n')
    assert json.loads(run(vault, "models", "list", "--json").stdout)["models"] == []
    assert run(vault, "models", "test").exit_code == 2
    assert run(vault, "models", "fetch").exit_code == 0
