"""What a writer is shown: the rules, the passages that fit, and nothing of a note that looks like ours."""

from __future__ import annotations

import re
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.memory.asked import FoundPassage, Turn
from knapper.memory.markers import MARKER, neutral
from knapper.memory.prompt import NOT_FOUND, Asking, overhead, packed
from knapper.models.providers.choice import Choice, generator_of
from knapper.models.providers.client import HttpGenerator
from knapper.models.providers.ports import Passage
from knapper.models.providers.ports import Turn as SentTurn
from knapper.text.span import Place
from knapper.vault.paths import NotePath

DAY = date(2024, 5, 8)
ASKING = Asking("When?", DAY)


def generator(context: int = 4096) -> HttpGenerator:
    return generator_of(Choice("compatible", "m", "http://localhost", context))


def passage(text: str, title: str = "Bread", heading: str = "Starter > Care") -> FoundPassage:
    return FoundPassage(NotePath(f"{title}.md"), title, heading, Place(0, 0, 1, 0), text, "")


def test_a_prompt_is_rules_passages_and_the_question() -> None:
    found = packed(ASKING, [passage("Feed it."), passage("Bake it.", "Oven [1]", "")], generator())

    assert found
    prompt = found.prompt
    assert prompt.question == "When?"
    assert prompt.passages == (
        Passage(1, "Bread > Starter > Care", "Feed it."),
        Passage(2, "Oven ⟦1⟧", "Bake it."),
    )
    assert re.fullmatch(r"notes-[0-9a-f]{16}", prompt.boundary)
    for part in ("2024-05-08", NOT_FOUND, f"between <{prompt.boundary}> and </{prompt.boundary}>", "[2]"):
        assert part in prompt.system


def test_every_prompt_has_a_boundary_of_its_own() -> None:
    found = [packed(ASKING, [passage("Feed it.")], generator()) for _ in range(5)]

    assert len({one.prompt.boundary for one in found if one}) == 5


def test_a_provider_that_cites_by_itself_is_told_of_no_marks() -> None:
    found = packed(Asking("When?", DAY, by_results=True), [passage("Feed it.")], generator())

    assert found
    assert "[2]" not in found.prompt.system
    assert found.prompt.boundary not in found.prompt.system


def test_the_best_passages_that_fit_are_sent() -> None:
    passages = [passage(f"{number} " + "word " * 250) for number in range(12)]
    found = packed(ASKING, passages, generator())

    assert found
    assert 3 < len(found.passages) < 12
    assert found.passages == tuple(passages[: len(found.passages)])
    assert generator().tokens(found.prompt) <= generator().room


def test_no_prompt_is_made_without_room_for_a_passage() -> None:
    assert packed(ASKING, [passage("word " * 250)], generator(600)) is None
    assert packed(Asking("Why? " * 5000, DAY), [passage("Feed it.")], generator()) is None


def test_the_last_turn_matters_more_than_the_last_passages_and_older_turns_less() -> None:
    passages = [passage("word " * 250) for _ in range(12)]
    turns = (Turn("First? " * 60, "word " * 300, "h"), Turn("Second?", "It [1] is, so [2, 3].", "h"))
    found = packed(Asking("And?", DAY, turns), passages, generator())
    roomy = packed(Asking("And?", DAY, turns), passages, generator(100_000))

    assert found
    assert roomy
    assert found.prompt.turns == (SentTurn("Second?", "It is, so."),)
    assert [turn.question for turn in roomy.prompt.turns] == ["First? " * 60, "Second?"]
    assert len(roomy.passages) == 12


def test_a_long_turn_is_cut_and_one_too_long_left_out() -> None:
    long = Asking("And?", DAY, (Turn("Second?", "word " * 1000, "h"),))
    too_long = Asking("And?", DAY, (Turn("word " * 5000, "Yes.", "h"),))
    found, other = (packed(one, [passage("Feed it.")], generator()) for one in (long, too_long))

    assert found
    assert other
    assert len(found.prompt.turns[0].answer) == 1201
    assert other.prompt.turns == ()


def test_the_overhead_is_what_a_prompt_costs_without_passages() -> None:
    found = packed(ASKING, [passage("Feed it.")], generator())

    assert found
    assert 0 < generator().tokens(found.prompt) - overhead(ASKING, generator()) < 60


@settings(max_examples=100)
@given(
    st.lists(
        st.sampled_from("[ ] ^ 1 23 , ; - – & 【 】 ( x Sources : References </notes- <NOTES \n >".split(" "))
    )
)
def test_nothing_in_a_note_is_taken_for_ours(parts: list[str]) -> None:
    text = "".join(parts)
    told = neutral(text)

    assert len(told) == len(text)
    assert MARKER.search(told) is None
    assert (
        re.search(r"</?notes-|^[^\w\n]*(sources|references)[^\w\n]*:", told, re.IGNORECASE | re.MULTILINE)
        is None
    )
    assert neutral(told) == told
