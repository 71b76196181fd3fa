"""Hover: what stands behind a link, and related notes, as Markdown or as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from knapper.base.cancel import CancelToken
from knapper.ide.hover import hover as find_hover
from knapper.ide.nearby import related_subject, with_related
from knapper.ide.results import Hover
from knapper.lsp.here import Here, range_of
from knapper.lsp.to_proto import markup

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_PATIENCE_S = 0.1
"""So long a hover waits for related notes; later ones are there for the next hover."""


async def hover(server: KnapperServer, params: t.HoverParams, token: CancelToken) -> t.Hover | None:
    """What to show beside the cursor."""
    here = server.here(params, token)
    if here.is_heavy:
        await server.jobs.run(lambda: here.snap.note(here.path), token)
    offset = here.offset(params.position)
    found = find_hover(here.snap, here.path, offset)
    document = server.document(params.text_document.uri)
    subject = related_subject(here.snap, here.path, offset) if document else None
    if document is not None and subject is not None:
        related = await server.related.about(document.session, *subject, _PATIENCE_S)
        found = with_related(here.snap, here.path, offset, found, related)
    return _shown(here, found)


def _shown(here: Here, found: Hover | None) -> t.Hover | None:
    if found is None:
        return None
    text = found.markdown
    if found.image is not None and here.client.hover_markdown:
        text = f"![]({here.vault.uri_of(found.image)})\n\n{text}"
    return t.Hover(markup(text, rendered=here.client.hover_markdown), range_of(found.place))
