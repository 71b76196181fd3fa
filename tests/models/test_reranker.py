"""A reranker is used only if it puts golden pairs in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from knapper.models.ports import MissingModel, ModelError
from knapper.models.reranker import load_reranker
from tests.model import lay_out_constant_reranker, lay_out_lexical_reranker, lay_out_reversed_reranker


def test_scores_come_in_the_order_of_the_passages(tmp_path: Path) -> None:
    reranker = load_reranker(str(lay_out_lexical_reranker(tmp_path / "lexical")))
    passages = ["blue " * 400, "a red car", "red", "", "\ud83d", "a car, and red at that " * 90]
    assert reranker.scores("red car", passages) == [0.0, 1.0, 0.5, 0.0, 0.0, 1.0]
    assert reranker.scores("red car", []) == []


def test_one_that_scores_every_pair_the_same_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="scores an answer and an unrelated sentence the same"):
        load_reranker(str(lay_out_constant_reranker(tmp_path / "constant")))


def test_one_that_prefers_nonsense_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="prefers an unrelated sentence"):
        load_reranker(str(lay_out_reversed_reranker(tmp_path / "reversed")))


def test_one_that_is_no_cross_encoder_is_refused(model_folder: Path) -> None:
    with pytest.raises(ModelError):
        load_reranker(str(model_folder))


def test_one_that_is_not_there_is_missing() -> None:
    with pytest.raises(MissingModel):
        load_reranker("Xenova/ms-marco-MiniLM-L-6-v2")
    with pytest.raises(ModelError, match="knows no reranker"):
        load_reranker("nobody/knows")
