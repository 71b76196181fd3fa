"""What a handler is given: a vault, and a document in it, as they are at this moment.

Frozen, so a job thread may have it. Knows how paths of the vault are told to the client; must not know
how a request came in, or who else is being answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types as t

from knapper.base.cancel import CancelToken
from knapper.ide.results import Location
from knapper.ide.snapshot import Snapshot
from knapper.lsp.capabilities import Client
from knapper.lsp.uris import encoded
from knapper.text.lines import Text
from knapper.text.span import Place, Position
from knapper.vault.paths import NotePath

_HEAVY = 300_000
"""So many characters take about a tenth of a second to parse."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """An answer that is JSON already."""

    json: str


class NotThere(Exception):  # noqa: N818 -- It is an answer: nothing.
    """What was asked about does not exist; the answer is null or an empty list."""


@dataclass(frozen=True, slots=True)
class Vault:
    """A vault at one moment. `uri` is that of its root, as the client writes it."""

    root: Path
    uri: str
    snap: Snapshot
    client: Client
    client_uris: Mapping[NotePath, str] = field(default_factory=dict)  # of documents that are open
    database: Path | None = None
    single: bool = False  # a file outside every vault, alone

    def uri_of(self, path: NotePath) -> str:
        """The URI of a file of the vault; an open one has the spelling that the client gave it."""
        return self.client_uris.get(path) or f"{self.uri}/{encoded(path)}"

    def location(self, location: Location) -> t.Location:
        """A place in the vault, for the client."""
        return t.Location(self.uri_of(location.path), range_of(location.place))

    def locations(self, locations: Iterable[Location]) -> Encoded:
        """Many places, written at once.

        A hub has ten thousand, and to make objects of them first takes three times as long.
        """
        uris: dict[NotePath, str] = {}
        made = []
        for location in locations:
            path, (line, start, end_line, end) = location.path, location.place
            uri = uris.get(path) or uris.setdefault(path, json.dumps(self.uri_of(path)))
            made.append(
                f'{{"uri":{uri},"range":{{"start":{{"line":{line},"character":{start}}},'
                f'"end":{{"line":{end_line},"character":{end}}}}}}}'
            )
        return Encoded(f"[{','.join(made)}]")


@dataclass(frozen=True, slots=True)
class Here:
    """A document of a vault, and whether the answer is still wanted."""

    vault: Vault
    path: NotePath
    token: CancelToken = field(default_factory=CancelToken)

    @property
    def snap(self) -> Snapshot:
        """The vault's state."""
        return self.vault.snap

    @property
    def client(self) -> Client:
        """What the client can do."""
        return self.vault.client

    @property
    def is_heavy(self) -> bool:
        """Whether the first look at the document takes so long that nobody should wait for it."""
        if opened := self.snap.overlays.get(self.path):
            return len(opened.text) > _HEAVY and not opened.is_parsed
        closed = self.snap.view.notes.get(self.path)
        return closed is not None and closed.size > _HEAVY

    def text(self) -> Text:
        """The document's text, the unsaved one if it is open; raises `NotThere`."""
        text = self.snap.text(self.path)
        if text is None:
            raise NotThere
        return text

    def offset(self, position: t.Position) -> int:
        """The offset of *position*; one past the end of its line or of the text is clamped."""
        return self.text().offset(Position(position.line, position.character))


def range_of(place: Place) -> t.Range:
    """A place, for the client."""
    return t.Range(t.Position(place.line, place.start), t.Position(place.end_line, place.end))


def place_of(given: t.Range) -> Place:
    """A range from the client."""
    return Place(given.start.line, given.start.character, given.end.line, given.end.character)
