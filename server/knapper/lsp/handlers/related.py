"""`knapper/related`: the notes related to a note as it is in the editor, each with why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from knapper.base.cancel import CancelToken
from knapper.lsp.custom import RelatedParams
from knapper.lsp.handlers.backlinks import uri_or_last
from knapper.lsp.here import Here, Vault, range_of
from knapper.lsp.jobs import Jobs
from knapper.search.related import Quoted, RelatedNote, RelatedOptions
from knapper.search.related import related as find_related
from knapper.store.words import WordReader
from knapper.vault.daily import daily_note_date
from knapper.vault.paths import NotePath

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


async def related(server: KnapperServer, params: RelatedParams, token: CancelToken) -> dict[str, Any]:
    """The related notes, best first."""
    uri = uri_or_last(server, params)
    here = server.at(uri, token)
    if not here.snap.names.has(here.path):
        raise JsonRpcInvalidParams(f"There is no note {here.path} in this vault.")
    for _, index in server.chosen(uri):
        await index.flushed()
    here = server.at(uri, token)
    found = await server.jobs.run(lambda: _found(server.jobs, here, params.limit), token)
    return {"items": [_item(here.vault, note) for note in found]}


def _found(jobs: Jobs, here: Here, limit: int) -> tuple[RelatedNote, ...]:
    if here.vault.database is None:
        return ()
    reader = jobs.reader(here.vault.database)
    view = here.snap.view

    def is_daily(path: NotePath) -> bool:
        return daily_note_date(view.obsidian, path) is not None

    options = RelatedOptions(limit=limit, hidden=view.is_excluded, daily=is_daily)
    index = WordReader(reader.connection, reader.server)
    return find_related(here.path, index, here.snap, None, options, here.token)


def _item(vault: Vault, note: RelatedNote) -> dict[str, Any]:
    why = note.why
    return {
        "path": note.path,
        "uri": vault.uri_of(note.path),
        "title": note.title,
        "score": round(note.score, 4),
        "why": {
            "by": why.by,
            "here": _quoted(why.here),
            "there": _quoted(why.there),
            "near": round(why.near, 4),
            "noise": round(why.noise, 4),
            "parts": {name: round(part, 4) for name, part in why.parts.items()},
            "factor": why.factor,
            "linked": why.linked,
            "through": list(why.through),
            "tags": list(why.tags),
            "words": list(why.words),
        },
    }


def _quoted(passage: Quoted) -> dict[str, Any]:
    return {"range": range_of(passage.place), "heading": passage.heading, "text": passage.text}
