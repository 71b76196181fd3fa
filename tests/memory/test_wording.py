"""A question as it is searched, and the words that an answer must speak of."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.memory.asked import Turn
from knapper.memory.wording import searched, understood
from knapper.search.query import parse_query

TODAY = date(2024, 5, 8)


def words(text: str, *before: str) -> tuple[str, ...]:
    """What an answer must speak of, after the questions *before*."""
    return understood(text, [Turn(question, "An answer.") for question in before], TODAY).words


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("What do my notes say about blight?", "blight?"),
        ("Can you tell me how the oven is fired?", "how the oven is fired?"),
        ("Is there anything in my notes about bees?", "bees?"),
        ('Who said "never again"?', "Who said never again ?"),
        ("«Ёлка» и дождь", "Ёлка и дождь"),
        ("tag:bees path:Garden title:Log #honey", "bees Garden Log honey"),
        ("-rye --water well-known", "rye water well-known"),
        ("What is in [[Bread#Crust|the crust]] and [[Rye loaf]]?", "What is in the crust and Rye loaf?"),
        ("What happened on 1 March 2025?", "What happened on 2025-03-01?"),
        ("What happened on March 1st, 2025?", "What happened on 2025-03-01?"),
        ("the 30th of February 2025", "the 30th of February 2025"),
        ("什么是卡片盒笔记法？", "卡片盒笔记法？"),
        ("Как настроить плагин?", "настроить плагин?"),
    ],
)
def test_a_question_is_searched_as_prose(question: str, query: str) -> None:
    assert searched(question) == query


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How often do we feed the Starter?", ("feed", "starter")),
        ("What did I do yesterday?", ()),
        ("What happened in May 2024?", ()),
        ("Summarize this note", ()),
        ("味噌はいつ仕込む？", ("味 噌", "仕 込", "込 む")),
        ("", ()),
        ("???", ()),
    ],
)
def test_dates_and_words_that_only_ask_are_not_what_an_answer_speaks_of(
    question: str, wanted: tuple[str, ...]
) -> None:
    assert words(question) == wanted


def test_a_question_that_says_nothing_alone_is_asked_with_the_one_before() -> None:
    asked = understood("And when?", [Turn("How do I plant tomatoes?", "Deep.")], TODAY)

    assert (asked.query, asked.words, asked.follows) == (
        "How do I plant tomatoes? And when?",
        ("plant", "tomatoes"),
        True,
    )


def test_a_question_with_a_pronoun_goes_back_to_what_it_speaks_of() -> None:
    assert words("How long does it take?", "How do I plant tomatoes?", "And beans?") == (
        "plant",
        "tomatoes",
        "beans",
        "long",
        "take",
    )


def test_a_question_that_stands_alone_is_asked_alone() -> None:
    assert words("Who is Maren?", "How do I plant tomatoes?") == ("maren",)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_no_question_has_syntax_that_narrows(text: str) -> None:
    query = parse_query(understood(text, [Turn(text, "")], TODAY).query, TODAY)

    assert (query.required, query.excluded, query.filters) == ((), (), ())
