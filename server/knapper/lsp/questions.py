"""What is asked, of which vault, and about which part of it, as the params of a request say it.

Raises refusals in plain words. Must not know how questions are answered.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from knapper.base.cancel import CancelToken
from knapper.ide.question import pointed_at
from knapper.lsp.custom import AskParams, Between, OriginParams, ScopeParams
from knapper.lsp.here import Here
from knapper.lsp.person import answers_folder
from knapper.lsp.protocol import REQUEST_FAILED
from knapper.lsp.session import Session
from knapper.lsp.uris import path_of
from knapper.memory.asked import Origin, Question, Scope
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

LONGEST = 4000
"""How many characters a question may have: a page of selected text."""
_NOTHING_ASKED = (
    "Ask a question: give it as `question`, or select it in a note and choose “Ask memory about this”."
)
_NO_VAULT = "There is no vault to ask: open a folder of notes, or a note in one."
ELSEWHERE = (
    "The question was selected in a file outside this vault, so no provider was asked; type it to ask one."
)


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question to one vault. `elsewhere` says that it was selected outside of it."""

    session: Session
    question: Question
    elsewhere: bool = False


async def inquiry_of(
    server: KnapperServer, params: AskParams, begun_in: Session | None, token: CancelToken
) -> Inquiry:
    """The question of the params; `begun_in` is the vault of its conversation."""
    text, selected = await _asked(server, params, token)
    if len(text) > LONGEST:
        reason = f"The question has {len(text):,} characters and may have {LONGEST:,}: ask about less."
        raise JsonRpcInvalidParams(reason)
    session = _session(server, params, begun_in)
    question = Question(text, _scope(server, session, params.scope))
    if selected is None:
        return Inquiry(session, question)
    uri, place = selected
    found = server.located(uri)
    if found is None or found[0] is not session:
        # Only of this vault's notes it is known what is private.
        return Inquiry(session, question, elsewhere=not _is_known_outside(server, uri, params.conversation))
    return Inquiry(session, replace(question, origin=Origin(found[1], place)))


async def _asked(
    server: KnapperServer, params: AskParams, token: CancelToken
) -> tuple[str, tuple[str, Place] | None]:
    """The text of the question, and where it stands, if it was selected."""
    text, origin = (params.question or "").strip(), params.origin
    if text:
        if origin is None and params.uri and params.range:
            origin = OriginParams(uri=params.uri, range=params.range)
        return text, (origin.uri, _place(origin.range)) if origin else None
    if params.uri is None:
        raise JsonRpcInvalidParams(_NOTHING_ASKED)
    here = server.at(params.uri, token)
    found = await server.jobs.run(lambda: pointed_at(here.snap, here.path, _span(here, params.range)), token)
    if found is None:
        raise JsonRpcInvalidParams(_NOTHING_ASKED)
    return found.text, (params.uri, found.place)


def _session(server: KnapperServer, params: AskParams, begun_in: Session | None) -> Session:
    """The vault that is meant: by name, by what is asked about, by conversation, or by what was used last."""
    scope = params.scope or ScopeParams()
    vaults = server.vaults.vaults()
    if params.vault is not None:
        file = path_of(params.vault)
        found = server.vaults.holding(file) if file else None
        if found not in vaults:
            raise JsonRpcInvalidParams(f"{params.vault} is in no vault that is open.")
        return found
    for uri in filter(None, (scope.uri, scope.linked_from)):
        return _in_some_vault(server, uri)[0]
    around = [server.located(uri) for uri in (params.uri, params.origin and params.origin.uri) if uri]
    meant = [begun_in, *(found[0] for found in around if found), server.last_vault, *vaults]
    session = next((one for one in meant if one in vaults), None)
    if session is None:
        raise JsonRpcException(_NO_VAULT, REQUEST_FAILED)
    return session


def _scope(server: KnapperServer, session: Session, given: ScopeParams | None) -> Scope:
    if given is None:
        return Scope()
    return Scope(
        note=_path_in(server, session, given.uri),
        folder=given.folder,
        tag=given.tag,
        linked=_path_in(server, session, given.linked_from),
    )


def _path_in(server: KnapperServer, session: Session, uri: str | None) -> NotePath | None:
    if uri is None:
        return None
    found, path = _in_some_vault(server, uri)
    if found is not session:
        raise JsonRpcInvalidParams(f"{uri} is in another vault than the one that is asked.")
    return path


def _in_some_vault(server: KnapperServer, uri: str) -> tuple[Session, NotePath]:
    found = server.located(uri)
    if found is None:
        raise JsonRpcInvalidParams(f"{uri} is in no vault that is open.")
    return found


def _is_known_outside(server: KnapperServer, uri: str, conversation: str | None) -> bool:
    """Whether it is the page of a conversation of which everything has come from a provider."""
    file = path_of(uri)
    on_page = file is not None and os.path.realpath(file.parent) == os.path.realpath(answers_folder())
    return on_page and server.talks.were_sent(conversation or "")


def _span(here: Here, given: Between | None) -> Span | None:
    if given is None:
        return None
    start = here.offset(t.Position(given.start.line, given.start.character))
    return Span(start, max(start, here.offset(t.Position(given.end.line, given.end.character))))


def _place(given: Between) -> Place:
    return Place(given.start.line, given.start.character, given.end.line, given.end.character)
