"""Topics: notes that are alike come together, and words that tell them apart name them."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import rmtree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.base.cancel import Cancelled, CancelToken
from knapper.index.topics import KeptTopics
from knapper.search.clusters import Clusters, clusters
from knapper.search.grouping import groups
from tests.search.test_related import BEES, BREAD, SKY
from tests.search.world import world

TOPICS = {"Bread": BREAD, "Sky": SKY, "Bees": BEES}
EXTRA = ["Tuesday", "rain", "again", "slowly", "Maren", "winter", "paper", "bucket", "ladder", "string"]
NOTES = {
    f"{name}/{name} {number}.md": f"{words} {extra}\n"
    for name, words in TOPICS.items()
    for number, extra in enumerate(EXTRA)
}


@pytest.mark.parametrize("by_words", [False, True])
def test_notes_of_a_topic_come_together_under_its_words(tmp_path: Path, by_words: bool) -> None:
    with world(tmp_path, NOTES) as made:
        vectors = None if by_words else made.vectors
        found = clusters(made.index, vectors)
        again = clusters(made.index, vectors)
        visible = clusters(made.index, vectors, lambda path: path.startswith("Sky/"))

    assert found == again
    for one in found:
        (topic,) = {path.partition("/")[0] for path in one.notes}
        assert one.label.split(", ")[0] == topic
        assert set(one.words) <= {topic, *TOPICS[topic].split()}
    assert sorted(path for one in found for path in one.notes) == sorted(NOTES)
    assert {path.partition("/")[0] for one in visible for path in one.notes} == {"Bread", "Bees"}


@pytest.mark.parametrize("notes", [{}, {"a.md": "one"}, {f"{n}.md": "" for n in range(9)}])
def test_a_vault_with_nothing_to_group_has_an_answer(tmp_path: Path, notes: dict[str, str]) -> None:
    with world(tmp_path, notes) as made:
        assert clusters(made.index, made.vectors) == clusters(made.index, None) == ()


@pytest.mark.parametrize("by_words", [False, True])
def test_a_kept_answer_is_the_one_from_scratch_and_goes_with_any_change(
    tmp_path: Path, by_words: bool
) -> None:
    seen: list[str] = []

    class Watched(KeptTopics):
        def put(self, basis: str, found: Clusters) -> None:
            seen.append(basis)
            super().put(basis, found)

    def find(notes: dict[str, str], hidden: str = "Nowhere/") -> Clusters:
        rmtree(tmp_path / "vault", ignore_errors=True)
        with world(tmp_path / "vault", notes) as made:
            vectors = None if by_words else made.vectors
            away = re.compile(hidden).match
            found = clusters(
                made.index, vectors, lambda path: bool(away(path)), kept=Watched(tmp_path / "kept")
            )
            assert found == clusters(made.index, vectors, lambda path: bool(away(path)))
        return found

    first = find(NOTES)
    assert (find(NOTES), len(seen)) == (first, 1)
    backwards = dict(reversed(NOTES.items()))  # The numbers of notes and chunks are others.
    assert (find(backwards), len(seen)) == (first, 1)
    visible = find(NOTES, "Sky/")
    assert {path.partition("/")[0] for one in visible for path in one.notes} == {"Bread", "Bees"}
    assert len(seen) == 2
    edited = {**NOTES, "Sky/Sky 3.md": BREAD}
    assert find(edited) != first
    assert len(seen) == 3
    renamed = {("Air/" + path if path == "Sky/Sky 3.md" else path): text for path, text in NOTES.items()}
    assert any("Air/Sky/Sky 3.md" in one.notes for one in find(renamed))
    (tmp_path / "kept").write_text("no JSON")
    assert (find(NOTES), len(seen)) == (first, 5)
    (tmp_path / "kept").unlink()
    assert (find(NOTES), len(seen)) == (first, 6)


def test_looking_for_topics_can_be_cancelled(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with world(tmp_path, NOTES) as made:
        for vectors in (None, made.vectors):
            with pytest.raises(Cancelled):
                clusters(made.index, vectors, token=token)


def test_many_rows_are_grouped_from_the_best_start_of_a_sample() -> None:
    random = np.random.default_rng(7)
    centres = random.standard_normal((5, 16)).astype(np.float32)
    of = random.integers(0, 5, 9000)
    points = (centres[of] + 0.3 * random.standard_normal((9000, 16))).astype(np.float32)

    found = groups(points, 5)

    assert sorted(len(group) for group in found) == sorted(np.bincount(of).tolist())
    assert all(len(set(of[group].tolist())) == 1 for group in found)


def test_notes_that_are_all_alike_are_one_topic(tmp_path: Path) -> None:
    with world(tmp_path, {f"{n}.md": BREAD for n in range(9)}) as made:
        assert [len(one.notes) for one in clusters(made.index)] in ([9], [])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 40), st.integers(0, 8), st.integers(0, 2**32 - 1))
def test_groups_hold_each_row_at_most_once_the_largest_first(rows: int, count: int, seed: int) -> None:
    points = np.random.default_rng(seed).standard_normal((rows, 6)).astype(np.float32)
    found = groups(points, count)
    members = [int(row) for group in found for row in group]

    assert len(members) == len(set(members)) <= rows
    assert len(found) <= count
    assert [len(group) for group in found] == sorted((len(group) for group in found), reverse=True)
    assert [group.tolist() for group in groups(points, count)] == [group.tolist() for group in found]
