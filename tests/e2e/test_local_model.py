"""Questions to a real model on this machine, through the real client: no answer here was written by us."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from knapper.base.cancel import Cancelled, CancelToken
from knapper.models.providers.choice import Choice, generator_of
from knapper.models.providers.client import HttpGenerator
from knapper.models.providers.ports import End, Ending, Passage, Prompt, ProviderError
from tests.local_model import CONTEXT, MODEL, local_model
from tests.models.providers.asking import ask, end, said

BREAD = Passage(1, "Bread > Baking", "Bake at 240 °C for 20 minutes with steam, then let it cool on a rack.")
HIVE = Passage(2, "Bees > Second hive", "The hive by the apple tree has a new queen. Her mark is blue.")
SYSTEM = "Answer in one sentence, from the passages."
COUNT = Prompt("", "Count from one to five hundred, one number on each line.")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with local_model() as address:
        yield address


def chosen(address: str, context: int = CONTEXT) -> HttpGenerator:
    """The model as a person chooses it: its address, its name and how much it holds, and no key."""
    return generator_of(Choice("compatible", MODEL, address, context))


def asking(question: str) -> Prompt:
    return Prompt(SYSTEM, question, (BREAD, HIVE), boundary="notes-5f3a")


def slot(address: str) -> Any:
    """What the server says of the one answer that it can write at a time."""
    return httpx.get(f"{address}/slots").json()[0]


def test_a_real_model_answers_from_the_passages_as_it_writes(address: str) -> None:
    pieces = ask(chosen(address), asking("At what temperature is the bread baked?"))

    assert "240 °C" in said(pieces)
    assert len(pieces) > 5
    assert end(pieces) == End(Ending.COMPLETE)


def test_a_real_model_that_reaches_its_limit_is_said_to_be_cut_off(address: str) -> None:
    pieces = ask(chosen(address, context=200), COUNT)

    assert end(pieces).how is Ending.CUT_OFF
    assert said(pieces)


def test_a_real_server_that_finds_the_prompt_too_long_is_understood(address: str) -> None:
    long = Prompt("", "Why?", (Passage(1, "Bread", BREAD.text * 120),))

    with pytest.raises(ProviderError) as error:
        ask(chosen(address, context=100_000), long)

    assert error.value.trouble == "too-long"


def test_a_real_server_stops_writing_when_the_question_is_cancelled(address: str) -> None:
    token = CancelToken()
    pieces = chosen(address).stream(COUNT, token)
    next(pieces)
    assert slot(address)["is_processing"]

    token.cancel()

    with pytest.raises(Cancelled):
        next(pieces)
    while (written := slot(address))["is_processing"]:
        time.sleep(0.01)
    assert written["next_token"][0]["has_next_token"]  # It had more to say.
