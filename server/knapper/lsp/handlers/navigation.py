"""Definition, references, highlights: where something stands."""

from __future__ import annotations

import re

from lsprotocol import types as t

from knapper.ide.definition import definition as find_definition
from knapper.ide.highlight import highlights as find_highlights
from knapper.ide.locate import touching
from knapper.ide.references import references as find_references
from knapper.lsp.here import Encoded, Here, range_of
from knapper.lsp.uris import path_of


def definition(here: Here, params: t.DefinitionParams) -> list[t.Location] | None:
    """Where the thing at the cursor is; for a link that leads nowhere the offer is `offers`' matter."""
    found = find_definition(here.snap, here.path, here.offset(params.position))
    return [here.vault.location(location) for location in found] or None


def file_at(here: Here, position: t.Position) -> t.Location | None:
    """Where a link to a file of this machine leads: `[1](file:///…/Bread.md#L12)`, as on our pages."""
    opened = here.snap.document(here.path)
    address = touching(opened.parse.addresses, here.offset(position)) if opened else None
    found = _FILE.fullmatch(address.url) if address else None
    path = path_of(found["uri"]) if found else None
    if found is None or path is None or not path.is_file():
        return None
    line = max(0, int(found["line"] or 1) - 1)
    return t.Location(found["uri"], t.Range(t.Position(line, 0), t.Position(line, 0)))


# A host, or more slashes, would be another computer.
_FILE = re.compile(r"(?P<uri>file:///(?![/\\])[^#]*)(?:#(?:L(?P<line>\d{1,9}))?.*)?", re.IGNORECASE)


def references(here: Here, params: t.ReferenceParams) -> Encoded:
    """Everything that means the same as the thing at the cursor."""
    found = find_references(
        here.snap,
        here.path,
        here.offset(params.position),
        declaration=params.context.include_declaration,
        token=here.token,
    )
    return here.vault.locations(found)


def highlights(here: Here, params: t.DocumentHighlightParams) -> list[t.DocumentHighlight]:
    """What in this document means the same as the thing at the cursor."""
    found = find_highlights(here.snap, here.path, here.offset(params.position))
    return [t.DocumentHighlight(range_of(place), t.DocumentHighlightKind.Text) for place in found]
