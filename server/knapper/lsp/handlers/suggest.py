"""`knapper/suggestLinks`: the notes that a passage names, or is near to, and does not link to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from knapper.base.cancel import CancelToken
from knapper.ide.mentions import no_prose
from knapper.lsp.custom import Between, SuggestParams
from knapper.lsp.handlers.backlinks import uri_or_last
from knapper.lsp.here import Here, NotThere, range_of
from knapper.lsp.jobs import Jobs
from knapper.lsp.related_notes import find_related, options_for
from knapper.lsp.vectors import NO_VECTORS, Served
from knapper.search.naming import Naming
from knapper.search.suggest import Writing
from knapper.search.suggest import suggest_links as find_links
from knapper.store.words import WordReader
from knapper.text.span import Span

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_NEAR = 10


async def suggest_links(server: KnapperServer, params: SuggestParams, token: CancelToken) -> dict[str, Any]:
    """The links that a note, or a range of it, could have, best first."""
    uri = uri_or_last(server, params)
    served = NO_VECTORS
    for _, index in server.chosen(uri):
        await index.flushed()
        served = await index.vectors()
    here = server.at(uri, token)
    return await server.jobs.run(lambda: _suggested(server.jobs, here, served, params), token)


def _suggested(jobs: Jobs, here: Here, served: Served, params: SuggestParams) -> dict[str, Any]:
    opened, vault = here.snap.document(here.path), here.vault
    if opened is None:
        raise NotThere
    if vault.database is None:
        return {"items": []}
    within = _span(here, params.range)
    lines = (opened.text.line_of(within.start), opened.text.line_of(within.end)) if params.range else None
    near = find_related(jobs, vault, here.path, served, options_for(vault, _NEAR, lines), here.token)
    here.token.check()
    linked = frozenset(path for path in here.snap.outgoing(here.path) if path is not None)
    writing = Writing(here.path, opened.text, within, no_prose(opened.parse), linked)
    reader = jobs.reader(vault.database)
    naming = Naming.of(here.snap.notes(), here.snap.view.is_excluded)
    here.token.check()
    found = find_links(writing, naming, WordReader(reader.connection, reader.server), near, params.limit)
    items = [
        {
            "range": range_of(one.place),
            "text": one.text,
            "path": one.path,
            "uri": vault.uri_of(one.path),
            "score": round(one.score, 4),
            "by": one.by,
        }
        for one in found
    ]
    return {"items": items}


def _span(here: Here, given: Between | None) -> Span:
    if given is None:
        return Span(0, len(here.text()))
    start = here.offset(t.Position(given.start.line, given.start.character))
    return Span(start, max(start, here.offset(t.Position(given.end.line, given.end.character))))
