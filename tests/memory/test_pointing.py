"""A question that was selected in a note: what of that note may answer it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from knapper.memory.asked import Evidence, Origin, Question
from knapper.memory.evidence import gather
from knapper.text.lines import Text
from knapper.text.span import Span
from knapper.vault.paths import NotePath
from tests.memory.notebook import Notebook
from tests.search.library import Library, library

PLAN = "Call the plumber.\n\nHow often do I fold the dough? The dough is wet.\n\nWhat colour is the hangar?\n"
NOTES = {
    NotePath("Bread.md"): "# Bread\n\nFold the dough every half hour, four times.\n",
    NotePath("Plan.md"): PLAN,
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    made = library(tmp_path_factory.mktemp("pointing"), NOTES)
    yield made
    made.reader.close()


def selected(indexed: Library, words: str, *, sending: bool = False) -> Evidence:
    """What is found for words that were selected in the plan."""
    start = PLAN.index(words)
    place = Text(PLAN).place(Span(start, start + len(words)))
    question = Question(words, origin=Origin(NotePath("Plan.md"), place))
    return gather(question, Notebook(indexed).memory, sending=sending)


@pytest.mark.parametrize("sending", [True, False])
def test_a_selected_question_is_no_answer_to_itself(indexed: Library, sending: bool) -> None:
    found = selected(indexed, "How often do I fold the dough?", sending=sending)
    nothing = selected(indexed, "What colour is the hangar?", sending=sending)

    assert found.answers
    assert found.passages[0].path == "Bread.md"
    assert [passage.text for passage in found.passages if "How often" in passage.text] == []
    assert not nothing.answers
    assert nothing.withheld == 0


def test_what_stands_around_it_may_be_one(indexed: Library) -> None:
    found = selected(indexed, "How often do I fold the dough?")

    around = [passage.text for passage in found.passages if passage.path == "Plan.md"]
    assert around == ["The dough is wet.\n\nWhat colour is the hangar?"]


def test_of_a_sentence_of_which_a_word_was_selected_nothing_is_left_out(indexed: Library) -> None:
    found = selected(indexed, "plumber")

    assert found.answers
    assert found.passages[0].text == PLAN.strip()


def test_the_same_question_when_it_is_typed_may_be_answered_by_what_stands_below_it(indexed: Library) -> None:
    typed = gather(Question("What colour is the hangar?"), Notebook(indexed).memory, sending=False)

    assert typed.answers
