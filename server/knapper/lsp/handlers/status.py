"""`knapper/status`: what the index holds and is doing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from knapper.base.cancel import CancelToken
from knapper.base.settings import Settings
from knapper.lsp.custom import StatusParams
from knapper.lsp.session import Session
from knapper.lsp.vault_index import DEGRADED, INDEXING, READY, STARTING, VaultIndex
from knapper.memory.writer import choice_of
from knapper.models.providers.choice import generator_of
from knapper.models.providers.ports import ProviderError
from knapper.store.embeddings import Meaning
from knapper.store.reader import Counts

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_STATES = (STARTING, INDEXING, DEGRADED, READY)  # of several vaults the first counts


async def status(server: KnapperServer, params: StatusParams, token: CancelToken) -> dict[str, Any]:
    """What is indexed, and what is pending as of the request: counting takes a moment, and less by then."""
    if server.layers.look_again():
        server.reconfigure()
    chosen, asking = server.chosen(params.vault), server.asking
    now = [(index.state, index.pending()) for _, index in chosen]
    counts = [await _counts(server, session, token) for session, _ in chosen]
    vaults = [
        {**_vault(*pair, found), "state": state, "pending": pending}
        for pair, found, (state, pending) in zip(chosen, counts, now, strict=True)
    ]
    states = [vault["state"] for vault in vaults]
    first = vaults[0] if vaults else _nothing()
    totals = {name: sum(vault[name] for vault in vaults) for name in _SUMS}
    return {
        **first,
        **totals,
        "state": next((state for state in _STATES if state in states), server.idle_state()),
        "pending": totals["pending"] + asking,
        "problems": [problem for vault in vaults for problem in vault["problems"]],
        "notEmbedded": [problem for vault in vaults for problem in vault["notEmbedded"]],
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
        "notes": counts.notes if counts else 0,
        "links": counts.links if counts else 0,
        "unresolved": counts.unresolved if counts else 0,
        "chunks": counts.chunks if counts else 0,
        **_memory(index, vault.snap.settings, counts.meaning if counts else Meaning()),
        "ask": _ask(vault.snap.settings),
        "index": {
            "path": str(session.database) if session.database else None,
            "bytes": size,
            "owner": bool(index.owner),
            "ownerPid": index.owner_pid,
        },
        "lastPass": {"at": passed.at, "touched": passed.touched} if passed else None,
        "problems": [{"path": path, "reason": reason} for path, reason in sorted(view.problems.items())],
    }


def _memory(index: VaultIndex, settings: Settings, found: Meaning) -> dict[str, Any]:
    """How far search by meaning is, by which models, or why not; and what that takes."""
    told, reranked = index.models.embedded, index.models.reranked
    works = reranked is not None and reranked.scores is not None
    return {
        "embedded": found.embedded,
        "notEmbedded": [{"path": path, "reason": reason} for path, reason in found.failed],
        "model": found.model,
        "modelReason": found.reason or (told.reason if told else None),
        "reranker": settings["reranker.model"] if works else found.reranker,
        "rerankerReason": (reranked.reason if reranked else None) or found.reranker_reason,
        "memory": {"index": found.memory, "vectors": index.memory},
    }


def _ask(settings: Settings) -> dict[str, Any]:
    """Who writes answers, or why that cannot be. Keys are looked for only when somebody is asked."""
    choice = choice_of(settings)
    if choice is None:
        return {"provider": "none", "model": None, "host": None, "reason": None}
    told = {"provider": choice.provider, "model": choice.model or None}
    try:
        return {**told, "host": generator_of(choice, "any").host, "reason": None}
    except ProviderError as error:
        return {**told, "host": None, "reason": str(error)}


def _nothing() -> dict[str, Any]:
    """The fields of a client without any vault."""
    index = {"path": None, "bytes": 0, "owner": False, "ownerPid": None}
    models = {"model": None, "modelReason": None, "reranker": None, "rerankerReason": None}
    memory = {"memory": {"index": 0, "vectors": 0}, "notEmbedded": []}
    return {
        **models,
        **memory,
        "ask": _ask(Settings()),
        "index": index,
        "lastPass": None,
        "vault": None,
        "name": None,
    }
