"""Searching by meaning on the command line, with the real model and with broken ones."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.transcript import run
from tests.model import lay_out_constant_reranker, lay_out_lexical_reranker, lay_out_model


@pytest.fixture
def settings(vault: Path) -> Path:
    """The person's own settings, with a model that lies in a folder."""
    model = lay_out_model(vault.parent / "model")
    file = Path(os.environ["XDG_CONFIG_HOME"]) / "knapper" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(f'[embeddings]\nmodel = "{model.as_posix()}"\n', encoding="utf-8")
    return file


def found(vault: Path, *words: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(run(vault, "search", *words, "--json", "--explain").stdout)
    return result


def test_notes_are_found_by_meaning_once_they_are_indexed_with_a_model(vault: Path, settings: Path) -> None:
    assert settings.exists()
    assert found(vault, "airship")["remarks"] == [
        "Only words were searched: no passage has a vector yet; `knapper index` makes them."
    ]
    run(vault, "index")
    by_both, by_words, by_meaning = (
        found(vault, "airship", "--mode", mode) for mode in ("hybrid", "text", "semantic")
    )

    assert by_words == {"items": [], "remarks": []}
    assert by_both["remarks"] == ["No note holds these words; these are near to them in meaning."]
    assert by_meaning["remarks"] == []
    assert by_both["items"][0]["path"] == by_meaning["items"][0]["path"] == "Alone.md"
    stages = [stage["name"] for stage in by_both["items"][0]["trace"]]
    assert stages == ["meaning", "salience"]


def test_an_edited_note_is_said_to_have_no_vector_yet(vault: Path, settings: Path) -> None:
    assert settings.exists()
    run(vault, "index")
    (vault / "Alone.md").write_text("A balloon without any link.\n", encoding="utf-8")

    assert found(vault, "oven")["remarks"] == [
        "1 of 4 passages have no vector yet; `knapper index` makes them."
    ]


def test_a_reranker_that_fails_its_test_is_switched_off_and_told(vault: Path, settings: Path) -> None:
    run(vault, "index")
    plain = found(vault, "sourdough oven")
    for layout, remarks in (
        (lay_out_lexical_reranker, []),
        (lay_out_constant_reranker, ["The reranker is switched off: The reranker MODEL scores an answer"]),
    ):
        model = layout(vault.parent / layout.__name__).as_posix()
        written = settings.read_text(encoding="utf-8")
        settings.write_text(f'{written}[reranker]\nmodel = "{model}"\n', encoding="utf-8")
        read = found(vault, "sourdough oven")
        settings.write_text(written, encoding="utf-8")

        said = [remark.replace(model, "MODEL").partition(" and ")[0] for remark in read["remarks"]]
        assert said == remarks
        looked = any(stage["name"] == "reranker" for item in read["items"] for stage in item["trace"])
        assert looked is (not remarks)
        assert {item["path"] for item in read["items"]} == {item["path"] for item in plain["items"]}


def test_who_wants_no_download_is_not_told_of_the_model(vault: Path) -> None:
    assert len(found(vault, "airship")["remarks"]) == 1
    file = Path(os.environ["XDG_CONFIG_HOME"]) / "knapper" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text('[embeddings]\ndownload = "never"\n', encoding="utf-8")
    assert found(vault, "airship")["remarks"] == []
