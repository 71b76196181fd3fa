"""Definition, references, highlights: where something stands."""

from __future__ import annotations

from lsprotocol import types as t

from knapper.ide.definition import definition as find_definition
from knapper.ide.highlight import highlights as find_highlights
from knapper.ide.references import references as find_references
from knapper.lsp.here import Encoded, Here, range_of


def definition(here: Here, params: t.DefinitionParams) -> list[t.Location] | None:
    """Where the thing at the cursor is; for a link that leads nowhere the offer is `offers`' matter."""
    found = find_definition(here.snap, here.path, here.offset(params.position))
    return [here.vault.location(location) for location in found] or None


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
