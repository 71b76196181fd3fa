"""Questions to the example vault are answered from the right passages, or refused: by words, or by both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.eval.questions import EXAMPLE, Asking, indexed, measured, questions, with_meaning
from tests.eval.vectors import KeptVectors, packaged


@pytest.fixture(scope="module")
def by_words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asking]:
    """The example vault, indexed."""
    asking = indexed(EXAMPLE, tmp_path_factory.mktemp("questions") / "vault")
    yield asking
    asking.reader.close()


@pytest.fixture(scope="module")
def by_both(by_words: Asking, tmp_path_factory: pytest.TempPathFactory) -> Asking:
    """The same with the vectors of the packaged model."""
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        return with_meaning(by_words, KeptVectors(packaged(folder / "model")))


def test_there_are_enough_questions_and_their_answers_stand_in_the_notes() -> None:
    every = [asked for some in questions().values() for asked in some]
    wrong = [
        asked.ask
        for asked in questions()["example"]
        if asked.note and asked.holds not in (EXAMPLE / asked.note).read_text(encoding="utf-8")
    ]

    assert (len(every) >= 60, sum(not asked.note for asked in every) >= 15, wrong) == (True, True, [])


@pytest.mark.parametrize("way", ["by_words", "by_both"])
def test_the_example_vault_answers_and_refuses(way: str, request: pytest.FixtureRequest) -> None:
    asking: Asking = request.getfixturevalue(way)
    it = measured([asking.outcome(asked) for asked in questions()["example"]])

    assert it.recall_12 >= 0.97
    assert it.recall_3 >= 0.9
    assert it.refused_wrongly <= 0.06
    assert it.precision >= 0.7
    assert it.quoted >= 0.85
    assert it.answered_wrongly <= 0.2
