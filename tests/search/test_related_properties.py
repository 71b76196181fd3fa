"""What holds for related notes in any vault: tiny ones, notes all alike, long journals."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.search.likeness import BEST, BREADTH, TOP, by_vectors, combined, some_of
from knapper.search.matrix import Floats, Matrix
from knapper.search.noise import CEILING, FIXED, Noise, noise_of, part_above
from tests.search.world import world

DIMENSIONS = 48


def unit(rows: Floats) -> Floats:
    """Rows of length one."""
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True), np.float32)


def random_rows(count: int, seed: int = 0) -> Floats:
    """Directions that have nothing to do with each other."""
    return unit(np.random.default_rng(seed).standard_normal((count, DIMENSIONS)).astype(np.float32))


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize(
    "notes",
    [
        {},
        {"One.md": "Only this.\n"},
        {"One.md": "", "Two.md": ""},
        {"One.md": "Only this.\n", "Two.md": "Quite another thing here.\n"},
        {f"{number}.md": "The same text in every note.\n" for number in range(70)},
    ],
    ids=["empty", "one", "empty notes", "two", "all alike"],
)
def test_small_and_odd_vaults_have_an_answer(tmp_path: Path, notes: dict[str, str], words: bool) -> None:
    with world(tmp_path, notes) as made:
        for path in (*notes, "Nowhere.md"):
            found = made.paths(path, words=words)
            assert path not in found
            assert len(found) <= 10


def test_copies_of_a_note_are_related_in_a_tiny_vault(tmp_path: Path) -> None:
    notes = {"One.md": "Rye and dough.\n", "Copy.md": "Rye and dough.\n", "Other.md": "Stars above sheds.\n"}
    with world(tmp_path, notes) as made:
        assert made.paths("One.md") == ["Copy.md"]


def test_a_long_journal_does_not_win_by_its_length() -> None:
    """A note of one chunk about the same thing beats a journal of 400 chunks about everything."""
    matrix = Matrix(DIMENSIONS)
    topic = random_rows(1, seed=1)[0]
    near = unit(np.stack([topic + 0.8 * row for row in random_rows(7, seed=2)]))
    rows = np.concatenate([near, random_rows(400, seed=3), random_rows(600, seed=4)])
    notes = [1] * 6 + [2] + [3] * 400 + [4 + number // 3 for number in range(600)]
    matrix.put(range(len(rows)), notes, rows)

    found = by_vectors(matrix.view(), range(6), {1}, 60)

    assert found[0].note == 2
    journal = next((one.score for one in found if one.note == 3), 0.0)
    assert journal < 0.35 < found[0].score


def test_breadth_is_a_part_of_the_chunks() -> None:
    one, many = np.array([[0.5]], np.float32), np.full((1, 24), 0.5, np.float32)
    whole = (BEST + TOP) * 0.5 + BREADTH
    assert [combined(one)[0], combined(many)[0]] == pytest.approx([whole, whole])


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 24), st.integers(0, 2**32 - 1))
def test_more_of_any_share_never_lowers_the_score(count: int, seed: int) -> None:
    shares = np.random.default_rng(seed).random((1, count)).astype(np.float32)
    more = shares.copy()
    more[0, seed % count] = 1.0
    assert combined(more)[0] >= combined(shares)[0] - 1e-6
    assert 0 <= combined(shares)[0] <= BEST + TOP + BREADTH + 1e-6


def test_the_order_of_the_rows_changes_nothing() -> None:
    rows = random_rows(300, seed=5) + random_rows(1, seed=6)
    numbers = list(range(300))
    shuffled = numbers.copy()
    random.Random(3).shuffle(shuffled)
    found = []
    for order in (numbers, shuffled):
        matrix = Matrix(DIMENSIONS)
        matrix.put(order, [number // 4 for number in order], unit(rows)[order])
        view = matrix.view()
        noise = Noise(0.2, CEILING)
        found.append([(one.note, round(one.score, 4)) for one in by_vectors(view, range(4), {0}, 9, noise)])
    assert found[0] == found[1]


def test_noise_lies_above_nearly_all_random_pairs_and_is_the_same_again() -> None:
    matrix = Matrix(DIMENSIONS)
    rows = unit(random_rows(2000, seed=7) + 0.5 * random_rows(1, seed=8))
    matrix.put(range(2000), [number // 5 for number in range(2000)], rows)
    view = matrix.view()

    first = noise_of(view)

    assert first == noise_of(view)
    pairs = np.random.default_rng(9).integers(0, 2000, (2, 20_000))
    cosines = view.centred_pairs(*pairs[:, pairs[0] // 5 != pairs[1] // 5])
    assert np.mean(cosines > first.floor) == pytest.approx(part_above(2000), rel=0.5)
    assert first.ceiling == CEILING


def test_a_small_corpus_has_fixed_thresholds() -> None:
    matrix = Matrix(DIMENSIONS)
    matrix.put(range(63), range(63), random_rows(63))
    assert noise_of(matrix.view()) == FIXED
    alike = Matrix(DIMENSIONS)
    alike.put(range(100), [0] * 100, random_rows(100))
    assert noise_of(alike.view()) == FIXED


def test_windows_of_one_chunk_count_once() -> None:
    """A chunk with two windows is one chunk of the source: breadth and top three do not see it twice."""
    rows = random_rows(70, seed=10)
    rows[1] = rows[0]
    rows[69] = rows[0]
    matrix = Matrix(DIMENSIONS)
    matrix.put([0, 0, *range(2, 70)], [0, 0, *range(2, 70)], rows)
    (best, *_) = by_vectors(matrix.view(), [0], {0}, 5, FIXED)
    assert (best.note, best.source, best.target) == (69, 0, 69)
    assert best.score == pytest.approx(BEST + TOP + BREADTH)


def test_a_long_note_is_looked_at_in_evenly_spread_chunks() -> None:
    assert some_of(range(100), 4) == [0, 25, 50, 75]
    assert some_of(range(3), 4) == [0, 1, 2]
