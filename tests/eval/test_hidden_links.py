"""A small gate on related notes: links taken out of the example vault are found again, stage by stage."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.eval.hidden_links import BASELINES, Scores, measure
from tests.eval.vectors import KeptVectors
from tests.model import lay_out_model

EXAMPLE = Path(__file__).parents[2] / "examples" / "vault"


@pytest.fixture(scope="module", name="scores")
def fixture_scores(tmp_path_factory: pytest.TempPathFactory) -> Scores:
    """Where the targets come, with the packaged model."""
    folder = tmp_path_factory.mktemp("hidden")
    shutil.copytree(EXAMPLE, folder / "vault")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        kept = KeptVectors(lay_out_model(folder / "model"))
        return measure(folder / "vault", kept.of, most=16)


def test_related_notes_find_hidden_links_better_than_any_baseline(scores: Scores) -> None:
    means = scores.means()
    assert len(scores.numbers) == 16
    assert means["vectors + words + structure"].reciprocal > max(means[name].reciprocal for name in BASELINES)
