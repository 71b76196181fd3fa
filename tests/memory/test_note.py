"""An answer kept as a note: read again by the reader of notes."""

from __future__ import annotations

from datetime import date

from knapper.markup.parse import parse
from knapper.memory.answer import Answer, Cited
from knapper.memory.asked import FoundPassage
from knapper.memory.note import note_text
from knapper.memory.privacy import private_spans
from knapper.text.span import Place, Span
from knapper.vault.names import Names
from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath
from knapper.vault.write import link_to

HERE, BREAD, OTHER = NotePath("Answers/When.md"), NotePath("Food/Bread.md"), NotePath("Old/Bread.md")
NAMES = Names.of([HERE, BREAD, NotePath("C#.md"), OTHER])
DAY = date(2024, 5, 8)


def link(path: NotePath, subpath: str | None, display: str | None, style: str = "wikilink") -> str:
    """A link from the new note."""
    return link_to(NAMES, Obsidian(), style, HERE, path, subpath=subpath, display=display)


def cited(number: int, path: NotePath, heading: str = "") -> Cited:
    return Cited(number, FoundPassage(path, "Title", heading, Place(0, 0, 1, 0), "Daily.", ""), "Daily.")


ANSWER = Answer(
    "Daily [1], and twice [2] [3].\n\n| a | b |\n| - | - |\n| x [1] | `a[1]` |\n\n```\nb[1]\n```\n",
    (cited(1, BREAD, "Starter > Feeding: how"), cited(2, NotePath("C#.md")), cited(3, BREAD)),
    unverified=("It costs 9.",),
    provider="anthropic",
    model="model-1",
)


def test_an_answer_becomes_a_note() -> None:
    assert note_text('When "daily"?\nSay: [x]', ANSWER, DAY, link, "Feeding: when") == (
        "---\n"
        'title: "Feeding: when"\n'
        "date: 2024-05-08\n"
        'source: "knapper, anthropic/model-1"\n'
        "notes:\n"
        '  - "[[Food/Bread|Bread]]"\n'
        '  - "[C#](C%23.md)"\n'
        "---\n"
        "\n"
        '> When "daily"?\n'
        "> Say: [x]\n"
        "\n"
        "Daily [[Food/Bread#Feeding how|1]], and twice [2](C%23.md) [[Food/Bread|3]].\n"
        "\n"
        "| a | b |\n| - | - |\n| x [[Food/Bread#Feeding how\\|1]] | `a[1]` |\n"
        "\n"
        "```\nb[1]\n```\n"
        "\n"
        "Not borne out by the notes:\n"
        "\n"
        "- It costs 9.\n"
    )


def test_a_private_answer_becomes_a_private_note() -> None:
    text = note_text("When?", ANSWER, DAY, link, private=True)
    assert private_spans(text) == (Span(0, len(text)),)


def test_such_a_note_is_read_as_it_is_meant() -> None:
    parsed = parse(note_text('When "daily"?\nNow\u2028then', ANSWER, DAY, link))

    assert [(one.name, one.values) for one in parsed.properties] == [
        ("title", ('When "daily"? Now then',)),
        ("date", ("2024-05-08",)),
        ("source", ("knapper, anthropic/model-1",)),
        ("notes", ("[[Food/Bread|Bread]]", "[C#](C%23.md)")),
    ]
    assert [(one.target, one.subpath, one.display) for one in parsed.links] == [
        ("Food/Bread", None, "Bread"),
        ("C#.md", None, "C#"),
        ("Food/Bread", "Feeding how", "1"),
        ("C#.md", None, "2"),
        ("Food/Bread", None, "3"),
        ("Food/Bread", "Feeding how", "1"),
    ]
    assert parsed.problems == ()


def test_an_answer_that_nobody_wrote_says_so() -> None:
    text = note_text("When?", Answer("Your notes do not say.", in_notes=False), DAY, link)

    assert text == (
        '---\ntitle: "When?"\ndate: 2024-05-08\nsource: "knapper"\n---\n\n> When?\n\nYour notes do not say.\n'
    )


def test_links_are_written_as_the_vault_writes_them() -> None:
    text = note_text("When?", ANSWER, DAY, lambda *parts: link(*parts, style="markdown"))

    assert "Daily [1](Food/Bread.md#Feeding%20how), and" in text
