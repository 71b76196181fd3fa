"""Which notes are near to the one that is written: used lately, linked, in its folder.

Knows the open notes and the graph. Near notes are offered before others that match as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from knapper.ide.snapshot import Snapshot
from knapper.vault.paths import NotePath

_USED = 20
_LINKED = 500  # of a hub with thousands of links more say nothing


@dataclass(frozen=True, slots=True)
class Nearness:
    """`ranks` are from 0 (nothing) to 1 (used a moment ago, and linked)."""

    ranks: Mapping[NotePath, float]
    path: NotePath
    folder: str  # of the note, with a slash at its end; empty for the root

    def of(self, path: NotePath) -> float:
        """How near *path* is, from 0 to 1."""
        return self.ranks.get(path, 0.0) + (0.1 if self.is_beside(path) else 0.0)

    def is_beside(self, path: NotePath) -> bool:
        """Whether *path* lies in the folder of the note."""
        return path.startswith(self.folder) and "/" not in path[len(self.folder) :]

    def part_of(self, path: NotePath) -> float:
        """The same for parts of notes, of which those of the note itself are near too."""
        return 0.6 if path == self.path else self.of(path)


@lru_cache(maxsize=4)
def nearness(snap: Snapshot, path: NotePath) -> Nearness:
    """How near other notes are to the one at *path*. Kept for the snapshot: every item asks for it."""
    ranks: dict[NotePath, float] = {}
    for target in linked_with(snap, path)[:_LINKED]:
        ranks[target] = 0.4
    for age, used in enumerate(other for other in snap.used[: _USED + 1] if other != path):
        ranks[used] = ranks.get(used, 0.0) + 0.5 * (1 - age / (2 * _USED))
    ranks.pop(path, None)
    return Nearness(ranks, path, path[: path.rfind("/") + 1])


def linked_with(snap: Snapshot, path: NotePath) -> tuple[NotePath, ...]:
    """The files that the saved or open note links to, then those that link to it."""
    out = [target for target in snap.outgoing(path) if target is not None and target != path]
    sources = (source for source in snap.view.graph.sources(path) if source != path)
    return tuple(dict.fromkeys([*out, *sources]))


def near_notes(snap: Snapshot, path: NotePath, limit: int) -> list[NotePath]:
    """Files to offer before anything is typed: used, linked, beside it, changed last; best first."""
    near = nearness(snap, path)
    first = sorted(near.ranks, key=lambda other: -near.of(other))
    changed = [other for other in snap.view.recent(2 * limit) if other != path]
    changed.sort(key=lambda other: -near.of(other))  # stable: those beside the note come first
    found = [other for other in dict.fromkeys([*first, *changed]) if snap.names.has(other)]
    found.sort(key=snap.view.is_excluded)
    if len(found) < limit and snap.names.has(path):
        found.append(path)  # A link to the note itself is rare.
    return found[:limit]
