"""Words that are nearly another word."""

from __future__ import annotations

import pytest

from knapper.search.typos import edit_distance, nearest


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("bread", "bread", 0),
        ("bread", "braed", 1),
        ("bread", "bred", 1),
        ("bread", "breads", 1),
        ("bread", "broad", 1),
        ("sourdough", "suordoguh", 2),
        ("bread", "oven", 3),
        ("", "ab", 2),
    ],
)
def test_the_distance_counts_slips_of_the_hand(one: str, other: str, distance: int) -> None:
    assert edit_distance(one, other, 2) == distance
    assert edit_distance(other, one, 2) == distance


def test_one_slip_is_forgiven_in_a_short_word_and_two_in_a_long_one() -> None:
    assert nearest("oven", ["even", "evening"], 4) == ("even",)
    assert nearest("ovn", ["oven"], 3) == ()
    assert nearest("sordogh", ["sourdough"], 7) == ()
    assert nearest("sourdogh", ["sourdough", "sourdoughs"], 8) == ("sourdough",)


def test_the_word_itself_is_no_suggestion() -> None:
    assert nearest("oven", ["oven"], 4) == ()
