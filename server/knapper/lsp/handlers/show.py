"""Showing where a lens leads, in an editor with no code of ours: a choice, or a page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from knapper.base.cancel import CancelToken
from knapper.ide.references import references_to
from knapper.lsp.custom import ReferencesParams
from knapper.lsp.handlers.backlinks import uri_or_last
from knapper.lsp.here import Here
from knapper.lsp.pages import references_page

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_CHOICES = 10


async def references(server: KnapperServer, params: ReferencesParams, token: CancelToken) -> dict[str, Any]:
    """The links to a note, heading or block: what a lens counts."""
    here = server.at(uri_or_last(server, params), token)
    return await server.jobs.run(lambda: _references(here, params.subpath), token)


def _references(here: Here, subpath: str | None) -> dict[str, Any]:
    items = []
    for found in references_to(here.snap, here.path, subpath):
        location = here.vault.location(found)
        items.append({"path": found.path, "uri": location.uri, "range": location.range})
    return {"items": items}


async def show_references(server: KnapperServer, answer: dict[str, Any]) -> None:
    """Open the only one, offer a few as choices, show more as a page."""
    items = answer["items"]
    if len(items) == 1:
        await open_result(server, items[0]["uri"], items[0]["range"])
    elif 1 < len(items) <= _CHOICES:
        names = {f"{item['path']}:{_line(item['range'])}": item for item in items}
        picked = await server.person.choose(f"{len(items)} backlinks", list(names))
        if picked:
            await open_result(server, names[picked]["uri"], names[picked]["range"])
    else:
        await server.person.show_answer("References", references_page(answer))


async def show_related(server: KnapperServer, answer: dict[str, Any]) -> None:
    """Offer the related notes as choices, and open the passage of the one that is picked."""
    items = answer["items"][:_CHOICES]
    if not items:
        server.person.tell("info", "No other note is related to this one.", again=True)
        return
    titles = Counter(item["title"] for item in items)
    names = {item["title"] if titles[item["title"]] == 1 else item["path"]: item for item in items}
    picked = await server.person.choose("Related notes", list(names))
    if picked:
        await open_result(server, names[picked]["uri"], names[picked]["why"]["there"]["range"])


async def open_result(server: KnapperServer, uri: str, place: t.Range) -> None:
    """Open what the person picked of something that we showed; it counts as used."""
    if await server.person.open(uri, place) and (found := server.located(uri)):
        server.usage.opened(*found)


def _line(found: t.Range) -> int:
    return found.start.line + 1
