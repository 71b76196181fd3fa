"""Vaults on disk with a real index, to be asked by the tests."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from knapper.memory.asked import Memory
from knapper.search.pipeline import NO_AIDS, Aids
from knapper.vault.paths import NotePath
from tests.search.library import TODAY, Library


@dataclass
class Notebook:
    """An indexed vault and the unsaved texts over it, which the index does not know."""

    library: Library
    unsaved: dict[str, str | None] = field(default_factory=dict)
    excluded: frozenset[str] = frozenset()
    links: Mapping[str, Collection[str]] = field(default_factory=dict)
    aids: Aids = NO_AIDS
    today: date = TODAY

    @property
    def memory(self) -> Memory:
        """What a question is asked of."""
        return Memory(
            index=self.library.index,
            aids=self.aids,
            today=self.today,
            text_of=self.text_of,
            hidden=self.excluded.__contains__,
            linked=self._linked,
        )

    def text_of(self, path: NotePath) -> str | None:
        """The text as it is now: unsaved, or of the disk."""
        if path in self.unsaved:
            return self.unsaved[path]
        file: Path = self.library.root / path
        return file.read_bytes().decode("utf-8-sig") if file.is_file() else None

    def _linked(self, path: NotePath) -> Collection[NotePath]:
        return [NotePath(other) for other in self.links.get(path, ())]
