"""A question to a vault, answered by a real model on this machine: found, sent, written, checked."""

from __future__ import annotations

import json
from pathlib import Path

from knapper.base.cancel import CancelToken
from knapper.memory.answer import Answer, Cited, Said
from knapper.memory.ask import ask
from knapper.memory.asked import Question
from knapper.memory.egress import EgressLog
from knapper.memory.writer import Writer
from knapper.models.providers.choice import Choice, generator_of
from tests.local_model import CONTEXT, MODEL, local_model
from tests.memory.notebook import Notebook
from tests.search.library import library

NOTES = {
    "Bread.md": "# Bread\n\n## Baking\n\nBake the bread at 240 °C for 20 minutes, with steam.\n",
    "Bees.md": "# Bees\n\nThe hive by the apple tree has a new queen.\n",
}


def test_a_real_model_answers_from_a_vault(tmp_path: Path) -> None:
    vault = Notebook(library(tmp_path / "vault", NOTES))
    log = tmp_path / "sent.jsonl"
    with local_model(citing=True) as address:
        generator = generator_of(Choice("compatible", MODEL, address, CONTEXT))
        writer = Writer(generator, "compatible", EgressLog(log, "vault"))
        question = Question("For how many minutes do I bake the bread with steam?")
        *pieces, answer = ask(question, vault.memory, writer, CancelToken())

    assert isinstance(answer, Answer)
    assert answer.text == "".join(one.text for one in pieces if isinstance(one, Said))
    assert (answer.complete, answer.provider, answer.model) == (True, "compatible", MODEL)
    assert list(answer.citations) == [one for one in pieces if isinstance(one, Cited)]
    # It marks every sentence, rightly or not: one either holds or is listed.
    assert answer.citations or answer.unverified
    assert json.loads(log.read_text())["notes"] == ["Bread.md"]
