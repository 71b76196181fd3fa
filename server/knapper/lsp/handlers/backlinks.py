"""`knapper/backlinks`: who links to a note, and who names it without a link."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from knapper.base.cancel import CancelToken
from knapper.ide.backlinks import backlinks as find_backlinks
from knapper.ide.mentions import unlinked as find_unlinked
from knapper.ide.results import BacklinkItem
from knapper.lsp.custom import NoteParams
from knapper.lsp.here import Here, Vault, range_of
from knapper.lsp.jobs import Jobs
from knapper.store.lexical import LexicalReader
from knapper.text.fold import search_fold
from knapper.vault.paths import NotePath

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_MOST_CANDIDATES = 2000


async def backlinks(server: KnapperServer, params: NoteParams, token: CancelToken) -> dict[str, Any]:
    """The links to a note from others, and the places that name it without a link."""
    here = server.at(uri_or_last(server, params), token)
    if not here.snap.names.has(here.path):
        raise JsonRpcInvalidParams(f"There is no note {here.path} in this vault.")
    return await server.jobs.run(lambda: _backlinks(server.jobs, here), token)


def uri_or_last(server: KnapperServer, params: NoteParams) -> str:
    """The URI of the params, else that of the document used last; raises `JsonRpcInvalidParams`."""
    uri = params.uri or (server.last_used.uri if server.last_used else None)
    if uri is None:
        raise JsonRpcInvalidParams("This needs the `uri` of a note, or an open one.")
    return uri


def _backlinks(jobs: Jobs, here: Here) -> dict[str, Any]:
    def candidates(phrase: str) -> Iterable[NotePath]:
        if here.vault.database is None:
            return ()
        reader = jobs.reader(here.vault.database)
        index = LexicalReader(reader.connection, reader.server)
        with index.one_state():
            first = index.latest(index.notes_holding(search_fold(phrase)), _MOST_CANDIDATES)
            return [passage.path for passage in index.passages([chunk for chunk, _, _ in first]).values()]

    linked = find_backlinks(here.snap, here.path)
    here.token.check()
    mentioned = find_unlinked(here.snap, here.path, candidates, token=here.token)
    return {
        "items": [_item(here.vault, item) for item in linked],
        "unlinked": [_item(here.vault, item) for item in mentioned],
    }


def _item(vault: Vault, item: BacklinkItem) -> dict[str, Any]:
    return {
        "path": item.path,
        "uri": vault.uri_of(item.path),
        "range": range_of(item.place),
        "text": item.text,
        "embed": item.embed,
    }
