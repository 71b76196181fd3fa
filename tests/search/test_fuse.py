"""Two rankings made one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knapper.search.fuse import DEPTH, Side, fuse

sides = st.lists(
    st.tuples(st.lists(st.integers(0, 30), unique=True, max_size=25), st.floats(0.1, 3)),
    min_size=1,
    max_size=3,
)


def side(name: str, chunks: list[int], weight: float = 1.0) -> Side:
    return Side(name, [(chunk, chunk, 9.0 - at) for at, chunk in enumerate(chunks)], weight)


def test_what_both_sides_found_comes_first() -> None:
    both = fuse([side("words", [1, 2, 3]), side("meaning", [4, 3, 5])])

    assert [candidate.chunk for candidate in both] == [3, 1, 4, 2, 5]


def test_the_first_of_both_sides_has_one_and_each_share_is_by_rank() -> None:
    first, second = fuse([side("words", [1, 2]), side("meaning", [1, 2])])

    assert first.score == pytest.approx(1)
    assert [(stage.name, stage.rank, stage.value) for stage in second.trace] == [
        ("words", 2, 8.0),
        ("meaning", 2, 8.0),
    ]
    assert [stage.score for stage in second.trace] == pytest.approx([0.5 * 61 / 62] * 2)


def test_a_heavier_side_decides() -> None:
    assert [c.chunk for c in fuse([side("words", [1]), side("meaning", [2], 1.5)])] == [2, 1]
    assert [c.chunk for c in fuse([side("words", [1]), side("meaning", [2], 0.5)])] == [1, 2]


def test_a_side_is_looked_at_to_a_depth() -> None:
    assert len(fuse([side("words", list(range(DEPTH + 50)))])) == DEPTH


@given(sides)
def test_scores_lie_between_nothing_and_one_and_nothing_is_lost(
    given_: list[tuple[list[int], float]],
) -> None:
    found = fuse([side(str(at), chunks, weight) for at, (chunks, weight) in enumerate(given_)])

    assert {candidate.chunk for candidate in found} == {chunk for chunks, _ in given_ for chunk in chunks}
    assert all(0 < candidate.score <= 1 + 1e-9 for candidate in found)
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)
