"""A real model behind the port: right vectors, whole texts, and names for what vectors depend on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knapper.models.choice import EmbedderChoice, folder_named
from knapper.models.embedder import FastEmbedder, load_embedder
from knapper.models.fingerprint import fingerprint
from knapper.models.ports import MissingModel, ModelError
from knapper.models.runs import MOST_TOKENS, plan_runs
from tests.model import lay_out_model


def test_the_cosines_are_those_of_the_model_card(model: FastEmbedder) -> None:
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]
    rows = model.passages(texts)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    cosines = [float(rows[0] @ rows[1]), float(rows[0] @ rows[2]), float(rows[1] @ rows[2])]
    assert np.allclose(cosines, [0.6660, 0.1046, 0.1411], atol=0.01)


def test_a_vector_does_not_depend_on_what_else_is_embedded(model: FastEmbedder) -> None:
    texts = ["a", "A longer text about bread and ovens. " * 8, "", "Of cats.", "Bread. " * 30]
    together = model.passages(texts)
    for index, text in enumerate(texts):
        assert np.allclose(together[index], model.passages([text])[0], atol=0.02)
    assert np.allclose(model.query("Of cats."), together[3], atol=0.02)


def test_any_text_is_embedded(model: FastEmbedder) -> None:
    texts = ["", "\ud83d", "\x00", "\u2028", "x" * 20_000, "猫" * 2_000, "🎉" * 300]
    assert np.isfinite(model.passages(texts)).all()
    assert model.query("word " * 10_000).shape == (384,)


def test_a_text_over_the_limit_becomes_windows_that_lose_nothing(model: FastEmbedder) -> None:
    assert model.windows("Bread > Starter\nshort") == ["Bread > Starter\nshort"]
    words = [f"thing{number}" for number in range(300)]
    windows = model.windows("Bread > Starter\n" + " ".join(words))
    assert len(windows) > 2
    assert max(model.lengths(windows)) < model.limit
    assert all(window.startswith("Bread > Starter\n") for window in windows)
    said = "".join(window.removeprefix("Bread > Starter\n") for window in windows)
    assert said.replace(" ", "") == "".join(words)


def test_the_fingerprint_names_all_that_a_vector_depends_on() -> None:
    same = {"model": "m", "files": "f", "dimensions": 3, "pooling": "", "prefixes": ("", ""), "texts": 1}
    others = {"model": "n", "files": "g", "dimensions": 4, "pooling": "cls", "texts": 2}
    names = {fingerprint(**{**same, name: other}) for name, other in others.items()}  # type: ignore[arg-type]
    names |= {fingerprint(**{**same, "prefixes": it}) for it in [("a", ""), ("", "a")]}  # type: ignore[arg-type]
    assert len(names | {fingerprint(**same)}) == 8  # type: ignore[arg-type]


def test_a_folder_that_is_moved_is_the_same_model_and_one_with_other_files_is_not(
    model: FastEmbedder, model_folder: Path, tmp_path: Path
) -> None:
    moved = shutil.copytree(model_folder, tmp_path / "moved")
    shorter = lay_out_model(tmp_path / "shorter", limit=128)
    assert load_embedder(EmbedderChoice(str(moved)), 1).fingerprint == model.fingerprint
    assert load_embedder(EmbedderChoice(str(shorter)), 1).fingerprint != model.fingerprint


def test_prefixes_are_put_before_texts(model: FastEmbedder, model_folder: Path) -> None:
    prefixed = load_embedder(
        EmbedderChoice(str(model_folder), query_prefix="Of ", passage_prefix="About "), 1
    )
    assert np.allclose(prefixed.query("cats"), model.query("Of cats"), atol=1e-3)
    assert np.allclose(prefixed.passages(["cats"]), model.passages(["About cats"]), atol=1e-3)


def test_threads_of_a_model_sleep_while_they_wait(model: FastEmbedder) -> None:
    """The library has no setting for it: see `models/library.py`."""
    options = model._model.model.model.get_session_options()  # type: ignore[attr-defined]
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"
    assert not options.enable_cpu_mem_arena


def test_running_a_model_leaves_nothing_for_its_makers_to_collect(model_folder: Path, tmp_path: Path) -> None:
    """The runtime numbers the machine, and keeps reports beside that number until it can send them."""
    program = (
        "from knapper.models.choice import EmbedderChoice\n"
        "from knapper.models.embedder import load_embedder\n"
        f"load_embedder(EmbedderChoice({str(model_folder)!r}), 1).query('cats')"
    )
    suppressing = {"CI", "DO_NOT_TRACK", "GITHUB_ACTIONS", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS"}
    own = {name: value for name, value in os.environ.items() if name not in suppressing}
    own |= {
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    subprocess.run([sys.executable, "-c", program], env=own, check=True)

    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_model_that_is_not_there_is_missing_and_one_nobody_knows_is_an_error() -> None:
    with pytest.raises(MissingModel, match=r"^The model BAAI/bge-small-en-v1.5 is not downloaded.$"):
        load_embedder(EmbedderChoice("BAAI/bge-small-en-v1.5"), 1)
    with pytest.raises(ModelError, match=r"^fastembed knows no embedding model called nobody/knows.$"):
        load_embedder(EmbedderChoice("nobody/knows"), 1)


def test_folders_are_told_from_names() -> None:
    assert folder_named("BAAI/bge-small-en-v1.5") is None
    assert folder_named("/models/mine") == Path("/models/mine")
    assert folder_named("~/models/mine") == Path.home() / "models/mine"


@given(lengths=st.lists(st.integers(0, 700)))
def test_a_run_holds_few_tokens_with_padding_and_every_text_is_in_one(lengths: list[int]) -> None:
    runs = plan_runs(lengths)
    assert sorted(index for run in runs for index in run) == list(range(len(lengths)))
    for run in runs:
        assert len(run) == 1 or len(run) * max(lengths[index] for index in run) <= MOST_TOKENS


def test_texts_of_like_length_share_a_run() -> None:
    assert plan_runs([100, 300, 120]) == [[1], [2, 0]]
