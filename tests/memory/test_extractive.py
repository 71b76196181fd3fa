"""An answer of quotations."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.memory.answer import Answer, Cited, Said
from knapper.memory.asked import Evidence, FoundPassage, Question
from knapper.memory.excerpt import Source
from knapper.memory.extractive import MOST_QUOTES, extract
from knapper.text.lines import Text
from knapper.text.span import Span
from knapper.vault.paths import NotePath

BREAD = """\
# Bread

## Starter

Feed the starter once a week. It smells of yoghurt. A starter that smells of varnish is hungry.

## Steps

- [ ] feed the starter
- [x] wait for the starter
- bake
"""
OVEN = "# Oven\n\n| starter | degrees |\n| --- | --- |\n| ripe | 28 |\n\n```\nthe starter in code\n```\n"


def evidence(notes: Mapping[str, str], *, answers: bool = True) -> Evidence:
    """Each note as one passage."""
    sources = [Source(NotePath(path), text) for path, text in notes.items()]
    return Evidence(tuple(it.passage(Span(0, len(it.content.rstrip()))) for it in sources), answers)


def answer(question: str, of: Evidence) -> Answer:
    """The whole answer."""
    *_, last = extract(Question(question), of)
    assert isinstance(last, Answer)
    return last


def test_the_sentences_that_speak_of_it_are_quoted_with_numbers() -> None:
    found = answer("How often is the starter to be fed?", evidence({"Bread.md": BREAD, "Oven.md": OVEN}))

    assert found.text == (
        "**Bread › Starter**\n\n"
        "> Feed the starter once a week. [1]\n\n"
        "**Bread › Steps**\n\n"
        "> - [ ] feed the starter\n> - [x] wait for the starter [2]"
    )
    assert [(it.number, it.passage.path) for it in found.citations] == [(1, "Bread.md"), (2, "Bread.md")]
    assert (found.provider, found.sent, found.complete, found.in_notes) == ("none", None, True, True)


def test_a_table_is_quoted_whole() -> None:
    found = answer("How warm is a ripe starter in degrees?", evidence({"Oven.md": OVEN}))

    assert found.text == ("**Oven**\n\n> | starter | degrees |\n> | --- | --- |\n> | ripe | 28 |\n>\n> [1]")


def test_what_is_not_quoted_was_looked_at_too() -> None:
    of = evidence({"Bread.md": BREAD, "Sky.md": "The sky is blue.", "Sea.md": "The sea is wide."})

    assert [it.path for it in answer("How often is the starter fed?", of).also] == ["Sky.md", "Sea.md"]


def test_the_pieces_are_the_answer_and_a_number_is_explained_before_it_is_said() -> None:
    *pieces, last = extract(Question("What of the starter?"), evidence({"Bread.md": BREAD, "Oven.md": OVEN}))
    explained: list[int] = []
    for piece in pieces:
        if isinstance(piece, Cited):
            explained.append(piece.number)
        elif isinstance(piece, Said):
            assert f"[{explained[-1]}]" in piece.text

    assert isinstance(last, Answer)
    assert "".join(piece.text for piece in pieces if isinstance(piece, Said)) == last.text
    assert [piece for piece in pieces if isinstance(piece, Cited)] == list(last.citations)


def test_a_quote_stands_at_its_place_in_the_note() -> None:
    for end in ("\n", "\r\n"):
        text = BREAD.replace("\n", end)
        cited = answer("How often is the starter fed?", evidence({"Bread.md": text})).citations
        assert [Text(text).span(it.place).of(text) for it in cited] == [it.quote for it in cited]


def test_nothing_is_quoted_twice() -> None:
    of = evidence({"One.md": "Feed the starter.", "Two.md": "Feed  the\nstarter.", "Three.md": "A starter."})

    assert [it.quote for it in answer("How is the starter fed?", of).citations] == [
        "Feed the starter.",
        "A starter.",
    ]


def test_without_an_answer_nothing_is_quoted() -> None:
    of = evidence({"Bread.md": BREAD}, answers=False)
    found = answer("Where is the zeppelin?", of)

    assert (found.text, found.citations, found.in_notes) == ("Your notes do not say.", (), False)
    assert found.also == of.passages


def test_a_question_that_names_nothing_is_answered_by_how_the_notes_begin() -> None:
    of = evidence({"One.md": "First of one. Second of one.", "Two.md": "First of two. Second of two."})

    assert [it.quote for it in answer("Summarize this note", of).citations] == [
        "First of one. Second of one.",
        "First of two. Second of two.",
    ]


def test_what_a_note_holds_does_nothing_in_the_answer() -> None:
    text = (
        "The starter [1] was fed ![x](http://a.example/p.png) and [run](command:starter) or "
        "[so](java&#115;cript:alert) and <img src=x> [[Bread]] [here](https://a.example) [^2] `<b>[1]`.\n"
        "[starter]: command:feed\n"
    )
    found = answer("Was the starter fed?", evidence({"*A* [1].md": text}))

    assert found.text == (
        "**\\*A\\* \\[1\\]**\n\n"
        "> The starter \\[1] was fed !\\[x](http://a.example/p.png) and [run]\\(command:starter) or "
        "[so]\\(java&#115;cript:alert) and \\<img src=x> [[Bread]] [here](https://a.example) "
        "\\[^2] `<b>[1]`.\n"
        "> \\[starter]: command:feed [1]"
    )
    assert found.citations[0].quote == text.rstrip()


def test_code_is_quoted_only_if_there_is_nothing_else() -> None:
    code = "```\nstarter = [1]\n```"
    found = answer("What of the starter?", evidence({"Code.md": code}))

    assert found.text == "**Code**\n\n> ```\n> starter = [1]\n> ```\n>\n> [1]"


def test_the_answer_is_the_same_for_the_same_evidence() -> None:
    of = evidence({"Bread.md": BREAD, "Oven.md": OVEN})

    assert answer("What of the starter?", of) == answer("What of the starter?", of)


PIECES = st.sampled_from(
    [
        "bread is baked. ",
        "- oven hot\n",
        "\n\n",
        "# Oven\n",
        "| a | oven |\n",
        "> oven ",
        "`x` ",
        "味噌。",
        "[1] ",
        "```\n",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(PIECES, max_size=12).map("".join), min_size=1, max_size=4))
def test_every_quote_is_of_its_passage_and_there_are_few(texts: list[str]) -> None:
    of = evidence({f"Note {at}.md": text for at, text in enumerate(texts) if text.strip()})
    found = answer("How hot is the oven for bread?", of)

    assert all(it.quote and it.quote in it.passage.text for it in found.citations)
    assert [it.number for it in found.citations] == list(range(1, len(found.citations) + 1))
    assert len(found.citations) <= MOST_QUOTES
    assert all(isinstance(it, FoundPassage) for it in found.also)
