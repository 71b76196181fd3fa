"""What the client has open, by URI and by file.

A client may open one file under two URIs (a link to the vault, another spelling) and edit either: the text
opened last counts, the other waits behind it and counts again when that is closed. Must not know what
an open document is good for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from knapper.lsp.session import Document
from knapper.lsp.uris import path_of
from knapper.text.lines import Text
from knapper.text.span import Place


@dataclass(frozen=True, slots=True)
class Behind:
    """The text of a document whose file has been opened again under another URI."""

    uri: str
    place: Path
    version: int
    text: Text

    def edited(self, version: int, edits: Iterable[tuple[Place | None, str]]) -> Behind:
        """It after *edits*, one after the other; None is everything."""
        text = self.text
        for place, new in edits:
            text = Text(new) if place is None else text.splice(text.span(place), new)
        return Behind(self.uri, self.place, version, text)


class Documents:
    """The open documents: those that count, one for a file, and those behind them."""

    def __init__(self) -> None:
        self._by_place: dict[Path, Document] = {}
        self._by_uri: dict[str, Document] = {}
        self._behind: dict[str, Behind] = {}

    def all(self) -> tuple[Document, ...]:
        """The documents that count."""
        return tuple(self._by_place.values())

    def of(self, uri: str) -> Document | None:
        """The document of this URI, in whatever spelling."""
        if found := self._by_uri.get(uri):
            return found
        file = path_of(uri)
        if file is None:
            return None
        return self._by_place.get(file) or self._by_place.get(Path(os.path.realpath(file.parent), file.name))

    def at(self, document: Document) -> Document | None:
        """The document that counts for the file of *document*."""
        return self._by_place.get(_place(document))

    def add(self, document: Document) -> None:
        """The document counts from now on."""
        self._behind.pop(document.uri, None)
        self._by_place[_place(document)] = self._by_uri[document.uri] = document

    def drop(self, document: Document) -> None:
        """The document does not count any more."""
        self._by_place.pop(_place(document), None)
        self._by_uri.pop(document.uri, None)

    # --- behind others ---

    def put_behind(self, document: Document, version: int, text: Text) -> None:
        """Keep the text of a document that counted until now."""
        self._behind[document.uri] = Behind(document.uri, _place(document), version, text)

    def behind(self, uri: str) -> Behind | None:
        """The document of this URI, if it stands behind another."""
        return self._behind.get(uri)

    def edit_behind(self, edited: Behind) -> None:
        """The client edits a document that does not count."""
        self._behind[edited.uri] = edited

    def drop_behind(self, uri: str) -> None:
        """The client has closed a document that did not count."""
        self._behind.pop(uri, None)

    def next_at(self, document: Document) -> Behind | None:
        """The document that counts again once *document* is closed; it stands behind no more."""
        place = _place(document)
        found = [behind for behind in self._behind.values() if behind.place == place]
        return self._behind.pop(found[-1].uri) if found else None


def _place(document: Document) -> Path:
    return document.session.real / document.path
