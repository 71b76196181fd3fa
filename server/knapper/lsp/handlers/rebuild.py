"""`knapper/rebuild`: the index built anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from knapper.base.cancel import CancelToken
from knapper.lsp.custom import Params
from knapper.lsp.protocol import REQUEST_FAILED

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


async def rebuild(server: KnapperServer, params: Params, _token: CancelToken) -> dict[str, Any]:
    """Drop the index and build it anew. Fails where another server owns it, and names that one."""
    rebuilt = []
    for session, index in server.chosen(params.vault):
        try:
            await index.rebuilt()
        except RuntimeError as reason:
            raise JsonRpcException(str(reason), REQUEST_FAILED) from reason
        rebuilt.append({"path": "", "uri": session.uri, "vault": session.uri})
    return {"items": rebuilt}
