"""`knapper/graph`: the notes and the links between them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from knapper.base.cancel import CancelToken
from knapper.ide.graph import graph as find_graph
from knapper.lsp.custom import GraphParams
from knapper.lsp.handlers.clusters import topics
from knapper.lsp.here import Vault
from knapper.vault.paths import NotePath

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


async def graph(server: KnapperServer, params: GraphParams, token: CancelToken) -> dict[str, Any]:
    """The notes and the links between them: of a vault, of all, or around a note."""
    if params.uri is not None:
        here = server.at(params.uri, token)
        part = await server.jobs.run(lambda: _graph(here.vault, here.path, params.depth), token)
        return await _with_topics(server, params.uri, part, token) if params.clusters else part
    answer: dict[str, Any] = {"nodes": [], "edges": []}
    for session, _ in server.chosen(params.vault):
        vault = session.vault()
        part = await server.jobs.run(partial(_graph, vault, None, 1), token)
        if params.clusters:
            part = await _with_topics(server, vault.uri, part, token)
        if params.vault is None:
            part["nodes"] = [{**node, "vault": vault.uri} for node in part["nodes"]]
            part["edges"] = [{**edge, "vault": vault.uri} for edge in part["edges"]]
        answer = {name: answer[name] + part[name] for name in answer}
    return answer


async def _with_topics(
    server: KnapperServer, uri: str, part: dict[str, Any], token: CancelToken
) -> dict[str, Any]:
    """The part of the graph of one vault with the topic of each node, null for one that has none."""
    labels: dict[str, str] = {}
    for session, index in server.chosen(uri):
        for one in await topics(server, session, index, token):
            labels.update(dict.fromkeys(one.notes, one.label))
    return {**part, "nodes": [{**node, "cluster": labels.get(node["path"])} for node in part["nodes"]]}


def _graph(vault: Vault, path: NotePath | None, depth: int) -> dict[str, Any]:
    found = find_graph(vault.snap, path, depth)
    return {
        "nodes": [
            {
                "id": node.id,
                "path": node.path,
                "uri": vault.uri_of(node.path) if node.path else None,
                "title": node.title,
            }
            for node in found.nodes
        ],
        "edges": [
            {"source": edge.source, "target": edge.target, "count": edge.count} for edge in found.edges
        ],
    }
