"""Whether passages speak of what was asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from knapper.memory.answerable import Wanted, asking_once, covered, held, wanted
from knapper.memory.asked import Question
from knapper.memory.evidence import gather
from knapper.search.matrix import Matrix
from knapper.search.pipeline import NO_AIDS, Aids
from knapper.search.port import Vector
from knapper.search.semantic import VectorMeaning
from tests.memory.notebook import Notebook
from tests.search.library import Library, library

NOTES = {
    f"{at:03}.md": f"Plain note number {at} about nothing that anybody would ask for.\n" for at in range(99)
} | {
    "Boat.md": "The rowing boat is moored at the quay, its oars are in the shed.\n",
    "Leaves.md": "The leaves were raked into a heap behind the shed.\n",
}
DIMENSIONS = 32


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    made = library(tmp_path_factory.mktemp("answerable"), NOTES)
    yield made
    made.reader.close()


@pytest.fixture
def vault(indexed: Library) -> Notebook:
    return Notebook(indexed, today=date(2024, 5, 8))


def words(vault: Notebook, *asked: str) -> tuple[Wanted, ...]:
    memory = vault.memory
    return wanted(asked, memory, memory.index.notes_where(lambda _: True))


def test_a_word_in_few_notes_weighs_more(vault: Notebook) -> None:
    note, shed, boat, zeppelin = (it.weight for it in words(vault, "plain", "shed", "boat", "zeppelin"))

    assert 0 < note < shed < boat < zeppelin


def test_a_word_is_held_in_any_form(vault: Notebook) -> None:
    wants = words(vault, "boats", "oar", "leaf", "zeppelin")

    assert held(wants, "Boat, oars and leaves") == wants[:3]


def test_a_typing_slip_in_a_long_word_is_the_word_and_in_a_short_one_another(vault: Notebook) -> None:
    long, short = words(vault, "anybdoy", "shde")

    assert held([long, short], "Anybody in the shed") == (long,)


@pytest.mark.parametrize(
    ("asked", "noted"),
    [
        ("president", "perseids"),
        ("francisco", "fractions"),
        ("marseille", "marbles"),
        ("election", "elastin"),
    ],
)
def test_a_word_that_only_looks_alike_is_another(asked: str, noted: str, tmp_path: Path) -> None:
    """What is found by it may be worth showing in a search, and is no evidence."""
    vault = Notebook(library(tmp_path / "vault", {"Sky.md": f"Of the {noted} there were many.\n"}))

    assert held(words(vault, asked), noted) == ()


def test_what_is_covered_is_the_weight_of_what_is_held(vault: Notebook) -> None:
    wants = words(vault, "boat", "zeppelin")
    boat, zeppelin = wants

    assert covered(wants, "A boat.") == boat.weight / (boat.weight + zeppelin.weight)
    assert (covered(wants, "A boat, a zeppelin."), covered(wants, "No."), covered((), "A boat.")) == (1, 0, 0)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Where is the boat moored?", True),
        ("Where are the oars of the rowing boat?", True),
        ("Where is the zeppelin moored over the cathedral?", False),
        ("Where is the zeppelin?", False),
    ],
)
def test_half_of_the_distinctive_words_answer(vault: Notebook, question: str, *, answers: bool) -> None:
    assert gather(Question(question), vault.memory, sending=True).answers is answers


class Asked:
    """Turns every question into one vector, and counts how often."""

    def __init__(self, vector: Vector) -> None:
        self.vector = vector
        self.questions: list[str] = []

    def __call__(self, text: str) -> tuple[Vector | None, str]:
        """The vector."""
        self.questions.append(text)
        return self.vector, ""


def meaning(vault: Notebook, near: Collection[str], ask: Asked) -> VectorMeaning:
    """Vectors at random, but for the notes *near*, which have that of the question."""
    rows = vault.library.reader.connection.execute(
        "SELECT chunk.id, note.id, note.path FROM chunk JOIN note ON note.id = chunk.note"
    ).fetchall()
    vectors = np.random.default_rng(0).normal(size=(len(rows), DIMENSIONS)).astype(np.float32)
    vectors[[row[2] in near for row in rows]] = ask.vector
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    matrix = Matrix(DIMENSIONS)
    matrix.put([row[0] for row in rows], [row[1] for row in rows], vectors)
    return VectorMeaning(matrix.view(), ask)


@pytest.mark.parametrize(("near", "answers"), [((), False), (("Boat.md",), True)])
def test_meaning_answers_without_the_words(vault: Notebook, near: Collection[str], *, answers: bool) -> None:
    ask = Asked(np.eye(1, DIMENSIONS, dtype=np.float32)[0])
    vault.aids = Aids(meaning(vault, near, ask))
    evidence = gather(Question("Wo liegt der Kahn?"), vault.memory, sending=True)

    assert evidence.answers is answers
    assert [it.path for it in evidence.passages][:1] == list(near) or not answers


def test_what_is_near_in_meaning_counts_for_nothing_when_it_is_private(vault: Notebook) -> None:
    ask = Asked(np.eye(1, DIMENSIONS, dtype=np.float32)[0])
    vault.aids = Aids(meaning(vault, ["Boat.md"], ask))
    vault.unsaved["Boat.md"] = "%%private%%\n" + NOTES["Boat.md"]

    assert not gather(Question("Wo liegt der Kahn?"), vault.memory, sending=True).answers
    assert gather(Question("Wo liegt der Kahn?"), vault.memory, sending=False).passages[0].path == "Boat.md"


def test_the_model_is_asked_once_for_a_question(vault: Notebook) -> None:
    ask = Asked(np.eye(1, DIMENSIONS, dtype=np.float32)[0])
    vault.aids = Aids(meaning(vault, ["Boat.md"], ask))
    gather(Question("Wo liegt der Kahn?"), vault.memory, sending=True)

    assert ask.questions == ["Wo liegt der Kahn?"]


def test_without_meaning_there_is_nothing_to_ask_once() -> None:
    assert asking_once(NO_AIDS) == NO_AIDS
