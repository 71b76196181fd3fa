"""The reranker's order is blended with the given one, never put in its place."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knapper.search.rerank import DEPTH, blended, trouble_with


def test_a_reranker_that_agrees_changes_nothing() -> None:
    assert blended([9.0, 5.0, 1.0, 0.0]) == [(0, 1), (1, 2), (2, 3), (3, 4)]


def test_a_reranker_that_puts_all_upside_down_moves_little() -> None:
    order = [at for at, _ in blended([float(score) for score in range(DEPTH)])]

    assert order != sorted(order)
    assert set(order[:10]) >= {0, 1, 2, 29}


def test_what_it_likes_best_rises_and_what_it_likes_least_falls() -> None:
    assert [at for at, _ in blended([1.0, 2.0, 3.0])] == [0, 1, 2]
    assert [at for at, _ in blended([0.0] * 19 + [1.0])].index(19) == 7
    assert [at for at, _ in blended([-99.0, *[2.0 - at for at in range(29)]])].index(0) == 5


@given(st.lists(st.floats(-10, 10), max_size=DEPTH))
def test_no_hit_is_lost_and_each_rank_is_given_once(scores: list[float]) -> None:
    order = blended(scores)

    assert sorted(at for at, _ in order) == list(range(len(scores)))
    assert sorted(rank for _, rank in order) == list(range(1, len(scores) + 1))


@pytest.mark.parametrize(
    ("scores", "passages", "said"),
    [
        ([1.0, 2.0], 2, ""),
        ([1.0], 1, ""),
        ([1.0, 1.0, 1.0], 3, "it scores all passages the same"),
        ([1.0, math.nan], 2, "its scores are no numbers"),
        ([1.0, math.inf], 2, "its scores are no numbers"),
        ([1.0], 2, "it gave 1 scores for 2 passages"),
    ],
)
def test_scores_that_say_nothing_are_noticed(scores: list[float], passages: int, said: str) -> None:
    assert trouble_with(scores, passages) == said
