"""Which notes link to a note, and with what words."""

from __future__ import annotations

from knapper.ide.results import BacklinkItem
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import LinkKind
from knapper.vault.paths import NotePath

_EMBEDS = frozenset({LinkKind.EMBED, LinkKind.IMAGE})


def backlinks(snap: Snapshot, path: NotePath) -> list[BacklinkItem]:
    """The links to the file at *path* from other notes and canvases, by path and place."""
    return [
        BacklinkItem(source, link.place, link.context, link.kind in _EMBEDS)
        for source, link in snap.backlinks(path)
    ]
