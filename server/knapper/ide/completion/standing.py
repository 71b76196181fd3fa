"""What else is completed from the open note alone: reference labels, footnotes, types of callouts.

Knows Obsidian's callouts by name.
"""

from __future__ import annotations

from collections.abc import Iterable

from knapper.ide.completion.context import Callout, FootnoteUse, Label
from knapper.ide.completion.items import Choice
from knapper.ide.completion.match import matching
from knapper.ide.open_note import OpenNote
from knapper.text.span import Span

CALLOUTS = {
    "note": "",
    "abstract": "",
    "summary": "abstract",
    "tldr": "abstract",
    "info": "",
    "todo": "",
    "tip": "",
    "hint": "tip",
    "important": "tip",
    "success": "",
    "check": "success",
    "done": "success",
    "question": "",
    "help": "question",
    "faq": "question",
    "warning": "",
    "caution": "warning",
    "attention": "warning",
    "failure": "",
    "fail": "failure",
    "missing": "failure",
    "danger": "",
    "error": "danger",
    "bug": "",
    "example": "",
    "quote": "",
    "cite": "quote",
}
"""Obsidian's callouts; those with a value look like the one it names."""


def labels(note: OpenNote, context: Label) -> list[Choice]:
    """The labels of the note's link reference definitions, each with where it leads."""
    definitions = {found.label: found for found in reversed(note.parse.definitions)}
    found = matching(context.slot.typed, reversed(definitions.values()), lambda item: item.label)
    return [
        Choice(
            item.label,
            "label",
            item.label + context.missing,
            item.target + (f"#{item.subpath}" if item.subpath else ""),
        )
        for item in found
    ]


def footnotes(note: OpenNote, context: FootnoteUse, offset: int) -> list[Choice]:
    """The note's footnotes, each with what it says; a use without a definition counts too."""
    bodies: dict[str, tuple[str, str]] = {}
    for item in note.parse.footnotes:
        if not item.span.holds(offset):
            body = _one_line(item.body.of(note.text.content)) if item.body else ""
            shown, known = bodies.get(item.id.casefold(), (item.id, ""))
            bodies[item.id.casefold()] = (shown, known or body)
    found = matching(context.slot.typed, bodies.values(), lambda item: f"{item[0]} {item[1]}")
    return [Choice(shown, "footnote", shown + context.missing, body) for shown, body in found]


def callouts(note: OpenNote, context: Callout, offset: int) -> list[Choice]:
    """Obsidian's types of callouts, and others that the note has already."""
    names = dict(CALLOUTS)
    for name in _others(note.parse.callouts, offset):
        names.setdefault(name.lower(), "")
    found = matching(context.slot.typed, names, lambda name: name)
    return [
        Choice(name, "callout", name + context.missing, f"like {names[name]}" if names[name] else "")
        for name in found
    ]


def _others(used: Iterable[tuple[str, Span]], offset: int) -> list[str]:
    return [name for name, span in used if not span.holds(offset)]


def _one_line(body: str) -> str:
    line = " ".join(body.split())
    return line if len(line) <= 80 else line[:79].rstrip() + "…"
