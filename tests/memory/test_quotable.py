"""What of a note can be quoted by itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.memory.quotable import clipped, quotables
from knapper.text.span import Span


def quoted(text: str) -> list[tuple[str, str]]:
    """The kinds and texts of the units."""
    return [(kind, span.of(text)) for span, kind in quotables(text, Span(0, len(text)))]


def test_prose_is_quoted_by_sentences() -> None:
    text = "Heat it. Wait!\nIs it hot? “Yes.” he said\n\nOn paper it takes 3.5 hours."
    assert quoted(text) == [
        ("sentence", "Heat it."),
        ("sentence", "Wait!"),
        ("sentence", "Is it hot?"),
        ("sentence", "“Yes.”"),
        ("sentence", "he said"),
        ("sentence", "On paper it takes 3.5 hours."),
    ]


def test_what_only_looks_like_the_end_of_a_sentence_is_none() -> None:
    for text in ("Ask Dr. Keller, z. B. about No. 3. of them", "A. Okafor bakes, e.g. bread"):
        assert quoted(text) == [("sentence", text)]


def test_chinese_and_japanese_sentences_end_without_a_blank() -> None:
    assert quoted("味噌は急がない。冬に仕込む。終わり") == [
        ("sentence", "味噌は急がない。"),
        ("sentence", "冬に仕込む。"),
        ("sentence", "終わり"),
    ]


def test_items_tables_headings_and_code_are_quoted_whole() -> None:
    text = (
        "## Oven\nIntro:\n- [x] one. Two.\n  goes on\n- two\n1. three\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        "Behind.\n\n```py\nx = 1. y\n\nz\n```\n\n---\n[^1]: A note.\n"
    )
    assert quoted(text) == [
        ("heading", "## Oven"),
        ("sentence", "Intro:"),
        ("item", "one. Two.\n  goes on"),
        ("item", "two"),
        ("item", "three"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("sentence", "Behind."),
        ("code", "```py\nx = 1. y\n\nz\n```"),
        ("item", "A note."),
    ]


def test_a_line_that_is_a_comment_is_not_quoted() -> None:
    text = "Before.\n%%private%%\nI owe Ingrid 220 euros.\n\n%% for later %%\nBehind. %%here%%"
    assert quoted(text) == [
        ("sentence", "Before."),
        ("sentence", "I owe Ingrid 220 euros."),
        ("sentence", "Behind."),
        ("sentence", "%%here%%"),
    ]


def test_quotations_and_callouts_lose_their_first_mark() -> None:
    assert quoted("> [!tip] Title\n> Body here.\n\n> A quote.\n") == [
        ("item", "Title\n> Body here."),
        ("sentence", "A quote."),
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_of_every_kind_are_understood(end: str) -> None:
    assert quoted(f"# A{end}One.{end}- b{end}- c{end}") == [
        ("heading", "# A"),
        ("sentence", "One."),
        ("item", "b"),
        ("item", "c"),
    ]


SENTENCES = " ".join(f"Sentence number {at} is here." for at in range(60))


def test_a_long_passage_is_cut_between_sentences() -> None:
    cut = clipped(SENTENCES, Span(0, len(SENTENCES)), 0, 100)
    assert (
        cut.of(SENTENCES)
        == "Sentence number 0 is here. Sentence number 1 is here. Sentence number 2 is here."
    )


def test_a_long_passage_is_cut_around_what_was_found() -> None:
    at = SENTENCES.index("number 58")
    cut = clipped(SENTENCES, Span(0, len(SENTENCES)), at, 90)
    assert (
        cut.of(SENTENCES)
        == "Sentence number 57 is here. Sentence number 58 is here. Sentence number 59 is here."
    )


TEXTS = st.text(st.sampled_from("ab. \n\r-#>|`1日。[]*"), max_size=80)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.integers(1, 40), st.data())
def test_units_are_in_order_and_a_cut_is_within(text: str, longest: int, data: st.DataObject) -> None:
    found = list(quotables(text, Span(0, len(text))))
    ends = [0, *(unit.span.end for unit in found)]
    assert all(end <= unit.span.start < unit.span.end for end, unit in zip(ends, found, strict=False))
    cut = clipped(text, Span(0, len(text)), data.draw(st.integers(0, len(text))), longest)
    assert 0 <= cut.start <= cut.end <= len(text)
    assert len(cut) <= longest
