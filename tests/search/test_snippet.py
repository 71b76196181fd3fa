"""The words that show why a passage was found."""

from __future__ import annotations

import pytest

from knapper.search.snippet import WIDTH, snippet_of
from knapper.text.lines import Text

LONG = " ".join(f"word{number}" for number in range(200))


def shown(passage: str, *words: str) -> tuple[str, str]:
    """The snippet's text, and the matched text that its place covers."""
    snippet = snippet_of(passage, words)
    return snippet.text, Text(passage).span(snippet.place).of(passage)


def test_a_short_passage_is_shown_whole_on_one_line() -> None:
    assert shown("Feed the  starter.\r\nDaily.", "starter") == ("Feed the starter. Daily.", "starter")


def test_headings_before_the_match_are_left_out() -> None:
    assert shown("# Bread\n\n## Starter\n\nFeed it.", "feed") == ("Feed it.", "Feed")
    assert shown("# Bread\n\nFeed it.", "bread") == ("# Bread Feed it.", "Bread")


def test_a_word_without_end_does_not_make_a_snippet_without_end() -> None:
    assert len(shown("x" * 100_000, "x" * 100_000)[0]) <= 2 * WIDTH + 1


def test_the_text_is_as_written_and_not_as_it_was_folded() -> None:
    assert shown("Ein Café in der Straße", "strasse") == ("Ein Café in der Straße", "Straße")


def test_the_place_with_most_different_words_wins() -> None:
    passage = f"rye rye rye. {LONG} The rye starter rises. {LONG}"
    text, matched = shown(passage, "rye", "starter")

    assert matched == "rye starter"
    assert "The rye starter rises." in text


def test_a_long_passage_is_cut_between_words() -> None:
    text, matched = shown(LONG, "word100")

    assert matched == "word100"
    assert text.startswith("…word")
    assert text.endswith("…")
    assert len(text) <= WIDTH + 2
    assert set(text.strip("…").split()) < set(LONG.split())


def test_a_snippet_begins_with_its_sentence_or_line() -> None:
    assert shown(f"{LONG}. The oven is hot.", "oven")[0] == "…The oven is hot."
    assert shown(f"{LONG}\nThe oven is hot.", "oven")[0] == "…The oven is hot."


def test_without_a_match_the_passage_begins_the_snippet() -> None:
    assert shown(f"Beginning {LONG}", "title")[0].startswith("Beginning word0")
    assert shown("", "title") == ("", "")


@pytest.mark.parametrize(
    ("passage", "words", "matched"),
    [
        ("利用结构化知识足够有效精确的导向", ("精", "确"), "精确"),
        ("the self-hosted one", ("hosted",), "hosted"),
        ("call getUserId() now", ("getuserid",), "getUserId"),
        ("you don't say", ("don", "t"), "don't"),
        ("🎉 party\u2028line", ("line",), "line"),
    ],
)
def test_matches_are_found_in_every_script_and_spelling(
    passage: str, words: tuple[str, ...], matched: str
) -> None:
    assert shown(passage, *words)[1] == matched


def test_a_place_stays_on_the_line_of_its_first_match() -> None:
    assert shown("rye and\nstarter", "rye", "starter")[1] == "rye"
