"""What was asked before is sent along only as long as all that it rests on may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from knapper.base.cancel import CancelToken
from knapper.memory.ask import dry_run
from knapper.memory.asked import Origin, Question
from knapper.memory.conversation import Conversations
from knapper.memory.writer import Writer
from knapper.text.span import Place
from knapper.vault.paths import NotePath
from tests.memory.notebook import Notebook
from tests.memory.writing import DIALECTS, answer_of, parts_of, said, texts_in, writer
from tests.models.providers.wire import Wire, wire
from tests.search.library import Library, library

BREAD, BEES, PLAN = NotePath("Bread.md"), NotePath("Bees.md"), NotePath("Plan.md")
FED = "The starter is fed every 12 hours."
NOTES: dict[str, str] = {
    BREAD: f"# Bread\n\n## Starter\n\n{FED}\n\n## Oven\n\nHeat the oven.\n",
    BEES: "# Bees\n\nThe hive swarms in May, when the linden is not yet in flower.\n",
    PLAN: "# Plan\n\nHow often is the starter fed?\n",
}
FIRST = Question("How often is the starter fed?")
LATER = "When does the hive swarm?"
MADE_PRIVATE: dict[str, dict[str, str | None]] = {
    "note": {BREAD: f"---\nprivate: true\n---\n{NOTES[BREAD]}"},
    "note that is not for models": {BREAD: f"---\nai: no\n---\n{NOTES[BREAD]}"},
    "section": {BREAD: NOTES[BREAD].replace(FED, f"%%private%%\n{FED}")},
    "words moved into a section": {BREAD: f"# Bread\n\nBake.\n\n## Kept %%private%%\n\n{FED}\n"},
    "words taken out of a note that keeps others": {
        BREAD: "# Bread\n\nBake.\n\n## Kept %%private%%\n\nNo.\n"
    },
    "note gone": {BREAD: None},
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return library(tmp_path_factory.mktemp("vault") / "Garden", NOTES)


@pytest.fixture
def vault(built: Library) -> Notebook:
    return Notebook(built)


@pytest.fixture(params=DIALECTS)
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(provider: str) -> Iterator[Wire]:
    with wire(said(provider, f"{FED} So it is [1].")) as it:
        yield it


@pytest.fixture
def one(server: Wire, provider: str, tmp_path: Path) -> Writer:
    return writer(server, tmp_path / "sent.jsonl", provider)


class Talk:
    """A conversation about *vault* with *one*, who is at *server*."""

    def __init__(self, vault: Notebook, one: Writer, server: Wire) -> None:
        self.vault, self.one, self.server = vault, one, server
        self.talks, self.known = Conversations(), ""

    def next(self, question: Question) -> Question:
        return replace(question, turns=self.talks.turns(self.known))

    def ask(self, question: Question) -> tuple[list[str], tuple[str, ...]]:
        """All texts that were sent for a question, and the remarks on its answer."""
        before = len(self.server.received)
        answer = answer_of(parts_of(self.next(question), self.vault.memory, self.one))
        self.known = self.talks.add(question.text, answer, self.known)
        return [text for got in self.server.received[before:] for text in texts_in(got)], answer.remarks

    def trial(self, question: Question) -> str:
        return dry_run(self.next(question), self.vault.memory, self.one, CancelToken()).body.decode()


def holds(texts: list[str], *words: str) -> bool:
    return any(word in text for text in texts for word in words)


@pytest.mark.parametrize("how", MADE_PRIVATE)
def test_a_turn_is_not_sent_once_what_it_rests_on_is_private(
    how: str, vault: Notebook, one: Writer, server: Wire
) -> None:
    talk = Talk(vault, one, server)
    first, _ = talk.ask(FIRST)
    vault.unsaved.update(MADE_PRIVATE[how])
    trial = talk.trial(Question(LATER))
    later, remarks = talk.ask(Question(LATER))

    assert holds(first, FED)
    assert holds(later, "hive")
    assert not holds([*later, trial], "12 hours", FIRST.text)
    assert any(remark.startswith("What was asked before rests on text that is private") for remark in remarks)


def test_a_turn_is_not_sent_once_its_note_is_excluded(vault: Notebook, one: Writer, server: Wire) -> None:
    talk = Talk(vault, one, server)
    talk.ask(FIRST)
    vault.excluded = frozenset((BREAD,))
    later, _ = talk.ask(Question(LATER))

    assert holds(later, "hive")
    assert not holds(later, "12 hours", FIRST.text)


def test_an_answer_that_knew_such_a_turn_is_as_private(vault: Notebook, one: Writer, server: Wire) -> None:
    talk = Talk(vault, one, server)
    talk.ask(FIRST)
    second, _ = talk.ask(Question("When does the linden flower?", scope=replace(FIRST.scope, note=BEES)))
    vault.unsaved.update(MADE_PRIVATE["note"])
    later, _ = talk.ask(Question(LATER))

    assert holds(second, "12 hours")
    assert not holds(later, "12 hours", "When does the linden flower?")


@pytest.mark.parametrize("place", [Place(2, 0, 2, 29), Place(2, 4, 2, 4)])
def test_a_question_that_was_selected_is_as_private_as_its_note(
    place: Place, vault: Notebook, one: Writer, server: Wire
) -> None:
    talk = Talk(vault, one, server)
    talk.ask(replace(FIRST, origin=Origin(PLAN, place)))
    same, _ = talk.ask(Question(LATER))
    vault.unsaved[PLAN] = f"# Plan\n\nMore.\n\n%%private%%\n{FIRST.text}\n"
    later, _ = talk.ask(Question(LATER))

    assert holds(same, FIRST.text)
    assert holds(later, "hive")
    assert not holds(later, FIRST.text)


def test_a_turn_goes_on_being_sent_while_its_notes_are_public(
    vault: Notebook, one: Writer, server: Wire
) -> None:
    talk = Talk(vault, one, server)
    talk.ask(FIRST)
    vault.unsaved[BREAD] = NOTES[BREAD].replace("12 hours", "day")
    later, remarks = talk.ask(Question(LATER))

    assert holds(later, FIRST.text)
    assert not any("asked before" in remark for remark in remarks)
