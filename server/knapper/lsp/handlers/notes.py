"""What changes or opens notes on a person's word: create one, write a block id, open it in Obsidian."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from knapper.base.cancel import CancelToken
from knapper.ide.completion.block_ids import blocks_of, id_edit
from knapper.ide.missing import created_path
from knapper.ide.results import CreateFile, Edit, FileEdit
from knapper.lsp.applying import apply
from knapper.lsp.custom import BlockIdParams, CreateParams, NoteParams
from knapper.lsp.handlers.backlinks import uri_or_last
from knapper.lsp.here import Here, NotThere
from knapper.lsp.uris import query_value

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


async def create_note(server: KnapperServer, params: CreateParams, token: CancelToken) -> dict[str, Any]:
    """Create the note that a link to `target` in the note at `uri` asks for, and open it."""
    here = server.at(uri_or_last(server, params), token)
    path = created_path(here.snap, here.path, params.target)
    if path is None:
        raise JsonRpcInvalidParams(f"“{params.target}” is there already, or no note can have that name.")
    await apply(server, here, (CreateFile(path),), f"Create {path}")
    uri = here.vault.uri_of(path)
    await server.person.open(uri)
    return {"path": path, "uri": uri}


async def write_block_id(server: KnapperServer, params: BlockIdParams, token: CancelToken) -> dict[str, Any]:
    """Write the id of a block that a completed link leads to; nothing if the block is another by now."""
    here = server.at(uri_or_last(server, params), token)
    edits = _block_id(here, params)
    if edits:
        await apply(server, here, edits, f"Write ^{params.id}")
    return {"path": here.path, "uri": here.vault.uri_of(here.path), "written": bool(edits)}


def _block_id(here: Here, params: BlockIdParams) -> tuple[Edit, ...]:
    opened = here.snap.document(here.path)
    if opened is None:
        raise NotThere
    text = opened.text
    blocks = blocks_of(text.content, opened.parse)
    same = [block for block in blocks if block.id is None and block.digest(text.content) == params.digest]
    nearest = min(same, key=lambda b: abs(text.line_of(b.span.start) - params.line), default=None)
    if nearest is None:
        return ()
    return (FileEdit(here.path, (id_edit(text, nearest, params.id),), here.snap.version(here.path)),)


async def open_in_obsidian(server: KnapperServer, params: NoteParams, token: CancelToken) -> dict[str, Any]:
    """Open a note in Obsidian by its own address; where the client cannot, the address is told."""
    here = server.at(uri_or_last(server, params), token)
    vault, file = query_value(here.vault.root.name), query_value(here.path)
    address = f"obsidian://open?vault={vault}&file={file}"
    if not await server.person.open(address, external=True):
        server.person.tell("info", address, again=True)
    return {"path": here.path, "uri": address}
