"""The one mutable thing: what the editor has open in a vault, and the view of the vault below it.

Owned by the main thread. An edit only splices the text: nothing is parsed and nothing is looked up, so
a keystroke costs the same in every vault. Must not know the index, the disk or the protocol.
"""

from __future__ import annotations

from collections.abc import Iterable

from knapper.base.settings import Settings
from knapper.ide.open_note import OpenNote
from knapper.ide.snapshot import Ground, Read, Size, Snapshot
from knapper.text.lines import Text
from knapper.text.span import Place
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView

_REMEMBERED = 100


class Host:
    """Takes what happens in the editor and the index, and gives snapshots.

    `alone` is for a file outside every vault: give an empty view and open that file only.
    """

    def __init__(
        self,
        view: VaultView,
        settings: Settings,
        *,
        read: Read = lambda _path: None,
        size: Size = lambda _path: None,
        alone: bool = False,
    ) -> None:
        self._view = view
        self._settings = settings
        self._read, self._size, self._alone = read, size, alone
        self._open: dict[NotePath, OpenNote] = {}
        self._used: tuple[NotePath, ...] = ()
        self._ground = Ground(view)
        self._revision = 0
        self._snapshot: Snapshot | None = None

    # --- the editor ---

    def open(self, path: NotePath, version: int, text: str) -> None:
        """The editor opened the file at *path*; from now on its text counts, not the one on disk."""
        self._open[path] = OpenNote(path, version, Text(text))
        self._changed()
        self.use(path)

    def change(self, path: NotePath, version: int, edits: Iterable[tuple[Place | None, str]]) -> None:
        """Apply *edits* one after the other, each to the text the one before left; None is everything.

        Raises KeyError if the file is not open.
        """
        note = self._open[path]
        for place, new in edits:
            if place is None:
                note = note.replaced(version, new)
            else:
                note = note.edited(version, note.text.span(place), new)
        self._open[path] = note
        self._changed()

    def close(self, path: NotePath) -> None:
        """The editor closed the file: what is on disk counts again. Closing a closed file is nothing."""
        if self._open.pop(path, None):
            self._changed()

    def is_open(self, path: NotePath) -> bool:
        """Whether the editor has the file open."""
        return path in self._open

    def text_now(self, path: NotePath) -> str | None:
        """The text of the file as it is at this moment, read if it is not open. May run in any thread."""
        note = self._open.get(path)
        return note.text.content if note else self._read(path)

    def settle(self, path: NotePath) -> None:
        """Parse the open note now, so that the next request finds it parsed. May run in any thread."""
        if note := self._open.get(path):
            _ = note.note

    def use(self, *paths: NotePath) -> None:
        """These notes were used, the last one last; what was used lately is offered first."""
        recent = dict.fromkeys([*reversed(paths), *self._used])
        self._used = tuple(recent)[:_REMEMBERED]
        self._changed()

    # --- the vault ---

    def rebase(self, view: VaultView) -> None:
        """Put a newer view below the open notes."""
        self._view = view
        self._changed()

    def configure(self, settings: Settings) -> None:
        """Use other settings from now on."""
        self._settings = settings
        self._changed()

    # --- reading ---

    def snapshot(self) -> Snapshot:
        """The state of now; the same object as long as nothing changes."""
        if self._snapshot is None:
            self._snapshot = Snapshot(
                revision=self._revision,
                ground=self._current_ground(),
                overlays=dict(self._open),
                settings=self._settings,
                read=self._read,
                size=self._size,
                used=self._used,
                alone=self._alone,
            )
        return self._snapshot

    def _changed(self) -> None:
        self._revision += 1
        self._snapshot = None

    def _current_ground(self) -> Ground:
        unsaved = frozenset(path for path in self._open if is_shown(path) and not self._view.names.has(path))
        if self._ground.view is not self._view or self._ground.unsaved != unsaved:
            self._ground = Ground(self._view, unsaved, self._ground.last_called)
        return self._ground


def is_shown(path: str) -> bool:
    """Whether the vault shows a file of this path: none of its parts begins with a dot."""
    return not any(part.startswith(".") for part in path.split("/"))
