"""Edits that are done on a person's word: by the client, and what it cannot do, by the server."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from knapper.ide.results import CreateFile, Edit
from knapper.lsp.here import Here
from knapper.lsp.protocol import REQUEST_FAILED
from knapper.lsp.to_proto import creates, workspace_edit

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


async def apply(server: KnapperServer, here: Here, edits: tuple[Edit, ...], label: str) -> None:
    """Have the client apply *edits*; what it cannot create is created on disk here."""
    if creates(edits) and not (here.client.apply_edit and here.client.creates_files):
        for file in creates(edits):
            await server.jobs.run(partial(_write, here, file), here.token)
            server.touched([here.vault.uri_of(file.path)])
        edits = tuple(edit for edit in edits if not isinstance(edit, CreateFile))
    if not edits:
        return
    if not here.client.apply_edit:
        raise JsonRpcException("This editor cannot apply edits of a server.", REQUEST_FAILED)
    params = t.ApplyWorkspaceEditParams(workspace_edit(here.vault, edits), label)
    try:
        answer = await server.workspace_apply_edit_async(params)
    except JsonRpcException as problem:
        raise _not_applied(problem.message) from problem
    if not answer.applied:
        raise _not_applied(answer.failure_reason)
    server.touched([here.vault.uri_of(file.path) for file in creates(edits)])


def _not_applied(reason: str | None) -> JsonRpcException:
    said = (reason or "the editor gave no reason").rstrip(".")
    return JsonRpcException(f"The edit was not applied: {said}.", REQUEST_FAILED)


def _write(here: Here, new: CreateFile) -> None:
    """Create a file on disk, never over another one and never outside the vault."""
    file = here.vault.root / new.path
    if not Path(file.parent).resolve().is_relative_to(here.vault.root.resolve()):
        raise JsonRpcException(f"{new.path} would lie outside the vault.", REQUEST_FAILED)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("x", encoding="utf-8", newline="") as out:
            out.write(new.text)
    except OSError as problem:
        if file.exists():
            return
        reason = f"{new.path} cannot be created: {problem.strerror or problem}."
        raise JsonRpcException(reason, REQUEST_FAILED) from problem
