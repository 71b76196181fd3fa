"""Related notes where a person looks: above a note and its long sections, and beside the cursor.

Which notes are related is given; must not know how they are found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from knapper.ide.locate import locate
from knapper.ide.meaning import FileMeant, meaning_of
from knapper.ide.results import Hover, RelatedLens
from knapper.ide.sections import headings_by_subpath, section_at
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Definition, Heading, Link
from knapper.search.related import RelatedNote
from knapper.text.span import START, Place
from knapper.vault.paths import NotePath, is_note

Part = str | None
"""What of a note is meant: a section by its subpath, or the whole."""

_IN_LENS, _IN_HOVER = 3, 3
_TITLE, _PASSAGE = 40, 110


def related_lenses(
    snap: Snapshot, path: NotePath, found: Mapping[Part, Sequence[RelatedNote]]
) -> list[RelatedLens]:
    """The lenses for what was *found* of the note's parts that are still there, on their lines of now."""
    note = snap.note(path)
    if note is None or not snap.settings["lens.related"]:
        return []
    headings = headings_by_subpath(note)
    lenses = []
    for part, related in found.items():
        if related and (part is None or part in headings):
            line = 0 if part is None else headings[part].place.line
            place = START if part is None else Place(line, 0, line, 0)
            lenses.append(RelatedLens(place, lens_title(related), part))
    return lenses


def lens_title(related: Sequence[RelatedNote]) -> str:
    """`Related: Bread, Sourdough starter, Rye loaf`."""
    return f"Related: {', '.join(_shortened(note.title, _TITLE) for note in related[:_IN_LENS])}"


def related_subject(snap: Snapshot, path: NotePath, offset: int) -> tuple[NotePath, Part] | None:
    """What a hover at *offset* shows related notes of: the note behind a link, the section of a heading.

    A link to a heading or a block asks for that part alone: it is shown, and nothing beside it.
    """
    opened = snap.document(path)
    thing = locate(opened.parse, offset) if opened else None
    if opened is None or thing is None:
        return None
    if isinstance(thing, Heading):
        return path, section_at(opened.note, opened.place(thing.span).line)
    if isinstance(thing, Link | Definition):
        meaning = meaning_of(snap, opened, thing)
        if isinstance(meaning, FileMeant) and is_note(meaning.path):
            return meaning.path, None
    return None


def with_related(
    snap: Snapshot, path: NotePath, offset: int, hover: Hover | None, related: Sequence[RelatedNote]
) -> Hover | None:
    """*hover* with the related notes below, each with the passage that makes it related."""
    others = [note for note in related if note.path != path][:_IN_HOVER]
    if not others:
        return hover
    lines = [f"- {note.title}: {_shortened(words_of(note.why.there.text), _PASSAGE)}" for note in others]
    text = "\n".join(["Related:", "", *lines])
    if hover is not None:
        return replace(hover, markdown=f"{hover.markdown}\n\n---\n\n{text}")
    opened = snap.document(path)
    thing = locate(opened.parse, offset) if opened else None
    return None if opened is None or thing is None else Hover(text, opened.place(thing.span))


_WIKILINK = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MARKS = re.compile(r"(?<!\S)(?:#{1,6}|[-*+>]|\d+\.)(?= )|\*\*|`+|!(?=\[)")


def words_of(markdown: str) -> str:
    """The words of a passage without its marks: nothing of it is a link, a picture or a heading any more.

    `## Rye **loaf** ![](https://x.org/a.png) see [[Bread|this]]` gives `Rye loaf  see this`.
    """
    text = _LINK.sub(r"\1", _WIKILINK.sub(r"\1", markdown))
    return _MARKS.sub("", text).replace("<", "‹").strip()


def _shortened(text: str, most: int) -> str:
    said = " ".join(text.split())
    return said if len(said) <= most else f"{said[: most - 1].rstrip()}…"
