"""The page that shows an answer: what of it can be clicked, and what in it is only text."""

from __future__ import annotations

import re
from typing import Any

from lsprotocol import types as t
from markdown_it import MarkdownIt

from knapper.lsp.answer_page import answer_page
from knapper.markup.parse import parse


def place(line: int) -> t.Range:
    return t.Range(t.Position(line, 0), t.Position(line, 5))


def cited(number: int, **more: Any) -> dict[str, Any]:
    return {
        "number": number,
        "path": "Bread.md",
        "uri": "file:///v/Bread.md",
        "title": "Bread",
        "heading": "Dough > Folding",
        "range": place(11),
        "quote": "fold it",
        "changed": False,
        **more,
    }


def answer(text: str, *citations: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "question": "How?",
        "answer": text,
        "citations": list(citations),
        "alsoRetrieved": [],
        "unverified": [],
        "model": "",
        "sent": None,
        "complete": True,
        "remarks": [],
        "conversation": None,
        **more,
    }


def test_the_whole_page() -> None:
    sent = {"host": "localhost:11434", "notes": ["Bread.md"], "passages": 2, "tokens": 1234}
    shown = answer_page(
        answer(
            "Fold it [1].",
            cited(1, changed=True),
            alsoRetrieved=[cited(0, title="Rye", heading="", range=place(0))],
            unverified=["It is *blue*."],
            model="small",
            sent=sent,
            complete=False,
            remarks=["It was cut off."],
            conversation="abc",
        )
    )

    assert (
        shown
        == """# Answer

> How?

Fold it [1](file:///v/Bread.md#L12).

## Sources

- 1: [Bread › Dough › Folding](file:///v/Bread.md#L12) (the note has been changed since) “fold it”

## Also retrieved

- [Rye](file:///v/Bread.md#L1)

## Not borne out by the notes

- It is \\*blue\\*.

## About this answer

- Written by small; sent to localhost:11434: 2 passages of 1 note, about 1,234 tokens.
- The answer is not complete.
- It was cut off.

## To go on

- Ask on: type a question on this page, select it, and choose the action “Ask memory about this”; or run \
`knapper.ask` with `{"question": "…", "conversation": "abc", "show": true}`.
- Keep it as a note: choose the action “Keep this answer as a note”; or run `knapper.saveAnswer` with \
`{"conversation": "abc"}`.
"""
    )


def test_only_markers_of_citations_become_links() -> None:
    shown = answer_page(answer("See [1] and [2], `x[1]`, [1](y.md).\n\n```\na[1]\n```", cited(1)))

    link = "[1](file:///v/Bread.md#L12)"
    assert f"See {link} and [2], `x[1]`, [1](y.md).\n\n```\na[1]\n```\n" in shown


def test_what_notes_and_questions_say_is_text_on_the_page() -> None:
    evil = "![x](https://evil.example/p.png) [[Link]] <img src=x> `code` ](file:///etc)"
    hostile = cited(1, title=evil, heading=evil, quote=f"two\nlines {evil}", uri="file:///v/a(b).md")
    shown = answer_page(answer("Yes [1].", hostile, question=f"{evil}\n# {evil}", unverified=[evil]))
    reader = MarkdownIt("commonmark")
    reader.validateLink = lambda _: True  # type: ignore[method-assign]
    rendered = reader.render(shown)

    assert re.findall(r'(?:href|src)="(.*?)"', rendered) == ["file:///v/a%28b%29.md#L12"] * 2
    assert re.findall("<(?:code|img|h[1-6])>.*", rendered) == [
        "<h1>Answer</h1>",
        "<h2>Sources</h2>",
        "<h2>Not borne out by the notes</h2>",
        "<h2>About this answer</h2>",
    ]
    assert parse(shown).links == ()


def test_a_dry_run_shows_the_very_text_that_would_be_sent() -> None:
    run = {
        "host": "localhost:11434",
        "model": "small",
        "tokens": 7,
        "body": '{"text": "```"}',
        "passages": [cited(0)],
    }
    shown = answer_page(answer("", dryRun={**run}, remarks=["One passage is private."]))

    assert "Would be sent to localhost:11434 for small, about 7 tokens:" in shown
    assert '````json\n{"text": "```"}\n````' in shown
    assert "- [Bread › Dough › Folding](file:///v/Bread.md#L12)" in shown
    assert "One passage is private." in shown
