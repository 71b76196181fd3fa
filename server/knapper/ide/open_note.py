"""One note as an editor has it open: its text, and what is derived from it on first use.

Knows nothing of other notes, except in the answer it caches for one state of the vault's names.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from knapper.markup.canvas import canvas_links
from knapper.markup.note import Parse
from knapper.markup.reparse import Parsed
from knapper.text.lines import Text
from knapper.text.span import Place, Span
from knapper.vault.names import Names
from knapper.vault.note import Note, NoteLink, canvas_note, note_of
from knapper.vault.paths import NotePath
from knapper.vault.resolve import resolve_link


def is_canvas(path: str) -> bool:
    """Whether *path* is a canvas, which has links but is no text."""
    return path.lower().endswith(".canvas")


class OpenNote:
    """The text of a note at one version. It never changes: an edit makes another one.

    Only the text is made at once. A later parse starts from the last text that was parsed, and looks
    again at no more than what has changed since: all characters but the first `kept_before` and the
    last `kept_behind`. The version is None for a closed note that is looked at as if it were open.
    """

    def __init__(self, path: NotePath, version: int | None, text: Text) -> None:
        self.path = path
        self.version = version
        self.text = text
        self._origin: Parsed | None = None
        self._kept_before = self._kept_behind = 0
        self._resolved: tuple[Names, tuple[NotePath | None, ...]] | None = None
        self._incoming: tuple[Names, dict[NotePath, list[NoteLink]]] | None = None

    def edited(self, version: int, span: Span, new: str) -> OpenNote:
        """The note with *span* replaced by *new*."""
        after = OpenNote(self.path, version, self.text.splice(span, new))
        before, behind = span.start, len(self.text) - span.end
        if "parsed" in self.__dict__:
            after._origin = self.parsed
        elif self._origin is not None:
            after._origin = self._origin
            before, behind = min(before, self._kept_before), min(behind, self._kept_behind)
        after._kept_before, after._kept_behind = before, behind
        return after

    def replaced(self, version: int, content: str) -> OpenNote:
        """The note with a whole new text; what both have in common is not parsed again."""
        return self.edited(version, *changed_part(self.text.content, content))

    @property
    def is_parsed(self) -> bool:
        """Whether the parse is there already."""
        return "parsed" in self.__dict__

    @cached_property
    def parsed(self) -> Parsed:
        """The parse with what a later parse can reuse."""
        origin, content = self._origin, self.text.content
        self._origin = None  # the older text may go
        if origin is None:
            return Parsed.of(content)
        changed = Span(self._kept_before, len(origin.text) - self._kept_behind)
        return origin.edited(changed, content[self._kept_before : len(content) - self._kept_behind])

    @cached_property
    def parse(self) -> Parse:
        """What stands in the note; of a canvas its links. Whatever else an editor opens is read as a note."""
        if is_canvas(self.path):
            return Parse(links=canvas_links(self.text.content))
        return self.parsed.parse

    @cached_property
    def note(self) -> Note:
        """The note as the vault knows it."""
        if is_canvas(self.path):
            return canvas_note(self.path, self.text)
        return note_of(self.path, self.text, self.parse)

    def place(self, span: Span) -> Place:
        """Where *span* of this text is."""
        return self.text.place(span)

    def resolved(self, names: Names) -> tuple[NotePath | None, ...]:
        """The files that the links of `note` lead to, in their order; kept for these *names*."""
        kept = self._resolved
        if kept is None or kept[0] is not names:
            found = tuple(resolve_link(names, self.path, link) for link in self.note.links)
            kept = self._resolved = (names, found)
        return kept[1]

    def links_to(self, names: Names, path: NotePath) -> list[NoteLink]:
        """The links of this note that lead to *path*; kept for these *names*."""
        kept = self._incoming
        if kept is None or kept[0] is not names:
            incoming: dict[NotePath, list[NoteLink]] = {}
            for link, target in zip(self.note.links, self.resolved(names), strict=True):
                if target is not None:
                    incoming.setdefault(target, []).append(link)
            kept = self._incoming = (names, incoming)
        return kept[1].get(path, [])


def changed_part(old: str, new: str) -> tuple[Span, str]:
    """What differs: of `the cat sat` and `the dog sat` it is `cat`'s span and `dog`."""
    before = _common(lambda size: old[:size] == new[:size], min(len(old), len(new)))
    rest = min(len(old), len(new)) - before
    behind = _common(lambda size: old[len(old) - size :] == new[len(new) - size :], rest)
    return Span(before, len(old) - behind), new[before : len(new) - behind]


def _common(equal: Callable[[int], bool], most: int) -> int:
    """The largest size, up to *most*, for which *equal* holds; it holds for every smaller one."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if equal(middle) else (low, middle - 1)
    return low
