"""What a typed query is understood to ask."""

from __future__ import annotations

from datetime import date

import pytest

from knapper.search.query import MOST_TERMS, Query, parse_query

TODAY = date(2024, 5, 8)


def said(text: str) -> str:
    """The parts of a query in one line: `a b +"phrase" -not tag=x 2024-05-01..2024-05-02`."""
    query = parse_query(text, TODAY)
    return " ".join(
        [
            *(term.said for term in query.terms),
            *(f'+"{term.said}"' for term in query.required),
            *(f"-{term.said}" for term in query.excluded),
            *(f"{'-' if f.negated else ''}{f.field}={f.value}" for f in query.filters),
            *(f"{dates.first}..{dates.last}" for dates in query.dates),
        ]
    )


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("sourdough starter", "sourdough starter"),
        ("how do I feed the starter", "feed starter"),
        ("to be or not to be", "to be or not"),
        ("the who", "the who"),
        ('"sour dough" rye', 'rye +"sour dough"'),
        ("“sour dough” rye", 'rye +"sour dough"'),
        ("bread -rye", "bread -rye"),
        ('bread -"rye flour"', "bread -rye flour"),
        ("tag:bread crust", "crust tag=bread"),
        ("tag:#bread/rye/", "tag=bread/rye"),
        ("-tag:done TITLE:oven path:Kitchen/", "-tag=done title=oven path=Kitchen/"),
        ('path:"My Notes/"', "path=My Notes/"),
        ("plan 2024-05", "plan 2024-05-01..2024-05-31"),
        ("notes of last week?", "notes 2024-04-29..2024-05-05"),
        ('"last week"', '+"last week"'),
        ("bread bread Bread", "bread"),
    ],
)
def test_a_query_is_taken_apart(text: str, understood: str) -> None:
    assert said(text) == understood


@pytest.mark.parametrize(
    ("text", "understood"),
    [
        ("foo-bar", "foo-bar"),
        ('a"b', 'a"b'),
        ('"never closed', '"never closed'),
        ("c++", "c++"),
        ("NEAR(a b)", "NEAR(a b)"),
        ("title:", "title:"),
        ("tag:###", "tag:###"),
        ("author:ada", "author:ada"),
        ("-verbose", "verbose"),
        ("don't", "don't"),
        ("#tag [[link]]", "#tag [[link]]"),
        ("AND OR NOT", "AND OR NOT"),
    ],
)
def test_what_does_not_read_as_anything_else_is_text(text: str, understood: str) -> None:
    assert said(text) == understood


@pytest.mark.parametrize("text", ["", "   ", "(* : ^", "-", '""', "🎉", "-- --", "\0", "\u2028"])
def test_a_query_without_a_word_is_empty_and_says_so(text: str) -> None:
    query = parse_query(text, TODAY)

    assert query.empty
    assert len(query.remarks) == 1


def test_a_date_says_how_it_was_read() -> None:
    assert parse_query("last week", TODAY).remarks == ("“last week” was read as 2024-04-29 to 2024-05-05.",)
    assert parse_query("2024-05-01", TODAY).remarks == ()


def test_ten_thousand_words_are_cut_to_what_helps() -> None:
    query = parse_query(" ".join(f"word{number}" for number in range(10_000)), TODAY)

    assert len(query.terms) == MOST_TERMS
    assert query.terms[0].said == "word0"
    assert query.remarks == ("The query is very long: only its first 64 different words were searched.",)


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("sour do", "do"),
        ("sour do ", None),
        ("to the", "the"),
        ('a "b"', None),
        ("a -b", None),
        ("a today", None),
        ("a b a", "a"),
    ],
)
def test_the_last_word_may_still_be_typed(text: str, last: str | None) -> None:
    found = parse_query(text, TODAY).last

    assert (found.said if found else None) == last


def test_an_empty_query_asks_for_nothing() -> None:
    assert Query().empty
    assert not parse_query("tag:x", TODAY).empty


def test_quotation_marks_in_pasted_prose_narrow_nothing() -> None:
    prose = " ".join(f"word{number}" for number in range(25))
    query = parse_query(f'{prose} the "loaf of rye" -dash tag:bread', TODAY)

    assert (query.required, query.excluded, len(query.filters)) == ((), (), 1)
    assert [term.said for term in query.terms[-3:]] == ["loaf", "rye", "dash"]
    assert parse_query('word "loaf of rye" -dash', TODAY).required != ()
