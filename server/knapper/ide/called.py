"""What notes are called besides their names: aliases and titles. They resolve no link, but name a note.

Knows the notes of a view; must not know unsaved texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from knapper.vault.note import Note
from knapper.vault.paths import NotePath, key
from knapper.vault.persistent import PersistentMap

_Notes = PersistentMap[NotePath, Note]


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """For each folded alias and title the notes that have it, by path.

    Invariant: `called.updated(notes)` holds what `Called().updated(notes)` does; it looks only at the
    notes that are not the same objects as before.
    """

    notes: _Notes = field(default_factory=PersistentMap)
    _paths: PersistentMap[str, tuple[NotePath, ...]] = field(default_factory=PersistentMap)

    def updated(self, notes: _Notes) -> Self:
        """The same for other notes of the vault."""
        if notes is self.notes:
            return self
        changes: dict[str, set[NotePath]] = {}
        for path in notes.changed_since(self.notes):
            for name in _names(self.notes.get(path)) ^ _names(notes.get(path)):
                changes.setdefault(name, set()).add(path)
        put = {name: tuple(sorted(paths ^ {*self.paths(name)})) for name, paths in changes.items()}
        gone = [name for name, paths in put.items() if not paths]
        kept = {name: paths for name, paths in put.items() if paths}
        return type(self)(notes, self._paths.with_changes(kept, gone))

    def paths(self, name: str) -> tuple[NotePath, ...]:
        """The notes with this alias or title, in any letter case, by path."""
        return self._paths.get(key(name), ())


def called_by(notes: Iterable[Note], name: str) -> list[NotePath]:
    """Of a few notes those with this alias or title."""
    return [note.path for note in notes if key(name) in _names(note)]


def _names(note: Note | None) -> set[str]:
    if note is None:
        return set()
    return {key(name) for name in (*note.aliases, note.title) if name}
