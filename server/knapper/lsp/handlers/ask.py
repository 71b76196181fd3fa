"""`knapper/ask`: an answer from the notes, as they are in the editor, streamed while it is written."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from knapper.base.cancel import CancelToken
from knapper.lsp.aids import Remembered
from knapper.lsp.answering import LOOKING, Answering
from knapper.lsp.answers import answered, tried
from knapper.lsp.custom import AskParams
from knapper.lsp.protocol import REQUEST_FAILED
from knapper.lsp.questions import ELSEWHERE, Inquiry, inquiry_of
from knapper.lsp.session import Session
from knapper.lsp.telling import Telling, WorkDone
from knapper.lsp.vault_index import INDEXING
from knapper.memory.answer import Answer
from knapper.models.providers.ports import ProviderError

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_LATE = "Some unsaved text is not in the index yet."
_EARLY = "Not all notes are in the index yet; the answer rests on those that are."
_NO_INDEX = "There is no index to answer from yet: ask again in a moment."
_OTHER_VAULT = "That conversation is about another vault, so the question was taken by itself."
_FORGOTTEN = "That conversation is not known any more, so the question was taken by itself."


async def ask(server: KnapperServer, params: AskParams, token: CancelToken) -> dict[str, Any]:
    """The answer; its pieces, and where the work is, are told on the way."""
    if server.layers.look_again():
        server.reconfigure()
    inquiry = await inquiry_of(server, params, server.talks.vault(params.conversation or ""), token)
    task = asyncio.current_task()
    assert task is not None
    work = WorkDone(
        server, "Asking memory", LOOKING, params.work_done_token, task.cancel, creates=params.show
    )
    telling = Telling(server, work, params.partial_result_token)
    try:
        return await _answered(server, params, inquiry, telling, token)
    except ProviderError as error:
        raise JsonRpcException(str(error), REQUEST_FAILED) from None
    finally:
        telling.end()


async def _answered(
    server: KnapperServer, params: AskParams, inquiry: Inquiry, telling: Telling, token: CancelToken
) -> dict[str, Any]:
    session, conversation = inquiry.session, params.conversation or ""
    # What is private in one vault is not known from another.
    is_elsewhere = server.talks.vault(conversation) not in {None, session}
    turns = () if is_elsewhere else server.talks.turns(conversation)
    question = replace(inquiry.question, turns=turns)
    answering, remarks = await _prepared(server, replace(inquiry, question=question), telling)
    if conversation and not turns:
        remarks += [_OTHER_VAULT if is_elsewhere else _FORGOTTEN]
        conversation = ""
    work = answering.tried if params.dry_run else answering.answer
    found = await server.jobs.run(lambda: work(server.jobs, token), token, talks=True)
    if isinstance(found, Answer):
        conversation = server.talks.add(session, question.text, found, conversation)
        _count_use(server, session, found)
        shown = answered(answering.vault, found)
    else:
        shown = tried(answering.vault, found)
    shown["remarks"] = list(dict.fromkeys([*shown["remarks"], *remarks]))
    return {"question": question.text, **shown, "conversation": conversation or None}


async def _prepared(server: KnapperServer, inquiry: Inquiry, telling: Telling) -> tuple[Answering, list[str]]:
    """All that answering needs, the unsaved text in the index; and what is to be said of it."""
    session = inquiry.session
    index = server.index.of(session)
    if index is None:
        raise JsonRpcException(_NO_INDEX, REQUEST_FAILED)
    remarks = [] if await index.flushed() else [_LATE]
    vault = session.vault()
    if vault.database is None:
        raise JsonRpcException(_NO_INDEX, REQUEST_FAILED)
    remarks += [_EARLY] if index.state == INDEXING else []
    asks_somebody = vault.snap.settings["ask.provider"] != "none"
    remarks += [ELSEWHERE] if inquiry.elsewhere and asks_somebody else []
    it = Remembered(await index.vectors(), index.models, server.usage, session.real)
    answering = Answering(vault, it, session.host.text_now, inquiry.question, inquiry.elsewhere, telling)
    return answering, remarks


def _count_use(server: KnapperServer, session: Session, answer: Answer) -> None:
    """Notes that an answer was written from count as used; to be found or quoted is not to be used."""
    if answer.sent:
        for cited in answer.citations:
            server.usage.opened(session, cited.passage.path)
