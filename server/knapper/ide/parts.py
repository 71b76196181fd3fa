"""The headings and blocks of one note, to look up the parts that many links name.

Finds what `vault.subpath.find_subpath` finds; that one goes through all headings each time, and in a long
note with a table of contents this would be done for every line of it.
"""

from __future__ import annotations

from functools import cached_property

from knapper.markup.heading import strip_heading
from knapper.vault.note import Note, NoteBlock, NoteHeading
from knapper.vault.paths import key
from knapper.vault.subpath import find_subpath, slug


class Parts:
    """The parts of *note* by what names them."""

    def __init__(self, note: Note) -> None:
        self.note = note

    def find(self, subpath: str, *, markdown: bool = False) -> NoteHeading | NoteBlock | None:
        """What `#subpath` means in the note; the first if several do."""
        name = subpath.strip()
        if "#" in name:
            return find_subpath(self.note, subpath, markdown)
        if name.startswith("^"):
            return self._blocks.get(key(name[1:]))
        found = self._headings.get(key(strip_heading(name)))
        return found or (self._slugs.get(key(subpath)) if markdown else None)

    @cached_property
    def _blocks(self) -> dict[str, NoteBlock]:
        return {key(block.id): block for block in reversed(self.note.blocks)}

    @cached_property
    def _headings(self) -> dict[str, NoteHeading]:
        named = {key(strip_heading(heading.text)): heading for heading in reversed(self.note.headings)}
        return {name: heading for name, heading in named.items() if name}

    @cached_property
    def _slugs(self) -> dict[str, NoteHeading]:
        found: dict[str, NoteHeading] = {}
        seen: dict[str, int] = {}
        for heading in self.note.headings:
            name = slug(heading.text)
            number = seen.get(name, 0)
            seen[name] = number + 1
            found.setdefault(f"{name}-{number}" if number else name, heading)
        return found
