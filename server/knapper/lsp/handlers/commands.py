"""`workspace/executeCommand`: our requests and commands for clients that can only run commands.

A command called with arguments gives back data. Called without, or with `show`, it also shows the
answer, in a task of its own: the answer does not wait for the person.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

import attrs
from lsprotocol import types as t
from pygls.exceptions import JsonRpcInvalidParams

from knapper.base.cancel import CancelToken
from knapper.lsp import custom as c
from knapper.lsp.handlers import (
    ask,
    backlinks,
    clusters,
    graph,
    models,
    notes,
    rebuild,
    related,
    save_answer,
    search,
    show,
    status,
    suggest,
)
from knapper.lsp.here import NotThere
from knapper.lsp.pages import PAGES

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

RUN: dict[str, Callable[..., Awaitable[dict[str, Any]]]] = {
    "knapper.status": status.status,
    "knapper.search": search.search,
    "knapper.related": related.related,
    "knapper.backlinks": backlinks.backlinks,
    "knapper.suggestLinks": suggest.suggest_links,
    "knapper.clusters": clusters.clusters,
    "knapper.graph": graph.graph,
    "knapper.rebuild": rebuild.rebuild,
    "knapper.ask": ask.ask,
    c.CREATE_NOTE: notes.create_note,
    c.OPEN_IN_OBSIDIAN: notes.open_in_obsidian,
    c.SHOW_REFERENCES: show.references,
    c.WRITE_BLOCK_ID: notes.write_block_id,
    c.FETCH_MODEL: models.fetch_model,
    c.SAVE_ANSWER: save_answer.save_answer,
}


async def execute(server: KnapperServer, params: t.ExecuteCommandParams, token: CancelToken) -> Any:
    """Run one of our commands with its one params object."""
    name, given = params.command, list(params.arguments or ())
    if name not in RUN:
        raise JsonRpcInvalidParams(f"There is no command {name}.")
    if len(given) > 1:
        raise JsonRpcInvalidParams(f"{name} takes one params object, not {len(given)} arguments.")
    typed = c.params_of(c.COMMANDS[name], given[0] if given else None, name)
    if isinstance(typed, c.AskParams) and typed.work_done_token is None:
        typed = attrs.evolve(typed, work_done_token=params.work_done_token)
    answer = await run(server, RUN[name], typed, token)
    if typed.show or not given:
        server.jobs.start(_show(server, name, answer))
    return answer


async def run(server: KnapperServer, function: Callable[..., Any], typed: Any, token: CancelToken) -> Any:
    """Run a request of ours; a document that is in no vault becomes an error in plain words."""
    try:
        return await function(server, typed, token)
    except NotThere:
        raise JsonRpcInvalidParams(f"{getattr(typed, 'uri', None)} is in no vault that is open.") from None


async def _show(server: KnapperServer, name: str, answer: dict[str, Any]) -> None:
    if name == c.SHOW_REFERENCES:
        await show.show_references(server, answer)
    elif name == "knapper.related":
        await show.show_related(server, answer)
    elif name in PAGES:
        title, page = PAGES[name]
        if name == "knapper.ask":
            title = f"{title} {datetime.now():%H.%M.%S}"  # noqa: DTZ005 -- A person's clock.
        await server.person.show_answer(title, page(answer))
