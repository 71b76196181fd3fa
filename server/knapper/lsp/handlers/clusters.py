"""`knapper/clusters`: the topics of a vault."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from knapper.base.cancel import CancelToken
from knapper.ide.preview import title_of
from knapper.index.topics import topics as find
from knapper.lsp.custom import Params
from knapper.lsp.here import Vault
from knapper.lsp.jobs import Jobs
from knapper.lsp.session import Session
from knapper.lsp.vault_index import VaultIndex
from knapper.lsp.vectors import Served
from knapper.search.clusters import Cluster

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


async def clusters(server: KnapperServer, params: Params, token: CancelToken) -> dict[str, Any]:
    """The topics, the largest first, each with its notes, the most typical first."""
    items = []
    for session, index in server.chosen(params.vault):
        vault = session.vault()
        for one in await topics(server, session, index, token):
            item = _item(vault, one)
            items.append(item if params.vault is not None else {**item, "vault": vault.uri})
    return {"items": items}


async def topics(
    server: KnapperServer, session: Session, index: VaultIndex, token: CancelToken
) -> tuple[Cluster, ...]:
    """The topics of one vault, kept while neither its notes nor their vectors change."""
    served, vault = await index.vectors(), session.vault()
    state = (vault.snap.view, served.mark)
    if index.topics is None or index.topics[0] != state[1] or index.topics[1] is not state[0]:
        found = await server.jobs.run(partial(_found, server.jobs, vault, served, token), token)
        index.topics = (served.mark, vault.snap.view, found)
    return index.topics[2]


def _found(jobs: Jobs, vault: Vault, served: Served, token: CancelToken) -> tuple[Cluster, ...]:
    if vault.database is None:
        return ()
    return find(jobs.reader(vault.database), served.vectors, vault.snap.view.is_excluded, token)


def _item(vault: Vault, one: Cluster) -> dict[str, Any]:
    notes = [
        {"path": path, "uri": vault.uri_of(path), "title": title_of(vault.snap, path)} for path in one.notes
    ]
    return {"label": one.label, "words": list(one.words), "notes": notes}
