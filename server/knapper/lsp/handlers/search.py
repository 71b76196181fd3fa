"""`knapper/search`: by words and by meaning, over the notes as they are in the editor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from pygls.exceptions import JsonRpcInvalidParams

from knapper.base.cancel import CancelToken
from knapper.lsp.aids import Remembered, aids_of
from knapper.lsp.custom import SearchParams
from knapper.lsp.here import Vault, range_of
from knapper.lsp.jobs import Jobs
from knapper.lsp.usage import today
from knapper.lsp.vectors import NO_VECTORS
from knapper.search.hybrid import Mode
from knapper.search.pipeline import SearchOptions
from knapper.search.pipeline import search as find
from knapper.search.results import Hit, Results, Stage
from knapper.store.lexical import LexicalReader

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_MOST = 100
_LATE = "Some unsaved text is not in the index yet."
_NO_INDEX = "There is no index to search yet."


async def search(server: KnapperServer, params: SearchParams, token: CancelToken) -> dict[str, Any]:
    """The hits of one vault, or of all, best first."""
    if params.query is None:
        raise JsonRpcInvalidParams("A search needs a query.")
    remarks: list[str] = []
    found: list[tuple[Vault, Results]] = []
    for session, index in server.chosen(params.vault):
        if not await index.flushed():
            remarks.append(_LATE)
        vault = session.vault()
        if vault.database is None:
            remarks.append(_NO_INDEX)
            continue
        served = NO_VECTORS if params.mode == "text" else await index.vectors()
        it = Remembered(served, index.models, server.usage, session.real)
        results = await server.jobs.run(partial(_in_vault, server.jobs, vault, it, params, token), token)
        found.append((vault, results))
        remarks += results.remarks
    items = [_item(vault, hit, params) for vault, hit in _in_order(found)[: params.limit]]
    return {"query": params.query, "items": items, "remarks": list(dict.fromkeys(remarks))}


def _in_order(found: list[tuple[Vault, Results]]) -> list[tuple[Vault, Hit]]:
    """The hits of all vaults, best first.

    Scores of words alone are many times those of words and meaning: where both kinds meet, because not every
    vault has vectors, each hit counts by its part of the best one of its vault.
    """
    kinds = {
        # Any hit, for the best one may stand too far down by meaning to have been seen by it.
        any(stage.name == "meaning" for hit in results.hits for stage in hit.trace)
        for _, results in found
        if results.hits
    }
    best = [results.hits[0].score if results.hits and len(kinds) > 1 else 1.0 for _, results in found]
    ordered = [
        (hit.score / (most or 1.0), vault, hit)
        for most, (vault, results) in zip(best, found, strict=True)
        for hit in results.hits
    ]
    ordered.sort(key=lambda entry: -entry[0])
    return [(vault, hit) for _, vault, hit in ordered]


def _in_vault(jobs: Jobs, vault: Vault, it: Remembered, params: SearchParams, token: CancelToken) -> Results:
    assert vault.database is not None
    reader = jobs.reader(vault.database)
    index = LexicalReader(reader.connection, reader.server)
    settings, mode = vault.snap.settings, cast("Mode", params.mode)
    options = SearchOptions(
        today=today(),
        limit=min(params.limit, _MOST),
        hidden=vault.snap.view.is_excluded,
        mode=mode,
        meaning_weight=settings["search.meaningWeight"],
        explain=params.explain,
    )
    return find(index, params.query or "", options, token, aids_of(it, settings, mode))


def _item(vault: Vault, hit: Hit, params: SearchParams) -> dict[str, Any]:
    item: dict[str, Any] = {
        "path": hit.path,
        "uri": vault.uri_of(hit.path),
        "title": hit.title,
        "heading": hit.heading,
        "range": range_of(hit.place),
        "snippet": hit.snippet,
        "score": round(hit.score, 6),
    }
    if params.vault is None:
        item["vault"] = vault.uri
    if params.explain:
        item["trace"] = [_stage(stage) for stage in hit.trace]
    return item


def _stage(stage: Stage) -> dict[str, Any]:
    shown: dict[str, Any] = {"stage": stage.name, "rank": stage.rank, "score": round(stage.score, 6)}
    if stage.value is not None:
        shown["value"] = round(stage.value, 4)
    return shown
