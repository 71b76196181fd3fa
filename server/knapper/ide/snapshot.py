"""Everything that a feature may see: the vault as of one index commit, and the open notes over it.

A snapshot never changes. It is made for each revision by `host.Host` and shared by all who read it.
An open note always wins over its saved one, and an open file that is not on disk yet counts as a file
of the vault. Must not know where views come from, nor how files are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from knapper.base.settings import Settings
from knapper.ide.called import Called, called_by
from knapper.ide.open_note import OpenNote, is_canvas
from knapper.ide.parts import Parts
from knapper.text.lines import Text
from knapper.vault.graph import Graph, GraphChange, is_missed
from knapper.vault.names import Names
from knapper.vault.note import Note
from knapper.vault.paths import NotePath, is_note
from knapper.vault.resolve import Written, meant_path, resolve, resolve_link
from knapper.vault.view import Backlink, VaultView

Read = Callable[[NotePath], str | None]
"""The text of a file of the vault as it is on disk, or None if it cannot be read."""

_KEPT = 256

Size = Callable[[NotePath], int | None]
"""The bytes of a file of the vault, or None if it is not there."""


@dataclass(frozen=True, eq=False, repr=False)
class Ground:
    """What the snapshots of many revisions share: a view, and the files that are only open.

    Invariant: `names` and `graph` are those of the view when `unsaved` is empty, which is nearly always.
    """

    view: VaultView
    unsaved: frozenset[NotePath] = frozenset()
    before: Called = field(default_factory=Called)  # of an older view: the newer one shares most with it
    _sources: dict[NotePath, tuple[NotePath, ...]] = field(default_factory=dict, init=False)

    @cached_property
    def names(self) -> Names:
        """Every file of the vault, the unsaved ones too."""
        return self.view.names.with_changes(self.unsaved, ()) if self.unsaved else self.view.names

    @cached_property
    def called(self) -> Called:
        """The aliases and titles of the saved notes."""
        return self.before.updated(self.view.notes)

    @property
    def last_called(self) -> Called:
        """The newest aliases and titles that were asked for, to begin the next ones with."""
        return self.called if "called" in self.__dict__ else self.before

    def sources(self, path: NotePath) -> tuple[NotePath, ...]:
        """The saved notes with a link to *path*, by path. Kept: a hub has thousands of them."""
        known = self._sources.get(path)
        if known is None:
            if len(self._sources) >= _KEPT:
                self._sources.clear()
            known = self._sources[path] = self.graph.sources(path)
        return known

    @cached_property
    def graph(self) -> Graph:
        """The links of the saved notes among these names: an unsaved file can be what they mean."""
        if not self.unsaved:
            return self.view.graph
        return self.view.graph.changed(self.view.notes, self.names, GraphChange({}, {}, self.unsaved))


@dataclass(frozen=True, eq=False, repr=False)
class Snapshot:
    """One state of a vault and of its open notes.

    `used` are the notes that were used last, the last one first. `alone` says that there is no vault:
    a single file is open, of which only what stands in it is known.
    """

    revision: int
    ground: Ground
    overlays: Mapping[NotePath, OpenNote]
    settings: Settings
    read: Read
    size: Size
    used: tuple[NotePath, ...] = ()
    alone: bool = False
    _parts: dict[NotePath, Parts] = field(default_factory=dict, init=False)

    @property
    def view(self) -> VaultView:
        """The saved notes."""
        return self.ground.view

    @property
    def names(self) -> Names:
        """The files of the vault, those that are only open too."""
        return self.ground.names

    # --- one note ---

    def note(self, path: NotePath) -> Note | None:
        """The note (or canvas) at *path*, as the editor has it if it is open."""
        opened = self.overlays.get(path)
        return opened.note if opened else self.view.notes.get(path)

    def text(self, path: NotePath) -> Text | None:
        """The text of the file at *path*; a closed one is read."""
        opened = self.document(path)
        return opened.text if opened else None

    def document(self, path: NotePath) -> OpenNote | None:
        """The note at *path* with its text, as if it were open; None if it cannot be read."""
        if opened := self.overlays.get(path):
            return opened
        content = self.read(path)
        return None if content is None else OpenNote(path, None, Text(content))

    def version(self, path: NotePath) -> int | None:
        """The version of the open buffer of *path*, None for a closed file."""
        opened = self.overlays.get(path)
        return opened.version if opened else None

    def parts(self, note: Note) -> Parts:
        """The parts of a note of this snapshot; kept, for many links name parts of the same note."""
        known = self._parts.get(note.path)
        if known is None:
            if len(self._parts) >= _KEPT:
                self._parts.clear()
            known = self._parts[note.path] = Parts(note)
        return known

    # --- all notes ---

    @cached_property
    def open_notes(self) -> Mapping[NotePath, OpenNote]:
        """The open notes and canvases that belong to the vault, by path: not those in hidden folders."""
        return {
            path: self.overlays[path]
            for path in sorted(self.overlays)
            if (is_note(path) or is_canvas(path)) and self.names.has(path)
        }

    def notes(self) -> Iterator[Note]:
        """Every note and canvas of the vault, each once, in no order."""
        for path, note in self.view.notes.items():
            if path not in self.overlays:
                yield note
        for opened in self.open_notes.values():
            yield opened.note

    def called(self, name: str) -> list[NotePath]:
        """The notes that have *name* as an alias or title, in any letter case, by path."""
        saved = [path for path in self.ground.called.paths(name) if path not in self.overlays]
        return sorted([*saved, *called_by((opened.note for opened in self.open_notes.values()), name)])

    # --- links ---

    def resolve(self, source: NotePath, target: str) -> NotePath | None:
        """The file that a link to *target* in *source* leads to."""
        return resolve(self.names, source, target)

    def resolve_link(self, source: NotePath, link: Written) -> NotePath | None:
        """The file that *link*, which stands in *source*, leads to."""
        return resolve_link(self.names, source, link)

    def outgoing(self, path: NotePath) -> tuple[NotePath | None, ...]:
        """Where the links of the note at *path* lead, in the order of `note(path).links`."""
        if opened := self.overlays.get(path):
            return opened.resolved(self.names)
        return self.ground.graph.outgoing(path)

    def sources(self, path: NotePath) -> list[NotePath]:
        """The notes with a link to *path*, by path; the note itself too if it links to itself."""
        saved = [source for source in self.ground.sources(path) if source not in self.overlays]
        opened = [source for source, note in self.open_notes.items() if note.links_to(self.names, path)]
        return sorted([*saved, *opened])

    def links_to(self, path: NotePath) -> Iterator[Backlink]:
        """Every link that leads to the file at *path*, by path and place, those of the note itself too."""
        for source in self.sources(path):
            yield from self._links_between(source, path)

    def backlinks(self, path: NotePath) -> list[Backlink]:
        """The links of other notes to the file at *path*, by path and place."""
        return list(self.first_backlinks(path))

    def backlink_count(self, path: NotePath) -> int:
        """How many `backlinks` there are, without making them."""
        return sum(self._count_between(source, path) for source in self.sources(path) if source != path)

    def first_backlinks(self, path: NotePath) -> Iterator[Backlink]:
        """The `backlinks`, made one by one as they are wanted."""
        return (
            link
            for source in self.sources(path)
            if source != path
            for link in self._links_between(source, path)
        )

    def links_to_missing(self, meant: str) -> Iterator[Backlink]:
        """The links that name the missing file *meant* (see `resolve.meant_path`), by path and place."""
        saved = self.ground.graph.missing().get(meant, ())
        for source in sorted({*saved, *self.open_notes}):
            if source not in self.overlays or source in self.open_notes:
                yield from self._links_missing(source, meant)

    def _links_between(self, source: NotePath, path: NotePath) -> Iterator[Backlink]:
        if opened := self.open_notes.get(source):
            for link in opened.links_to(self.names, path):
                yield Backlink(source, link)
            return
        links = self.view.notes[source].links
        for link, target in zip(links, self.ground.graph.outgoing(source), strict=True):
            if target == path:
                yield Backlink(source, link)

    def _count_between(self, source: NotePath, path: NotePath) -> int:
        if opened := self.open_notes.get(source):
            return len(opened.links_to(self.names, path))
        return self.ground.graph.outgoing(source).count(path)

    def _links_missing(self, source: NotePath, meant: str) -> Iterator[Backlink]:
        note = self.note(source)
        for link, target in zip(note.links if note else (), self.outgoing(source), strict=True):
            if is_missed(link, target) and meant_path(source, link.target) == meant:
                yield Backlink(source, link)
