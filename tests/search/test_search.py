"""Searching a real index: what is found, in which order, and what is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from knapper.base.cancel import Cancelled, CancelToken
from knapper.search.pipeline import SearchOptions, search
from knapper.text.lines import Text
from tests.search.conftest import NOTES
from tests.search.library import TODAY, Library, library


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("sourdough", ["Kitchen/Bread.md"]),
        ("SOURDOUGH", ["Kitchen/Bread.md"]),
        ("baking bread", ["Kitchen/Bread.md", "Daily/2024-05-07.md"]),
        ("loaf", ["Kitchen/Bread.md"]),
        ("DL-11", ["Garden/Log.md"]),
        ("dl 11", ["Garden/Log.md"]),
        ("don't", ["Garden/Log.md"]),
        ("don’t", ["Garden/Log.md"]),
        ("hosted", ["Garden/Server.md"]),
        ("self-hosted", ["Garden/Server.md"]),
        ("selfhosted", []),
        ("getUserId", ["Garden/Server.md"]),
        ("getuserid", ["Garden/Server.md"]),
        ("user", ["Garden/Server.md"]),
        ("snake_case_name", ["Garden/Server.md"]),
        ("snake", ["Garden/Server.md"]),
        ("精确", ["会议.md"]),
        ("天气", ["其他.md"]),
        ("strasse fluss", ["Café.md"]),
        ("cafe", ["Café.md"]),
        ("zeppelin", ["Long.md"]),
        ("pier", ["Emoji.md"]),
        ("overview", ["Overview.md"]),
        ("four beds", ["Overview.md"]),
        ("empty page", ["Empty page.md"]),
        ("only properties", ["Only properties.md"]),
        ("nothing-of-the-kind", []),
    ],
)
def test_words_find_notes(notes: Library, query: str, paths: list[str]) -> None:
    assert notes.found(query) == paths


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ('"rye flour"', ["Kitchen/Bread.md"]),
        ('"flour rye"', []),
        ('"starter motor" oven', ["Kitchen/Oven.md"]),
        ("rye -sourdough", ["Daily/2024-05-07.md"]),
        ("starter -motor", ["Kitchen/Bread.md"]),
        ("tag:kitchen", ["Kitchen/Bread.md"]),
        ("tag:KITCHEN/baking", ["Kitchen/Bread.md"]),
        ("tag:winter", ["Kitchen/Bread.md"]),
        ("tag:garden", ["Garden/Log.md"]),
        ("tag:gard", []),
        ("tag:hollow", ["Only properties.md"]),
        ("starter path:Kitchen/", ["Kitchen/Bread.md", "Kitchen/Oven.md"]),
        ("valve path:Garden/", ["Garden/Log.md"]),
        ("valve path:garden", ["Gardens of old.md", "Garden/Log.md"]),
        ("valve -path:log", ["Gardens of old.md"]),
        ("starter title:oven", ["Kitchen/Oven.md"]),
        ("title:loaf", ["Kitchen/Bread.md"]),
        ("title:over", ["Overview.md"]),
        ("title:zeppelin", []),
    ],
)
def test_phrases_and_filters_narrow(notes: Library, query: str, paths: list[str]) -> None:
    assert notes.found(query) == paths


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("yesterday", ["Daily/2024-05-07.md", "Plan.md"]),
        ("2024-05-07 roof", ["Plan.md", "Daily/2024-05-07.md"]),
        ("rye yesterday", ["Daily/2024-05-07.md", "Plan.md"]),
        ("last week", ["Daily/2024-04-30.md"]),
        ("2023-02", ["Plan.md"]),
    ],
)
def test_a_date_narrows_to_its_notes_and_to_notes_that_write_it(
    notes: Library, query: str, paths: list[str]
) -> None:
    assert sorted(notes.found(query)) == sorted(paths)


def test_a_date_of_no_note_is_text(notes: Library) -> None:
    results = notes.results("rain 2019-03-04")

    assert [hit.path for hit in results.hits] == ["Daily/2024-04-30.md"]
    assert results.remarks == ("No note is of “2019-03-04”; it was searched as text.",)


def test_notes_with_all_words_come_first(tmp_path: Path) -> None:
    made = library(
        tmp_path,
        {
            "one.md": "heron " * 30,
            "two.md": "egret " * 30,
            "both.md": "a heron and, much later in this text, an egret",
        },
    )

    assert made.found("heron egret")[0] == "both.md"


def test_a_title_weighs_more_than_the_text(tmp_path: Path) -> None:
    made = library(tmp_path, {"Heron.md": "Some bird.", "Birds.md": "Heron, heron and heron."})

    assert made.found("heron") == ["Heron.md", "Birds.md"]


def test_a_note_is_one_hit_with_its_best_passage(notes: Library) -> None:
    hit = notes.best("patience")

    assert (hit.path, hit.title, hit.heading) == ("Kitchen/Bread.md", "Bread", "Starter")
    assert "it wants patience." in hit.snippet


@pytest.mark.parametrize(
    ("query", "matched"),
    [
        ("zeppelin", "zeppelin"),
        ("patience", "patience"),
        ("strasse", "Straße"),
        ("pier", "pier"),
        ("精确", "精确"),
        ("gym", "gym"),
    ],
)
def test_the_place_of_a_hit_is_that_of_the_words_in_the_file(
    notes: Library, query: str, matched: str
) -> None:
    hit = notes.best(query)
    text = Text(NOTES[hit.path])

    assert text.span(hit.place).of(text.content) == matched


def test_a_slip_of_the_hand_is_forgiven_and_told(notes: Library) -> None:
    results = notes.results("suordough")

    assert [hit.path for hit in results.hits] == ["Kitchen/Bread.md"]
    assert results.remarks == ("Also searched: sourdough.",)


def test_what_was_typed_comes_before_what_it_may_have_meant(tmp_path: Path) -> None:
    made = library(tmp_path, {"Typed.md": "orbet and stone", "Meant.md": "orbit and stone"})

    assert made.found("orbet stone")[0] == "Typed.md"


def test_a_sentence_without_blanks_is_found_by_its_pairs(notes: Library) -> None:
    results = notes.results("知识导向")

    assert [hit.path for hit in results.hits] == ["会议.md"]
    assert results.remarks == ("Also searched: 知识, 识导, 导向.",)


def test_hidden_notes_are_not_found(notes: Library) -> None:
    results = notes.results("starter", hidden=lambda path: path.startswith("Kitchen/B"))

    assert [hit.path for hit in results.hits] == ["Kitchen/Oven.md"]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("brea", "Kitchen/Bread.md"),
        ("sour bre", "Kitchen/Bread.md"),
        ("star", "Kitchen/Bread.md"),
        ("emp", "Empty page.md"),
    ],
)
def test_as_one_types_the_last_word_may_be_a_beginning(notes: Library, query: str, path: str) -> None:
    assert notes.results(query, typing=True).hits[0].path == path


def test_the_scores_of_a_trace_add_up(notes: Library) -> None:
    for query in ("rye flour starter", "suordough starter", "bread", "yesterday rye", "tag:kitchen"):
        for hit in notes.results(query).hits:
            assert hit.score == pytest.approx(sum(stage.score for stage in hit.trace))
            assert all(stage.rank > 0 for stage in hit.trace)


def test_hits_are_in_the_order_of_their_scores(notes: Library) -> None:
    scores = [hit.score for hit in notes.results("rye flour starter garden valve").hits]

    assert scores == sorted(scores, reverse=True)


def test_signs_alone_find_nothing_and_break_nothing(notes: Library) -> None:
    results = notes.results("(* : ^")

    assert (results.hits, results.remarks) == ((), ("There is no letter or digit to look for.",))


def test_a_filter_that_no_note_passes_is_named(notes: Library) -> None:
    assert notes.results("tag:nowhere bread").remarks == ("No note has the tag nowhere.",)
    assert notes.results('"no such phrase"').remarks == ("No note holds “no such phrase”.",)


def test_ten_thousand_words_are_answered(notes: Library) -> None:
    results = notes.results("sourdough " + " ".join(f"w{number}" for number in range(10_000)))

    assert [hit.path for hit in results.hits] == ["Kitchen/Bread.md"]


def test_a_cancelled_search_stops(notes: Library) -> None:
    token = CancelToken()
    token.cancel()

    with pytest.raises(Cancelled):
        search(notes.index, "bread", SearchOptions(TODAY), token)


def test_a_search_that_is_cancelled_on_its_way_stops(notes: Library) -> None:
    token = CancelToken()

    def hidden(_: str) -> bool:
        token.cancel()
        return False

    with pytest.raises(Cancelled):
        search(notes.index, "bread", SearchOptions(TODAY, hidden=hidden), token)


def test_a_search_can_be_repeated_after_a_cancelled_one(notes: Library) -> None:
    before = notes.found("bread")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        search(notes.index, "bread", SearchOptions(TODAY), token)

    assert notes.found("bread") == before
