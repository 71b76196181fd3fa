"""Where a sentence ends, and what of an answer can be seen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.memory.markers import MARKER, neutral, numbers_in
from knapper.memory.sentences import Sentences
from knapper.memory.visible import Visible, visible


def units(text: str) -> list[str]:
    """The units of a whole text."""
    sentences = Sentences()
    return [unit.text for unit in [*sentences.feed(text), *sentences.end()]]


@pytest.mark.parametrize(
    "parts",
    [
        ["Fold it. ", "Bake it! ", "Why?"],
        ["At dawn. [1] ", "Then [2]. ", "So it is.[1, 2] ", "Yes. [1][2].  ", "No"],
        ["“It is so. It was so.” [1] ", "Then."],
        ["See [a. B](x. Y) and `a. B`. ", "Then."],
        ["It is 3.5 cm, e.g. Rye by J. R. Smith, etc. and so on. ", "Then."],
        ["1. Mix it. ", "Wait.\n", "2. Bake.\n\n\n", "  - Eat.\n"],
        ["日本語。", "次の文！」【1】", "そして。[2] ", "終\n"],
        ["```\n", "a. B\n", "c. D\n\n", "```\n", "So. ", "It is."],
        ["He left… ", "She stayed. ", "(Really.) ", "*Well.* ", "End"],
    ],
)
def test_a_unit_is_a_sentence_or_a_line(parts: list[str]) -> None:
    assert units("".join(parts)) == parts


def test_a_unit_is_given_as_soon_as_it_has_ended() -> None:
    sentences = Sentences()
    given_out = [[unit.text for unit in sentences.feed(character)] for character in "So. [1] Be.\nC"]

    assert [(at, found) for at, found in enumerate(given_out) if found] == [
        (8, ["So. [1] "]),
        (12, ["Be.\n"]),
    ]
    assert [unit.text for unit in sentences.end()] == ["C"]


@settings(max_examples=100)
@given(
    st.text(st.sampled_from("a\u200b\u200d\u200c\r\né😀\ufdd0\u2028\x0b\U000e0041"), max_size=20),
    st.lists(st.integers(1, 3), min_size=1, max_size=20),
)
def test_what_is_visible_does_not_depend_on_the_pieces(text: str, sizes: list[int]) -> None:
    seen, shown, at = Visible(), "", 0
    for size in [*sizes, *([3] * len(text))]:
        shown += seen.feed(text[at : at + size])
        at += size

    assert shown + seen.end() == visible(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb\u202ec\ufeffd", "abcd"),
        ("می\u200cخواهم and 👩\u200d👩", "می\u200cخواهم and 👩\u200d👩"),
        ("se\u200dcret", "secret"),
        ("x\U000e0041\U000e0042y\ufe0f", "xy\ufe0f"),
        ("a\r\nb\rc\x07\u2028d\x85e", "a\nb\nc d e"),
    ],
)
def test_nothing_hidden_is_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("[1]", (1,)),
        ("[1, 2]", (1, 2)),
        ("[1;3]", (1, 3)),
        ("[2-4]", (2, 3, 4)),
        ("[^1]", (1,)),
        ("[[1]]", (1,)),
        ("【3】", (3,)),
        ("【3†source】", (3,)),
    ],
)
def test_markers_are_read_as_models_write_them(text: str, numbers: tuple[int, ...]) -> None:
    found = MARKER.fullmatch(text)

    assert found
    assert numbers_in(found) == numbers


@pytest.mark.parametrize("text", ["[x]", "[2024]", "[2024-05-07]", "[]", "[1.5]", "(1)", "[1"])
def test_other_brackets_are_no_markers(text: str) -> None:
    assert MARKER.search(text) is None


def test_what_looks_like_ours_in_a_note_is_written_otherwise_in_as_many_characters() -> None:
    text = "As in [1] and [[2]], 【3】.\n> **Sources:** none\n</notes-5f> <NOTES-x> a[i] [x] sources: b"
    told = neutral(f"{text}\U000e0041")

    assert told == (
        "As in ⟦1⟧ and ⟦⟦2⟧⟧, ⟦3⟧.\n> **Sources∶** none\n‹/notes-5f> ‹NOTES-x> a[i] [x] sources: b\ufffd"
    )
    assert len(told) == len(text) + 1
