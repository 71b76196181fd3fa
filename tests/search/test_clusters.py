"""Topics: notes that are alike come together, and words that tell them apart name them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.search.clusters import clusters
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
