"""What two notes have in common besides their meaning: tags, links, folder.

Each is a number from 0 to 1 with what it came from, so that a person can be told. Knows notes and links;
must not know texts or vectors.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from knapper.vault.note import Note
from knapper.vault.paths import NotePath, is_note, key
from knapper.vault.view import VaultView

_MOST_NEIGHBOURS = 500  # A note with more of them says nothing about two that it links to.
DIRECT = 0.5
"""A direct link counts at least so much of what links can count."""


class Links(Protocol):
    """Notes and their links; an `ide` snapshot is one, with the unsaved notes."""

    def note(self, path: NotePath) -> Note | None:
        """The note at *path*."""

    def outgoing(self, path: NotePath) -> Sequence[NotePath | None]:
        """Where the links of the note lead."""

    def sources(self, path: NotePath) -> Collection[NotePath]:
        """The notes with a link to *path*."""


@dataclass(frozen=True, slots=True)
class SavedLinks:
    """The links of a view, which knows saved notes only."""

    view: VaultView

    def note(self, path: NotePath) -> Note | None:
        """The note at *path*."""
        return self.view.notes.get(path)

    def outgoing(self, path: NotePath) -> Sequence[NotePath | None]:
        """Where the links of the note lead."""
        return self.view.graph.outgoing(path)

    def sources(self, path: NotePath) -> Collection[NotePath]:
        """The notes with a link to *path*."""
        return self.view.graph.sources(path)


@dataclass(frozen=True, slots=True)
class Common:
    """What a note has in common with the source: shares from 0 to 1, and the tags and notes they are of."""

    tags: float = 0.0
    links: float = 0.0
    folder: float = 0.0
    shared_tags: tuple[str, ...] = ()
    direct: bool = False
    through: tuple[NotePath, ...] = ()


class Surroundings:
    """The tags, links and folder of one note, to compare others with."""

    def __init__(self, links: Links, path: NotePath) -> None:
        self._links = links
        self._path = path
        self._tags = _tags(links.note(path))
        self._neighbours = _neighbours(links, path)
        self._through: dict[NotePath, dict[NotePath, float]] = {}
        for middle in sorted(self._neighbours):
            if len(links.sources(middle)) > _MOST_NEIGHBOURS + 1:  # Itself may be among them.
                continue
            around = _neighbours(links, middle)
            if len(around) <= _MOST_NEIGHBOURS:
                for other in around:
                    # Two at least: the source and this one.
                    self._through.setdefault(other, {})[middle] = 1 / math.log(max(len(around), 2))

    @property
    def neighbours(self) -> frozenset[NotePath]:
        """The files that the note links to or that link to it."""
        return self._neighbours

    def common(self, path: NotePath) -> Common:
        """What the note at *path* has in common with this one."""
        tags = _tags(self._links.note(path))
        both = sorted(tags.keys() & self._tags.keys())
        jaccard = len(both) / len(tags.keys() | self._tags.keys()) if both else 0.0
        through = self._through.get(path, {})
        weight = sum(through.values())
        adamic_adar = weight / (1 + weight)  # Unbounded by itself.
        direct = path in self._neighbours
        return Common(
            tags=jaccard,
            links=max(adamic_adar, DIRECT) if direct else adamic_adar,
            folder=float(_folder(path) == _folder(self._path) != ""),
            shared_tags=tuple(self._tags[tag] for tag in both),
            direct=direct,
            through=tuple(sorted(through, key=lambda middle: (-through[middle], middle))),
        )


def _neighbours(links: Links, path: NotePath) -> frozenset[NotePath]:
    linked = {target for target in links.outgoing(path) if target is not None and is_note(target)}
    return frozenset(linked.union(links.sources(path)) - {path})


def _tags(note: Note | None) -> dict[str, str]:
    return {key(tag.name): tag.name for tag in reversed(note.tags)} if note else {}


def _folder(path: str) -> str:
    return path.rpartition("/")[0]
