"""`knapper/status` and `knapper/rebuild`: what the index is doing, and doing it anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from knapper.base.cancel import CancelToken
from knapper.lsp.custom import Params, StatusParams
from knapper.lsp.session import Session
from knapper.lsp.vault_index import DEGRADED, INDEXING, READY, STARTING, VaultIndex
from knapper.store.reader import Counts

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

REQUEST_FAILED = -32803
_STATES = (STARTING, INDEXING, DEGRADED, READY)  # of several vaults the first counts


async def status(server: KnapperServer, params: StatusParams, token: CancelToken) -> dict[str, Any]:
    """What is indexed, and what is pending at the moment of the answer."""
    chosen = server.chosen(params.vault)
    counts = [await _counts(server, session, token) for session, _ in chosen]
    vaults = [_vault(*pair, found) for pair, found in zip(chosen, counts, strict=True)]
    states = [vault["state"] for vault in vaults]
    first = vaults[0] if vaults else _nothing()
    totals = {name: sum(vault[name] for vault in vaults) for name in _SUMS}
    return {
        **first,
        **totals,
        "state": next((state for state in _STATES if state in states), server.idle_state()),
        "pending": totals["pending"] + server.asking,
        "problems": [problem for vault in vaults for problem in vault["problems"]],
        "vaults": vaults,
    }


_SUMS = ("pending", "notes", "links", "unresolved", "chunks", "embedded")


async def _counts(server: KnapperServer, session: Session, token: CancelToken) -> tuple[Counts | None, int]:
    """How much the index holds, and its size in bytes."""
    database = session.database
    if database is None:
        return None, 0

    def read() -> tuple[Counts | None, int]:
        try:
            return server.jobs.reader(database).counts(), _size(database)
        except Exception:  # noqa: BLE001 -- A damaged index is being replaced; a status never fails.
            return None, 0

    return await server.jobs.run(read, token)


def _size(database: Path) -> int:
    """The bytes of the database and of what is written ahead of it."""
    parts = (database, database.with_name(f"{database.name}-wal"))
    return sum(part.stat().st_size for part in parts if part.exists())


def _vault(session: Session, index: VaultIndex, found: tuple[Counts | None, int]) -> dict[str, Any]:
    counts, size = found
    vault = session.vault()
    view = vault.snap.view
    passed = index.last_pass
    return {
        "vault": vault.uri,
        "name": session.root.name,
        "state": index.state,
        "pending": index.pending(),
        "notes": counts.notes if counts else 0,
        "links": counts.links if counts else 0,
        "unresolved": counts.unresolved if counts else 0,
        "chunks": counts.chunks if counts else 0,
        "embedded": 0,
        "model": None,
        "reranker": None,
        "index": {
            "path": str(session.database) if session.database else None,
            "bytes": size,
            "owner": bool(index.owner),
            "ownerPid": index.owner_pid,
        },
        "lastPass": {"at": passed.at, "touched": passed.touched} if passed else None,
        "problems": [{"path": path, "reason": reason} for path, reason in sorted(view.problems.items())],
    }


def _nothing() -> dict[str, Any]:
    """The fields of a client without any vault."""
    index = {"path": None, "bytes": 0, "owner": False, "ownerPid": None}
    return {"model": None, "reranker": None, "index": index, "lastPass": None, "vault": None, "name": None}


def shown_status(answer: dict[str, Any]) -> str:
    """The status as a page."""
    lines = ["# Knapper", "", f"State: {answer['state']}, {answer['pending']} pending.", ""]
    for vault in answer["vaults"]:
        lines += [
            f"## {vault['name']}",
            "",
            f"- {vault['notes']} notes, {vault['links']} links, {vault['unresolved']} of them unresolved",
            f"- {vault['chunks']} passages, {vault['embedded']} with a vector",
            f"- Index: {vault['index']['path']} ({vault['index']['bytes'] // 1024} KB)",
        ]
        lines += [f"- {problem['path']}: {problem['reason']}" for problem in vault["problems"]]
        lines.append("")
    return "\n".join(lines)


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


def shown_rebuild(answer: dict[str, Any]) -> str:
    """The result of a rebuild as a page."""
    return f"# Index rebuilt\n\n{len(answer['items'])} vault(s)."
