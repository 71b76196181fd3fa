"""What a link to a missing note would create."""

from __future__ import annotations

from knapper.ide.snapshot import Snapshot
from knapper.vault.paths import NotePath
from knapper.vault.write import new_note_path


def created_path(snap: Snapshot, source: NotePath, target: str) -> NotePath | None:
    """The note that creating *target*, as a link in *source* writes it, would make; None if none can be."""
    if snap.alone:
        return None
    path = new_note_path(snap.view.obsidian, source, target)
    return None if path is None or snap.names.exact(path) else path
