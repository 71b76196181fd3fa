"""What the features answer: plain, frozen data.

Positions are `Place`s (lines and UTF-16 columns), files are `NotePath`s. The layer above turns both into
what its protocol wants. Edits say what is to happen, never how an editor is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from knapper.text.span import Place
from knapper.vault.paths import NotePath


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file of the vault."""

    path: NotePath
    place: Place


# --- edits ---


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Put *new* where *place* is."""

    place: Place
    new: str


@dataclass(frozen=True, slots=True)
class FileEdit:
    """Edits of one file, all counted from the same text; `version` is that of the open buffer, if any."""

    path: NotePath
    edits: tuple[TextEdit, ...]
    version: int | None = None


@dataclass(frozen=True, slots=True)
class CreateFile:
    """Create a note that must not exist yet."""

    path: NotePath
    text: str = ""


Edit = CreateFile | FileEdit


@dataclass(frozen=True, slots=True)
class Command:
    """Something the server is asked to do later: one of its own commands (`knapper.backlinks`).

    In the arguments the key `path` holds a `NotePath`, which the layer above sends as `uri`, and `place` a
    `Place`, which it sends as `range`.
    """

    name: str
    arguments: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Action:
    """Something a person may choose to do. `kind` is `quickfix`, `refactor`, `source`, or empty."""

    title: str
    kind: str
    edits: tuple[Edit, ...] = ()
    command: Command | None = None
    fixes: tuple[str, ...] = ()  # codes of the diagnostics at the cursor that this puts right
    preferred: bool = False
    opens: NotePath | None = None  # a file to show once the edits are done


# --- reading ---


@dataclass(frozen=True, slots=True)
class Hover:
    """What is shown beside the cursor. `image` is a picture to show above the Markdown."""

    markdown: str
    place: Place
    image: NotePath | None = None


@dataclass(frozen=True, slots=True)
class Symbol:
    """A heading in the outline: `place` is its section, `selection` its text."""

    name: str
    detail: str
    kind: str  # "heading"
    place: Place
    selection: Place
    children: tuple[Symbol, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    """A note, an alias or a heading of the vault; `container` says where it belongs."""

    name: str
    kind: str  # "note", "alias" or "heading"
    location: Location
    container: str


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """Something to click: a file (`path`) or an address (`url`).

    `fragment` is what follows `#` in a link to an attachment (`page=3`), `line` where a heading or
    block stands in the note, from 0.
    """

    place: Place
    path: NotePath | None = None
    url: str | None = None
    fragment: str | None = None
    line: int | None = None
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that fold into the first of them, both ends included.

    Kinds: `section`, or a region's: `frontmatter`, `code`, `math`, `comment`, `table`, `callout`, `list`…
    """

    start_line: int
    end_line: int
    kind: str


@dataclass(frozen=True, slots=True)
class Lens:
    """A line of text above a place: `3 backlinks`. `subpath` is what of the note it is about.

    `references_to(snapshot, path, lens.subpath)` are the locations that it counts.
    """

    place: Place
    title: str
    count: int
    subpath: str | None = None  # None: the whole note; `^id`: a block; else a heading


@dataclass(frozen=True, slots=True)
class RelatedLens:
    """A line of text above a place: `Related: A, B, C`. `subpath` is a section that it is about."""

    place: Place
    title: str
    subpath: str | None = None


@dataclass(frozen=True, slots=True)
class CallItem:
    """A note as an item of the call hierarchy."""

    path: NotePath
    name: str
    detail: str


@dataclass(frozen=True, slots=True)
class Call:
    """A note that links (or is linked), and the places of the links in the linking note."""

    item: CallItem
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something to tell about a place. Severities: `error`, `warning`, `information`, `hint`."""

    code: str
    severity: str
    place: Place
    message: str


# --- the link graph ---


@dataclass(frozen=True, slots=True)
class BacklinkItem:
    """A link to a note, or an unlinked mention of it; `text` is the line it stands in, trimmed."""

    path: NotePath
    place: Place
    text: str
    embed: bool


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A file of the vault, or a note that is linked and does not exist (`path` is None)."""

    id: str
    path: NotePath | None
    title: str


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """One or more links from the node *source* to the node *target*; both are ids of nodes."""

    source: str
    target: str
    count: int


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Nodes and edges, from links in the text only."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
