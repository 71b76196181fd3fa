"""Going to a note that does not exist: an offer to create it, beside the answer and never instead of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from knapper.base.cancel import CancelToken
from knapper.ide.locate import locate
from knapper.ide.meaning import FileMissing, link_meaning, link_of
from knapper.ide.missing import created_path
from knapper.lsp.custom import CreateParams
from knapper.lsp.handlers import commands, navigation
from knapper.lsp.handlers.notes import create_note
from knapper.lsp.here import Here
from knapper.markup.note import Definition, Link

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


def definition(server: KnapperServer, params: t.DefinitionParams) -> list[t.Location] | None:
    """Where the thing at the cursor is; for a link to nowhere null at once, and a question."""
    here = server.here(params, CancelToken())
    found = navigation.definition(here, params)
    if found is None and (file := navigation.file_at(here, params.position)):
        if cited := server.located(file.uri):
            server.usage.opened(*cited)
        return [file]
    if found is None and (target := _missing_at(here, params.position)):
        path = created_path(here.snap, here.path, target)
        if path is not None:
            given = CreateParams(uri=params.text_document.uri, target=target)
            server.jobs.start(_offer(server, f"Create “{path}”?", given))
    return found


def _missing_at(here: Here, position: t.Position) -> str | None:
    """The target of the link at the cursor, if it leads to no file."""
    opened, offset = here.snap.document(here.path), here.offset(position)
    thing = locate(opened.parse, offset) if opened else None
    link = link_of(thing) if isinstance(thing, Definition) and not thing.external else thing
    if not isinstance(link, Link) or not isinstance(link_meaning(here.snap, here.path, link), FileMissing):
        return None
    return link.target


async def _offer(server: KnapperServer, question: str, given: CreateParams) -> None:
    if await server.person.choose(question, ["Create"]) == "Create":
        await server.person.does(commands.run(server, create_note, given, CancelToken()))
