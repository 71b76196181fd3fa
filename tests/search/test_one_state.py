"""Whatever is written to an index while an answer is read from it, the answer is of one state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from knapper.search.pipeline import SearchOptions, search
from knapper.search.related import related
from knapper.search.structure import SavedLinks
from knapper.store.reader import Reader
from knapper.store.words import WordReader
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView
from tests.search.library import TODAY, library
from tests.search.test_unsaved import overlay

ASKED = NotePath("Bread.md")
DOUGH = "The dough of the sourdough loaf rests in a basket beside the oven until the crust is crisp.\n"
TEXTS = (
    "\n".join(f"## Part {number}\n\n{DOUGH}" for number in range(3)),
    f"# Loaf\n\n{DOUGH}\n## Crust\n\nA crisp crust wants steam in the oven.\n",
)
"""What the note that is asked about is, and what it becomes."""


def _related(reader: Reader, view: VaultView) -> object:
    return related(ASKED, WordReader(reader.connection, reader.server), SavedLinks(view))


def _searched(query: str) -> Callable[[Reader, VaultView], object]:
    def ask(reader: Reader, _: VaultView) -> object:
        return search(WordReader(reader.connection, reader.server), query, SearchOptions(TODAY))

    return ask


@pytest.mark.parametrize(
    "ask", [_related, _searched("crust oven"), _searched("title:loaf"), _searched('"crisp crust" -steam')]
)
def test_an_answer_is_of_one_state_whenever_something_is_written(
    tmp_path: Path, ask: Callable[[Reader, VaultView], object]
) -> None:
    notes = {ASKED: TEXTS[0], "Crust.md": f"# Crust\n\n{DOUGH}", "Oven.md": f"# Oven\n\n{DOUGH}"}
    saved = library(tmp_path, {**notes, "Stars.md": "Saturn has rings.\n"})
    loaded = saved.reader.load()
    view = VaultView.build(loaded.notes, loaded.files)
    database = saved.reader.database
    saved.reader.close()
    left = 0

    def answer(at: int) -> object:
        """The answer if the note becomes another one right before statement *at* is run."""
        nonlocal left
        overlay(database, "one", ASKED, TEXTS[0])
        reader, left = Reader(database, "one"), at

        def run(_: str) -> None:
            nonlocal left
            if left == 0:
                overlay(database, "one", ASKED, TEXTS[1])
            left -= 1

        reader.connection.set_trace_callback(run)
        try:
            return ask(reader, view)
        finally:
            reader.connection.set_trace_callback(None)
            reader.close()

    after, before = answer(0), answer(1_000)
    statements = 1_000 - left

    assert before != after
    assert statements > 3
    assert all(answer(at) in (before, after) for at in range(statements))
