"""Whether a claim may rest on a passage, and on which words of it."""

from __future__ import annotations

import pytest

from knapper.memory.asked import FoundPassage
from knapper.memory.checks import Grounds, numbers, quotations, stands_in, unfounded
from knapper.memory.quoting import LONGEST, best_quote, place_in
from knapper.text.lines import Text
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath

BREAD = Grounds(
    "Feed the **rye starter** every 12 hours. On 2024-05-07 the [mill](https://mill.org/9) sold 1,500 bags to"
    " [[Ada Lovelace|her]], three of them spelt.\n\n> “Bake it hot”, she said.",
    "Bread Starter Food/Bread.md",
)
OVEN = Grounds("烤箱预热到二百四十度，然后放入面包。")


@pytest.mark.parametrize(
    "claim",
    [
        "You feed the rye starter every 12 hours",
        "Feeding is due every 12 hours",
        "The note says “feed the rye starter”",
        'She wanted to "bake it hot"',
        "The starter is in “Bread”",
        "“Feed … every 12 hours”",
        "“Feed [the rye] starter”",
        "On 7.5.2024 the mill sold 1500 bags",
        "The mill sold 3 bags of spelt to her",
        "“the mill sold 1,500 bags to her”",
    ],
)
def test_a_claim_rests_on_what_stands_there(claim: str) -> None:
    assert not unfounded(claim, [BREAD])
    assert BREAD.shares(claim) or quotations(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "You feed the rye starter every 24 hours",
        "The mill sold 1,500 bags in 2023",
        "The note says “feed the wheat starter”",
        "“Every 12 hours … feed”",
        "The rye starter costs 1.5 pounds",
        "«Bake it cold» said she",
    ],
)
def test_other_numbers_and_other_quotations_are_unfounded(claim: str) -> None:
    assert unfounded(claim, [BREAD, OVEN])


def test_what_several_passages_say_together_is_founded() -> None:
    assert not unfounded("“Bake it hot” for 30 minutes", [BREAD, Grounds("30 minutes")])


@pytest.mark.parametrize(
    ("claim", "shares"),
    [
        ("The capital of France is Paris", False),
        ("Folding and shaping come before the final proof of loaves", False),
        ("The rye starter is fed", True),
        ("Hours", True),
        ("Bread", True),
        ("Bread is the best food of all France", False),
        ("In it for her", False),
        ("Yes", False),
    ],
)
def test_a_claim_needs_words_of_its_passage(claim: str, shares: bool) -> None:
    assert BREAD.shares(claim) is shares


def test_scripts_without_blanks_are_compared_by_characters() -> None:
    assert OVEN.shares("烤箱要预热到二百四十度")
    assert not OVEN.shares("蜜蜂在冬天睡觉")
    assert OVEN.holds("预热到二百四十度")
    assert not OVEN.holds("预热到三百度")


def test_what_many_passages_say_ties_a_claim_to_none() -> None:
    assert BREAD.shares("The rye starter wakes at noon")
    assert not BREAD.shares("The rye starter wakes at noon", {"rye", "starter"})
    assert BREAD.shares("The rye starter", {"rye", "starter"})


def test_what_a_provider_quotes_may_be_joined_without_blanks() -> None:
    assert stands_in("every 12 hours.On 2024-05-07", BREAD.text)
    assert not stands_in("every 12 hours.In 2024", BREAD.text)


def test_quotations_are_what_stands_in_any_quotation_marks() -> None:
    assert quotations('“a” „b“ «c» 「d」 『e』 "f" 5" and 6" \'g\' “…”') == ("a", "b", "c", "d", "e", "f")


def test_numbers_have_their_forms() -> None:
    assert numbers("07 of 1,500 and 2.5 or ３") == (
        frozenset(("7",)),
        frozenset(("1500", "1.500")),
        frozenset(("2.5",)),
        frozenset(("3",)),
    )


TEXT = (
    "## Care\n\n- [ ] Feed the rye starter daily. Keep it warm, at 25 degrees.\n\n"
    "> Bees sleep 🐝 in winter.\n\n日本語の本。次の文。"
)


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("The starter is fed daily", "Feed the rye starter daily."),
        ("It needs 25 degrees", "Keep it warm, at 25 degrees."),
        ("Bees “sleep”", "Bees sleep 🐝 in winter."),
        ("次の文", "次の文。"),
        ("Nothing of it", "Care"),
    ],
)
def test_the_sentence_that_supports_a_claim_best_is_quoted(claim: str, quote: str) -> None:
    assert best_quote(claim, TEXT).of(TEXT) == quote


def test_only_what_lies_within_is_quoted() -> None:
    within = Span(TEXT.index("> Bees"), TEXT.index("日本語"))

    assert best_quote("The starter is fed daily", TEXT, within).of(TEXT) == "Bees sleep 🐝 in winter."


def test_a_long_sentence_is_quoted_in_part() -> None:
    text = "word " * 200

    assert best_quote("word", text).of(text) == ("word " * 200)[: LONGEST - 1].rstrip()


def test_a_quotation_stands_where_its_note_has_it() -> None:
    note = f"intro 🐝 {TEXT}"
    start = len("intro 🐝 ")
    content = Text(note)
    passage = FoundPassage(NotePath("Bees.md"), "Bees", "", content.place(Span(start, len(note))), TEXT, "")

    for words in ("Care", "Bees sleep 🐝 in winter.", "次の文。"):
        span = Span(TEXT.index(words), TEXT.index(words) + len(words))
        assert content.span(place_in(passage, span)).of(note) == words
    assert place_in(passage, Span(0, 7)) == Place(0, 9, 0, 16)
