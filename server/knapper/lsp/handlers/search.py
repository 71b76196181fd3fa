"""`knapper/search`: full text over the notes as they are in the editor, unsaved text included."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from knapper.base.cancel import CancelToken
from knapper.lsp.custom import SearchParams
from knapper.lsp.here import Vault, range_of
from knapper.lsp.jobs import Jobs
from knapper.search.pipeline import SearchOptions
from knapper.search.pipeline import search as find
from knapper.search.results import Hit, Results
from knapper.store.lexical import LexicalReader

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_MOST = 100
_LATE = "Some unsaved text is not in the index yet."
_NO_INDEX = "There is no index to search yet."
_TEXT_ONLY = "There is no search by meaning yet; this is full text."


async def search(server: KnapperServer, params: SearchParams, token: CancelToken) -> dict[str, Any]:
    """The hits of one vault, or of all, best first."""
    if params.query is None:
        raise JsonRpcInvalidParams("A search needs a query.")
    remarks: list[str] = [_TEXT_ONLY] if params.mode == "semantic" else []
    found: list[tuple[Vault, Hit]] = []
    for session, index in server.chosen(params.vault):
        if not await index.flushed():
            remarks.append(_LATE)
        vault = session.vault()
        if vault.database is None:
            remarks.append(_NO_INDEX)
            continue
        results = await server.jobs.run(partial(_in_vault, server.jobs, vault, params, token), token)
        found += [(vault, hit) for hit in results.hits]
        remarks += results.remarks
    found.sort(key=lambda pair: -pair[1].score)
    items = [_item(vault, hit, params) for vault, hit in found[: params.limit]]
    return {"query": params.query, "items": items, "remarks": list(dict.fromkeys(remarks))}


def _in_vault(jobs: Jobs, vault: Vault, params: SearchParams, token: CancelToken) -> Results:
    assert vault.database is not None
    reader = jobs.reader(vault.database)
    index = LexicalReader(reader.connection, reader.server)
    options = SearchOptions(
        today=date.today(),  # noqa: DTZ011 -- What the person at this machine calls today.
        limit=min(params.limit, _MOST),
        hidden=vault.snap.view.is_excluded,
    )
    return find(index, params.query or "", options, token)


def _item(vault: Vault, hit: Hit, params: SearchParams) -> dict[str, Any]:
    item: dict[str, Any] = {
        "path": hit.path,
        "uri": vault.uri_of(hit.path),
        "title": hit.title,
        "heading": hit.heading,
        "range": range_of(hit.place),
        "snippet": hit.snippet,
        "score": round(hit.score, 4),
    }
    if params.vault is None:
        item["vault"] = vault.uri
    if params.explain:
        item["trace"] = [{"stage": s.name, "rank": s.rank, "score": round(s.score, 4)} for s in hit.trace]
    return item
