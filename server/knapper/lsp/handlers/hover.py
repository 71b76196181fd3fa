"""Hover: what stands behind a link, as Markdown or as plain text."""

from __future__ import annotations

from lsprotocol import types as t

from knapper.ide.hover import hover as find_hover
from knapper.lsp.here import Here, range_of
from knapper.lsp.to_proto import markup


def hover(here: Here, params: t.HoverParams) -> t.Hover | None:
    """What to show beside the cursor."""
    found = find_hover(here.snap, here.path, here.offset(params.position))
    if found is None:
        return None
    text = found.markdown
    if found.image is not None and here.client.hover_markdown:
        text = f"![]({here.vault.uri_of(found.image)})\n\n{text}"
    return t.Hover(markup(text, rendered=here.client.hover_markdown), range_of(found.place))
