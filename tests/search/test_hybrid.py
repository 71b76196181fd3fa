"""Searching by words and meaning together, with whatever of it is there, and what is said about the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from knapper.search.matrix import Matrix
from knapper.search.pipeline import Aids, SearchOptions, search
from knapper.search.port import Vector
from knapper.search.results import Results
from knapper.search.salience import Salience, Use
from knapper.search.semantic import VectorMeaning
from knapper.store.reader import Reader
from tests.search.library import TODAY, Library, library
from tests.search.test_unsaved import overlay

# Three things that notes here are about; a text's vector says how much it is about each.
_TOPICS = (
    ("bread", "starter", "flour", "oven", "dough", "baker"),
    ("valve", "leak", "pipe"),
    ("river", "boat"),
)
NOTES = {
    "Bread.md": "---\naliases: [Loaf]\n---\nFlour and water make a dough.\n",
    "Oven.md": "---\npinned: true\n---\nThe oven is fired with beech; the baker waits.\n",
    "Valve.md": "---\ntags: [house]\n---\nThe valve DL-11 leaks into the pipe.\n",
    "River.md": "---\ndate: 2024-05-07\n---\nThe boat lies still.\n",
    "Old/Starter.md": "---\ndate: 2019-01-01\n---\nA starter eats flour.\n",
}


def vector_of(text: str) -> Vector:
    words = text.lower()
    amounts = [sum(words.count(word) for word in topic) + 0.01 for topic in _TOPICS]
    return np.asarray(np.array(amounts) / np.linalg.norm(amounts), np.float32)


def meaning_of(made: Library, *, remark: str = "") -> VectorMeaning:
    rows = made.reader.connection.execute("SELECT id, note, text FROM chunk ORDER BY id").fetchall()
    matrix = Matrix(len(_TOPICS))
    matrix.put([r[0] for r in rows], [r[1] for r in rows], np.stack([vector_of(r[2]) for r in rows]))
    return VectorMeaning(matrix.view(), lambda text: (vector_of(text), ""), remark)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return library(tmp_path_factory.mktemp("hybrid"), NOTES)


def ask(made: Library, query: str, aids: Aids, **options: object) -> Results:
    return search(made.index, query, replace(SearchOptions(TODAY), **options), aids=aids)  # type: ignore[arg-type]


def paths(results: Results) -> list[str]:
    return [hit.path for hit in results.hits]


def test_what_is_near_in_meaning_is_found_without_its_words(notes: Library) -> None:
    aids = Aids(meaning_of(notes))
    found = ask(notes, "baker", aids)

    assert paths(found)[0] == "Oven.md"
    assert set(paths(found)[1:3]) == {"Bread.md", "Old/Starter.md"}
    assert found.remarks == ()


def test_words_that_no_note_holds_are_told(notes: Library) -> None:
    found = ask(notes, "leakproof plumbing", Aids(meaning_of(notes)))

    assert paths(found)[0] == "Valve.md"
    assert found.remarks == ("No note holds these words; these are near to them in meaning.",)


@pytest.mark.parametrize(
    ("query", "allowed"),
    [
        ("flour tag:house", {"Valve.md"}),
        ("flour path:Old/", {"Old/Starter.md"}),
        ('"the valve" flour', {"Valve.md"}),
        ("flour -beech", {"Bread.md", "Valve.md", "River.md", "Old/Starter.md"}),
        ("flour yesterday", {"River.md"}),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_filters_hold_for_the_meaning_too(notes: Library, query: str, allowed: set[str], mode: str) -> None:
    assert set(paths(ask(notes, query, Aids(meaning_of(notes)), mode=mode))) == allowed


def test_hidden_notes_are_not_near(notes: Library) -> None:
    found = ask(notes, "dough", Aids(meaning_of(notes)), hidden=lambda path: path == "Oven.md")

    assert "Oven.md" not in paths(found)


@pytest.mark.parametrize("query", ["flour", "the valve", "loaf", "yesterday", "tag:house", "DL-11 flour"])
def test_without_any_aid_the_answer_is_that_of_full_text(notes: Library, query: str) -> None:
    assert ask(notes, query, Aids()) == ask(notes, query, Aids(), mode="text")
    assert ask(notes, query, Aids(meaning_of(notes)), mode="text") == ask(notes, query, Aids(), mode="text")


def test_why_there_is_no_meaning_is_said(notes: Library) -> None:
    def late(_: str) -> tuple[Vector | None, str]:
        return None, "The model did not answer in time."

    slow = Aids(replace(meaning_of(notes), ask=late))
    other = Aids(replace(meaning_of(notes), ask=lambda _: (np.ones(5, np.float32), "")))
    words = paths(ask(notes, "flour", Aids()))

    for aids, mode, remarks in (
        (Aids(), "hybrid", ()),
        (Aids(), "semantic", ("There is no search by meaning yet; this is full text.",)),
        (Aids(why="The model is being loaded."), "hybrid", ("The model is being loaded.",)),
        (slow, "hybrid", ("The model did not answer in time. This is full text.",)),
        (
            other,
            "semantic",
            ("The vectors of the notes are of another model; they are being made anew. This is full text.",),
        ),
    ):
        found = ask(notes, "flour", aids, mode=mode)
        assert (paths(found), found.remarks) == (words, remarks)


def test_that_vectors_are_missing_is_said(notes: Library) -> None:
    found = ask(notes, "flour", Aids(meaning_of(notes, remark="3 of 5 passages are embedded.")))

    assert found.remarks == ("3 of 5 passages are embedded.",)


class RerankerBy:
    """A reranker that scores by a function of the passage."""

    def __init__(self, score: Callable[[str], float], why: str = "") -> None:
        self.score, self.why = score, why
        self.read: list[str] = []

    def scores(self, query: str, passages: Sequence[str]) -> tuple[Sequence[float] | None, str]:
        self.read = [query, *passages]
        return (None, self.why) if self.why else ([self.score(passage) for passage in passages], "")


def test_the_reranker_reads_passages_below_their_titles(notes: Library) -> None:
    reader = RerankerBy(len)
    ask(notes, "beech baker -valve", Aids(meaning_of(notes), reader))

    assert reader.read[:2] == ["beech baker", "Oven\nThe oven is fired with beech; the baker waits."]


def _starters_no_dough(passage: str) -> float:
    return 2.0 * ("starter" in passage) - 1.0 * ("dough" in passage)


def test_a_reranker_changes_the_order_and_loses_nothing(notes: Library) -> None:
    plain = ask(notes, "flour water", Aids(meaning_of(notes)))
    read = ask(notes, "flour water", Aids(meaning_of(notes), RerankerBy(_starters_no_dough)))

    first, second, third, *rest = paths(plain)
    assert (second, third) == ("Old/Starter.md", "Oven.md")
    assert paths(read) == [second, first, third, *rest]
    assert [hit.score for hit in read.hits] == pytest.approx([hit.score for hit in plain.hits])


@pytest.mark.parametrize(
    ("reader", "remark"),
    [
        (RerankerBy(lambda _: 1.0), "The reranker was left out: it scores all passages the same."),
        (RerankerBy(lambda _: float("nan")), "The reranker was left out: its scores are no numbers."),
        (RerankerBy(len, "The reranker did not answer in time."), "The reranker did not answer in time."),
    ],
)
def test_a_reranker_that_says_nothing_is_left_out_and_told(
    notes: Library, reader: RerankerBy, remark: str
) -> None:
    plain = ask(notes, "flour water", Aids(meaning_of(notes)))
    read = ask(notes, "flour water", Aids(meaning_of(notes), reader))

    assert (read.hits, read.remarks) == (plain.hits, (remark,))


@pytest.mark.parametrize("query", ["bread", "Loaf"])
def test_a_name_typed_in_full_needs_no_second_look(notes: Library, query: str) -> None:
    reader = RerankerBy(len)
    found = ask(notes, query, Aids(meaning_of(notes), reader), explain=True)

    assert (paths(found)[0], reader.read) == ("Bread.md", [])
    assert found.remarks == ("The reranker was not asked: the first hit has the query as its name.",)
    assert ask(notes, query, Aids(meaning_of(notes), reader)).remarks == ()


def test_every_trace_adds_up(notes: Library) -> None:
    salience = Salience(TODAY, {"bread.md": Use(TODAY, 3)})
    everything = Aids(meaning_of(notes), RerankerBy(len), salience)

    for query in ("flour water", "bread", "the boat yesterday", "tag:house", "plumbing"):
        for mode in ("hybrid", "text", "semantic"):
            for hit in ask(notes, query, everything, mode=mode).hits:
                assert hit.score == pytest.approx(sum(stage.score for stage in hit.trace))
                assert [stage.name for stage in hit.trace][-1] == "salience"


def test_salience_prefers_the_new_the_pinned_and_the_used_and_loses_nothing(notes: Library) -> None:
    plain = ask(notes, "flour", Aids())
    assert paths(plain) == ["Old/Starter.md", "Bread.md"]
    weighed = ask(notes, "flour", Aids(salience=Salience(TODAY + timedelta(1), {"bread.md": Use(TODAY, 9)})))

    assert paths(weighed) == ["Bread.md", "Old/Starter.md"]
    assert sorted(paths(weighed)) == sorted(paths(plain))
    old = next(hit for hit in weighed.hits if hit.path == "Old/Starter.md")
    assert old.trace[-1].value == pytest.approx(0.85)


def test_meaning_sees_an_unsaved_text_instead_of_the_saved_one(tmp_path: Path) -> None:
    saved = library(tmp_path, {"note.md": "The boat lies still.", "other.md": "A boat."})
    overlay(saved.reader.database, "one", "note.md", "The oven is hot.")
    mine = Library(tmp_path, Reader(saved.reader.database, "one"))
    aids = Aids(meaning_of(mine))  # The matrix holds the vectors of both texts.

    def seen(made: Library, query: str) -> list[tuple[str, str]]:
        hits = ask(made, query, aids, mode="semantic").hits
        return [(hit.path, hit.snippet) for hit in hits]

    assert seen(mine, "baker")[0] == ("note.md", "The oven is hot.")
    assert set(seen(mine, "river")) == {("other.md", "A boat."), ("note.md", "The oven is hot.")}
    assert set(seen(saved, "river")) == {("other.md", "A boat."), ("note.md", "The boat lies still.")}


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
@pytest.mark.parametrize("query", ["to be or not to be", "the", "flour " * 10_000, "\0\ud800", "(* : ^"])
def test_any_query_is_answered(notes: Library, query: str, mode: str) -> None:
    found = ask(notes, query, Aids(meaning_of(notes), RerankerBy(len)), mode=mode)

    assert len(paths(found)) == len(set(paths(found)))
    assert found.hits or found.remarks


@pytest.mark.parametrize(
    "texts", [{"one.md": "flour"}, {f"{number}.md": "the same flour in all" for number in range(30)}]
)
def test_a_single_note_and_notes_that_are_all_alike_are_found(tmp_path: Path, texts: dict[str, str]) -> None:
    made = library(tmp_path, texts)

    found = ask(made, "flour", Aids(meaning_of(made), RerankerBy(len), Salience(TODAY)), limit=50)

    assert sorted(paths(found)) == sorted(texts)
