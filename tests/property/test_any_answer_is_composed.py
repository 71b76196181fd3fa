"""Whatever a writer says and however it comes: the same answer, with markers that mean something."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.markup.mask import opaque_at
from knapper.markup.parse import parse
from knapper.memory.answer import Cited, Said
from knapper.memory.asked import FoundPassage
from knapper.memory.compose import Composer
from knapper.models.providers.ports import Citation, Text
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath

PASSAGES = tuple(
    FoundPassage(NotePath(f"{title}.md"), title, "", Place(0, 0, 2, 9), text, "")
    for title, text in (
        ("Bread", "Feed the rye starter every 12 hours.\n\nFold it “at dawn”."),
        ("Bees", "Bees sleep in winter. See https://bees.org/a and [[Hive]]."),
    )
)
PARTS = st.sampled_from(
    [
        *(
            "Feed the rye starter ",
            "every 12 hours",
            "Bees sleep",
            " in winter",
            "“at dawn” ",
            "9 pounds ",
            "Nothing ",
        ),
        *(
            "[1]",
            "[2]",
            "[3]",
            " [1, 2]",
            "[[1]]",
            "[<b>1</b>]",
            "【2】",
            ". ",
            ".",
            "\n",
            "\n\n",
            "- ",
            "。",
            "`",
            "```\n",
        ),
        *(
            "[x](https://bees.org/a)",
            "[x](http://evil.org)",
            "[[Hive]]",
            "[[Bread]]",
            "<b>",
            "[",
            "](",
            "|",
            "$",
            "\u200b",
        ),
    ]
)
ANSWERS = st.lists(st.tuples(PARTS, st.integers(0, 3)), max_size=30)


def composed(answer: list[tuple[str, int]], *, size: int) -> tuple[list[Cited | Said], Composer]:
    """What is shown of *answer*, whose parts come *size* characters at a time, each vouched for or not."""
    composer = Composer(PASSAGES, lambda _: False)
    shown: list[Cited | Said] = []
    at = 0
    for text, number in answer:
        for start in range(0, len(text), size):
            shown += composer.add(Text(text[start : start + size]))
        if number:  # The last is of no passage of ours.
            passage = PASSAGES[min(number, len(PASSAGES)) - 1]
            whole = Span(0, len(passage.text))
            claim = Span(at, at + len(text))
            shown += composer.add(Citation(number, claim, whole, passage.text[:20]))
        at += len(text)
    shown += composer.end()
    return shown, composer


def whole(shown: list[Cited | Said]) -> str:
    return "".join(one.text for one in shown if isinstance(one, Said))


@settings(max_examples=100, deadline=None)
@given(ANSWERS, st.integers(1, 5))
def test_how_an_answer_comes_changes_nothing(answer: list[tuple[str, int]], size: int) -> None:
    (shown, composer), (other, _) = composed(answer, size=size), composed(answer, size=1000)

    assert whole(shown) == whole(other) == composer.text
    assert [one for one in shown if isinstance(one, Cited)] == [
        one for one in other if isinstance(one, Cited)
    ]


@settings(max_examples=100, deadline=None)
@given(ANSWERS)
def test_every_marker_means_a_citation_that_came_before_it(answer: list[tuple[str, int]]) -> None:
    shown, composer = composed(answer, size=1000)
    text, known = composer.text, 0
    parsed = parse(text)

    for found in re.finditer(r"\[(\d+)\]", text):
        if opaque_at(parsed, found.start() + 1) is None:
            assert int(found[1]) <= len(composer.citations)
    firsts = [text.find(f"[{number}]") for number in range(1, len(composer.citations) + 1)]
    assert -1 not in firsts
    said = ""
    for one in shown:
        if isinstance(one, Said):
            said += one.text
        else:
            known += 1
            assert one.number == known
            assert one.quote in one.passage.text
    assert {one.passage.path for one in composer.citations} | {one.path for one in composer.left()} == {
        "Bread.md",
        "Bees.md",
    }
    assert len(composer.citations) + len(composer.left()) == len(PASSAGES)
