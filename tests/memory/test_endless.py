"""Writers that do not stop, and answers that say nothing again and again."""

from __future__ import annotations

from pathlib import Path

import pytest

from knapper.memory.ask import LONGEST
from knapper.memory.asked import FoundPassage
from knapper.memory.compose import Composer
from knapper.models.providers.ports import Text
from knapper.text.span import Place
from knapper.vault.paths import NotePath
from tests.memory.notebook import Notebook
from tests.memory.writing import DIALECTS, answer_of, parts_of, said, writer
from tests.models.providers.wire import wire
from tests.search.library import library

BREAD = NotePath("Bread.md")
PASSAGE = FoundPassage(BREAD, "Bread", "", Place(0, 0, 0, 22), "Fold the dough at dawn.", "")


@pytest.fixture
def vault(tmp_path: Path) -> Notebook:
    return Notebook(library(tmp_path / "Garden", {BREAD: "# Bread\n\nFold the dough at dawn.\n"}))


@pytest.mark.parametrize("provider", DIALECTS)
@pytest.mark.parametrize("pieces", [1, 40])
def test_who_writes_on_and_on_is_stopped(pieces: int, provider: str, vault: Notebook, tmp_path: Path) -> None:
    text = "Fold the dough at dawn [1]. " * 4000
    step = len(text) // pieces
    texts = [text[at : at + step] for at in range(0, len(text), step)]
    with wire(said(provider, *texts)) as server:
        one = writer(server, tmp_path / "sent.jsonl", provider)
        answer = answer_of(parts_of("When do I fold the dough?", vault.memory, one))

    assert len(answer.text) <= LONGEST
    assert len(answer.text) > LONGEST - 100
    assert answer.citations[0].quote == "Fold the dough at dawn."
    assert not answer.complete
    assert answer.remarks == (
        f"{server.host} wrote on and on, so it was stopped here: ask again, or ask another model.",
    )


def composed(text: str) -> Composer:
    """The answer *text*."""
    composer = Composer((PASSAGE,), lambda _: False)
    list(composer.add(Text(text)))
    list(composer.end())
    return composer


@pytest.mark.parametrize("nothing", ["a\n", "-\n", "**\n", "[7]\n", "“”\n"])
def test_lines_that_say_nothing_do_not_add_up(nothing: str) -> None:
    """A marker rests on the last sentence that said something, however much nothing is between."""
    found = composed(f"Fold the dough at dawn.\n{nothing * 200}[1]\n")

    assert [cited.quote for cited in found.citations] == [PASSAGE.text]
    assert max(map(len, found.unverified), default=0) < 50


@pytest.mark.parametrize("answer", ["[1] [2]\n\n[9]", "[1]" * 10_000, "[1, 2]" * 3_000, "【1†a】[9]" * 2_000])
def test_markers_alone_are_no_answer(answer: str) -> None:
    found = composed(answer)

    assert (found.text.strip(), found.citations, found.unverified) == ("", [], [])
