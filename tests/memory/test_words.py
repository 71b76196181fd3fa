"""The words of a text, and forms of one word."""

from __future__ import annotations

import pytest

from knapper.memory.words import are_forms, content_words, stem


def test_words_are_folded_and_stop_words_left_out() -> None:
    assert content_words("How do the Bees' Straße and Café in 2025 or 12?") == (
        "bees",
        "strasse",
        "cafe",
        "2025",
    )


def test_of_cjk_text_neighbours_are_words() -> None:
    assert content_words("日本語 味") == ("日 本", "本 語", "味")


@pytest.mark.parametrize(
    "forms",
    [
        "bake bakes baked baking",
        "loaf loaves",
        "leaf leaves",
        "city cities",
        "ferment ferments fermentation fermenting",
        "swarm swarming",
        "feed feeds feeding fed",
        "knife knives",
        "kartoffel kartoffeln",
        "заметка заметки заметку заметками",
    ],
)
def test_forms_of_one_word_are_known(forms: str) -> None:
    first, *others = map(stem, forms.split())
    assert [other for other in others if not are_forms(first, other)] == []


@pytest.mark.parametrize(
    ("one", "other"), [("bread", "break"), ("rent", "rest"), ("planet", "plants"), ("сорт", "спорт")]
)
def test_words_that_look_alike_are_not_one(one: str, other: str) -> None:
    assert not are_forms(stem(one), stem(other))
