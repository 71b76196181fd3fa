"""Whatever is typed into a search, it is answered: a query is text, never syntax."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.store.match import any_of, every_of, every_of_with_beginning, in_columns, phrase
from tests.search.library import Library, library

_WRITTEN = (
    """bread DL-11 don't " “ ” - ( ) * ^ : AND OR NOT NEAR( tag: path: title: 2024-05 精确 é 🎉 \\ % #x"""
)
WORDS = st.sampled_from([*_WRITTEN.split(), "{title}", "[[a|b]]", "last week", "\0", "\ud800", "\u2028"])
QUERIES = st.one_of(
    st.text(max_size=60), st.lists(WORDS, max_size=12).map(" ".join), st.lists(WORDS, max_size=8).map("".join)
)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Two notes, indexed."""
    made = library(tmp_path_factory.mktemp("property"), {"Bread.md": "#x flour DL-11", "精确.md": "é 精确"})
    yield made
    made.reader.close()


@given(query=QUERIES, typing=st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_query_is_answered(notes: Library, query: str, typing: bool) -> None:
    results = notes.results(query, typing=typing)

    assert len({hit.path for hit in results.hits}) == len(results.hits)


@given(needles=st.lists(st.text(max_size=20), min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_any_needle_makes_a_valid_expression(notes: Library, needles: list[str]) -> None:
    for expression in (
        phrase(needles[0]),
        any_of(needles),
        every_of(needles),
        every_of_with_beginning(needles),
        in_columns(("title", "body"), any_of(needles)),
    ):
        notes.reader.connection.execute(
            "SELECT count(*) FROM chunk_search WHERE chunk_search MATCH ?", (expression,)
        ).fetchone()
