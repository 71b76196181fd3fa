"""The vectors in memory: exact, frozen once seen, and centred without a second matrix."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from knapper.search.matrix import Matrix


def unit(rows: NDArray[np.float64]) -> NDArray[np.float32]:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), np.float32)


def random_rows(count: int, seed: int = 0, dimensions: int = 8) -> NDArray[np.float32]:
    return unit(np.random.default_rng(seed).normal(size=(count, dimensions)) + 0.3)


def full(count: int) -> tuple[Matrix, NDArray[np.float32]]:
    """A matrix of *count* chunks numbered from 0, two to a note."""
    rows = random_rows(count)
    matrix = Matrix(8)
    matrix.put(range(count), (number // 2 for number in range(count)), rows)
    return matrix, rows


def test_the_nearest_are_those_of_a_full_sort() -> None:
    matrix, rows = full(300)
    query = random_rows(1, seed=1)[0]

    found = matrix.view().nearest(query, 20)

    order = np.argsort(-(rows @ query), kind="stable")[:20]
    assert [chunk for chunk, _, _ in found] == order.tolist()
    assert [note for _, note, _ in found] == (order // 2).tolist()
    assert [cosine for *_, cosine in found] == pytest.approx((rows @ query)[order].tolist())


def test_only_the_notes_that_may_be_found_are() -> None:
    matrix, _ = full(20)
    view, query = matrix.view(), random_rows(1, seed=1)[0]

    assert {note for _, note, _ in view.nearest(query, 20, among={1, 3, 99})} == {1, 3}
    assert {note for _, note, _ in view.nearest(query, 20, without={1, 3})} == set(range(10)) - {1, 3}
    assert view.nearest(query, 20, among=()) == []


def test_the_best_window_of_a_chunk_counts() -> None:
    matrix = Matrix(8)
    rows = random_rows(60)
    matrix.put([number // 12 for number in range(60)], [number // 12 for number in range(60)], rows)
    query = random_rows(1, seed=1)[0]

    found = matrix.view().nearest(query, 4)

    best = (rows @ query).reshape(5, 12).max(axis=1)
    assert [chunk for chunk, *_ in found] == np.argsort(-best)[:4].tolist()
    assert [cosine for *_, cosine in found] == pytest.approx(np.sort(best)[::-1][:4].tolist())


def test_equally_near_chunks_come_in_their_order() -> None:
    matrix = Matrix(8)
    matrix.put([5, 3, 9, 1], [0, 0, 0, 0], np.repeat(random_rows(1), 4, axis=0))

    assert [chunk for chunk, *_ in matrix.view().nearest(random_rows(1)[0], 3)] == [1, 3, 5]


def test_a_view_does_not_see_what_comes_later() -> None:
    matrix, rows = full(10)
    before = matrix.view()
    seen = before.nearest(rows[3], 10)
    matrix.drop([3])
    matrix.put([4], [2], rows[:1])
    matrix.put(range(100, 3000), range(100, 3000), random_rows(2900, seed=2))

    assert before.nearest(rows[3], 10) == seen
    assert len(before) == 10
    assert len(matrix.view()) == 2909


def test_views_are_the_same_while_nothing_changes() -> None:
    matrix, _ = full(10)

    assert matrix.view() is matrix.view()
    matrix.drop([77])
    assert matrix.view() is matrix.view()


def test_nothing_is_near_in_an_empty_matrix_nor_to_no_vector() -> None:
    assert Matrix(8).view().nearest(random_rows(1)[0], 5) == []
    matrix, _ = full(10)
    assert matrix.view().nearest(np.zeros(8, np.float32), 5) == []
    assert matrix.view().nearest(np.ones(7, np.float32), 5) == []
    assert matrix.view().nearest(np.ones(8, np.float32), 0) == []


def test_rows_of_another_length_are_refused() -> None:
    with pytest.raises(ValueError, match="no 2 rows of 8"):
        Matrix(8).put([1, 2], [1, 2], np.ones((2, 7), np.float32))


def test_centred_cosines_are_those_of_the_rows_less_their_mean() -> None:
    matrix, rows = full(50)
    matrix.drop([7])
    view = matrix.view()
    living = np.delete(rows, 7, axis=0)
    centred = unit(rows - living.mean(axis=0))

    assert view.mean == pytest.approx(living.mean(axis=0), abs=1e-6)
    left = view.rows_of([1, 2])
    assert view.centred(left) == pytest.approx(centred[[1, 2]] @ centred.T, abs=1e-4)
    right = view.rows_of_notes([2])
    assert right.tolist() == [4, 5]
    assert view.centred(left, right) == pytest.approx(centred[[1, 2]] @ centred[[4, 5]].T, abs=1e-4)
    assert view.centred_pairs(left, right) == pytest.approx(
        [centred[1] @ centred[4], centred[2] @ centred[5]], abs=1e-4
    )


def test_rows_that_are_all_alike_are_like_nothing_once_centred() -> None:
    matrix = Matrix(8)
    matrix.put(range(5), range(5), np.repeat(random_rows(1), 5, axis=0))

    assert matrix.view().centred(np.arange(5)) == pytest.approx(np.zeros((5, 5)), abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("put"), st.sets(st.integers(0, 40), min_size=1)),
            st.tuples(st.just("drop"), st.sets(st.integers(0, 40))),
        ),
        max_size=30,
    )
)
def test_after_any_changes_it_is_as_if_made_anew(changes: list[tuple[str, set[int]]]) -> None:
    matrix = Matrix(8)
    kept: dict[int, NDArray[np.float32]] = {}
    for number, (what, chunks) in enumerate(changes):
        if what == "put":
            rows = random_rows(len(chunks), seed=number)
            matrix.put(chunks, chunks, rows)
            kept.update(zip(chunks, rows, strict=True))
        else:
            matrix.drop(chunks)
            kept = {chunk: row for chunk, row in kept.items() if chunk not in chunks}
    anew = Matrix(8)
    if kept:
        anew.put(kept, kept, np.stack(list(kept.values())))
    query = random_rows(1, seed=99)[0]

    found, wanted = matrix.view().nearest(query, 50), anew.view().nearest(query, 50)
    assert [row[:2] for row in found] == [row[:2] for row in wanted]
    assert [row[2] for row in found] == pytest.approx([row[2] for row in wanted], abs=1e-6)
