"""Vaults on disk with a real index, to be searched by the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from knapper.base.settings import read_settings
from knapper.index.local import bring_up_to_date
from knapper.search.pipeline import SearchOptions, search
from knapper.search.results import Hit, Results
from knapper.store.lexical import LexicalReader
from knapper.store.reader import Reader
from knapper.vault.paths import NotePath

TODAY = date(2024, 5, 8)


@dataclass(frozen=True)
class Library:
    """An indexed vault, as the server *server* sees it."""

    root: Path
    reader: Reader

    @property
    def index(self) -> LexicalReader:
        """The search port."""
        return LexicalReader(self.reader.connection, self.reader.server)

    def results(
        self, query: str, *, hidden: Callable[[NotePath], bool] | None = None, typing: bool = False
    ) -> Results:
        """What a search gives on TODAY."""
        return search(self.index, query, SearchOptions(TODAY, hidden=hidden, typing=typing))

    def found(self, query: str) -> list[str]:
        """The paths of the hits, best first."""
        return [hit.path for hit in self.results(query).hits]

    def best(self, query: str) -> Hit:
        """The first hit."""
        return self.results(query).hits[0]


def library(folder: Path, notes: Mapping[str, str]) -> Library:
    """A vault of *notes* in *folder*, indexed."""
    for path, text in notes.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
    settings, _ = read_settings([{"index.location": "vault"}])
    return Library(folder, Reader(bring_up_to_date(folder, settings).database))
