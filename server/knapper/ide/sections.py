"""The sections of a note, by what a link would write behind `#`. Knows headings; must not know features."""

from __future__ import annotations

from knapper.markup.heading import linkable_heading
from knapper.text.lines import Text
from knapper.vault.note import Note, NoteHeading

LONG = 1500
"""A section of so many characters is long: it stands for itself."""


def subpaths(note: Note) -> list[str]:
    """For each heading a subpath that means it, the headings around it included: `Autumn#Tasks`."""
    chains: list[str] = []
    around: list[tuple[int, str]] = []
    for heading in note.headings:
        while around and around[-1][0] >= heading.level:
            around.pop()
        around.append((heading.level, linkable_heading(heading.text)))
        chains.append("#".join(text for _, text in around))
    return chains


def headings_by_subpath(note: Note) -> dict[str, NoteHeading]:
    """The headings by their subpaths; of several with the same one the first."""
    found: dict[str, NoteHeading] = {}
    for heading, subpath in zip(note.headings, subpaths(note), strict=True):
        found.setdefault(subpath, heading)
    return found


def section_at(note: Note, line: int) -> str | None:
    """The subpath of the innermost section around *line*; None where the whole note is meant.

    That is above all headings, and right below a first heading that is the note's title.
    """
    found: str | None = None
    for heading, subpath in zip(note.headings, subpaths(note), strict=True):
        if heading.place.line > line:
            break
        found = None if _is_title(note, heading) else subpath
    return found


def section_lines(note: Note, subpath: str) -> tuple[int, int] | None:
    """The first and the last line of a section, those within it included; None if there is none."""
    heading = headings_by_subpath(note).get(subpath)
    return None if heading is None else (heading.place.line, max(heading.place.line, heading.section_end - 1))


def long_sections(note: Note, text: Text, most: int = 10) -> list[str]:
    """The subpaths of the first *most* sections that are `LONG`, the note's title left out."""
    found = []
    for subpath, heading in headings_by_subpath(note).items():
        lines = section_lines(note, subpath)
        if lines is None or _is_title(note, heading):
            continue
        last = min(lines[1], text.line_count() - 1)
        if text.line_span(last).end - text.line_span(lines[0]).start >= LONG:
            found.append(subpath)
    return found[:most]


def _is_title(note: Note, heading: NoteHeading) -> bool:
    return heading.level == 1 and heading is note.headings[0]
