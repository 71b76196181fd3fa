"""What a person asks the vault's memory about by pointing: a selection, a heading, or a note.

Knows one note. Must not know how questions are answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from knapper.ide.locate import touching
from knapper.ide.open_note import OpenNote
from knapper.ide.snapshot import Snapshot
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath, is_note, stem_of


@dataclass(frozen=True, slots=True)
class Pointed:
    """The text that is asked about, and where it stands: for a note that is its start."""

    text: str
    place: Place
    what: Literal["selection", "heading", "note"]


def pointed_at(snap: Snapshot, path: NotePath, span: Span | None) -> Pointed | None:
    """What *span* points at in the note at *path*; None if that says nothing, or there is no such note.

    A selection is its own text, trimmed. A cursor in `## Starter` of the note `Bread` gives `Bread: Starter`,
    and anywhere else, as without a span, the note's title.
    """
    opened = snap.document(path) if is_note(path) else None
    if opened is None:
        return None
    if span is not None and len(span):
        return _selection(opened, span)
    title = opened.parse.title or stem_of(path)
    heading = None if span is None else touching(opened.parse.headings, span.start)
    if heading and heading.text.strip():
        text = heading.text if heading.text == title else f"{title}: {heading.text}"
        return Pointed(text, opened.place(heading.span), "heading")
    return Pointed(title, Place(0, 0, 0, 0), "note")


def _selection(opened: OpenNote, span: Span) -> Pointed | None:
    text = span.of(opened.text.content)
    if not text.strip():
        return None
    start = span.start + len(text) - len(text.lstrip())
    trimmed = Span(start, start + len(text.strip()))
    return Pointed(trimmed.of(opened.text.content), opened.place(trimmed), "selection")
