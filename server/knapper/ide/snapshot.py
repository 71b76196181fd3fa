"""Everything that a feature may see: the vault as of one index commit, and the open notes over it.

A snapshot never changes. It is made for each revision by `host.Host` and shared by all who read it.
An open note always wins over its saved one, and an open file that is not on disk yet counts as a file
of the vault. Must not know where views come from, nor how files are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from knapper.base.settings import Settings
from knapper.ide.open_note import OpenNote
from knapper.text.lines import Text
from knapper.vault.graph import Graph
from knapper.vault.names import Names
from knapper.vault.note import Note
from knapper.vault.paths import NotePath
from knapper.vault.resolve import resolve
from knapper.vault.view import Backlink, VaultView

Read = Callable[[NotePath], str | None]
"""The text of a file of the vault as it is on disk, or None if it cannot be read."""

Size = Callable[[NotePath], int | None]
"""The bytes of a file of the vault, or None if it is not there."""


@dataclass(frozen=True, eq=False)
class Ground:
    """What the snapshots of many revisions share: a view, and the files that are only open.

    Invariant: `names` and `graph` are those of the view when `unsaved` is empty, which is nearly always.
    """

    view: VaultView
    unsaved: frozenset[NotePath] = frozenset()

    @cached_property
    def names(self) -> Names:
        """Every file of the vault, the unsaved ones too."""
        return self.view.names.with_changes(self.unsaved, ()) if self.unsaved else self.view.names

    @cached_property
    def graph(self) -> Graph:
        """The links of the saved notes among these names: an unsaved file can be what they mean."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
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
        return None if content is None else OpenNote(path, 0, Text(content))

    def version(self, path: NotePath) -> int | None:
        """The version of the open buffer of *path*, None for a closed file."""
        opened = self.overlays.get(path)
        return opened.version if opened else None

    # --- all notes ---

    def notes(self) -> Iterator[Note]:
        """Every note and canvas, each once."""
        for path, note in self.view.notes.items():
            if path not in self.overlays:
                yield note
        for opened in self.overlays.values():
            yield opened.note

    # --- links ---

    def resolve(self, source: NotePath, target: str) -> NotePath | None:
        """The file that a link to *target* in *source* leads to."""
        return resolve(self.names, source, target)

    def outgoing(self, path: NotePath) -> tuple[NotePath | None, ...]:
        """Where the links of the note at *path* lead, in the order of `note(path).links`."""
        if opened := self.overlays.get(path):
            return opened.resolved(self.names)
        return self.ground.graph.outgoing(path)

    def links_to(self, path: NotePath) -> Iterator[Backlink]:
        """Every link that leads to the file at *path*, those of the note itself too, in no order."""
        raise NotImplementedError

    def backlinks(self, path: NotePath) -> list[Backlink]:
        """The links of other notes to the file at *path*, ordered by their notes' paths and places."""
        found = (link for link in self.links_to(path) if link.source != path)
        return sorted(found, key=lambda backlink: (backlink.source, backlink.link.place))
