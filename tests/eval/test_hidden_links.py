"""A small gate on related notes: links taken out of the example vault are found again, stage by stage."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.eval.hidden_links import Ranks, measure, reciprocal
from tests.eval.vectors import KeptVectors
from tests.model import lay_out_model

EXAMPLE = Path(__file__).parents[2] / "examples" / "vault"
BASELINES = ("same folder", "shared tags", "full text", "centroids")


@pytest.fixture(scope="module", name="ranks")
def fixture_ranks(tmp_path_factory: pytest.TempPathFactory) -> Ranks:
    """Where the targets come, with the packaged model."""
    folder = tmp_path_factory.mktemp("hidden")
    shutil.copytree(EXAMPLE, folder / "vault")
    kept = KeptVectors(lay_out_model(folder / "model"))
    return measure(folder / "vault", kept.of, most=16)


def test_related_notes_find_hidden_links_better_than_any_baseline(ranks: Ranks) -> None:
    best = max(reciprocal(ranks.by_stage[name]) for name in BASELINES)
    assert len(ranks.numbers) == 16
    assert reciprocal(ranks.by_stage["vectors + structure"]) > best
