"""`knapper.saveAnswer`: keep the last answer of a conversation as a note, where new notes go."""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from knapper.base.cancel import CancelToken
from knapper.ide.results import CreateFile
from knapper.ide.snapshot import Snapshot
from knapper.lsp.applying import apply
from knapper.lsp.custom import SaveAnswerParams
from knapper.lsp.here import Here
from knapper.lsp.protocol import REQUEST_FAILED
from knapper.lsp.session import Session
from knapper.lsp.usage import today
from knapper.memory.answer import Answer
from knapper.memory.conversation import Exchange
from knapper.memory.gates import has_private
from knapper.memory.note import note_text
from knapper.vault.paths import NotePath
from knapper.vault.write import link_to, name_problem, new_note_path

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_LONGEST_NAME = 80
_OTHERWISE = "Answer"
_UNFIT = re.compile(r"[#^\[\]|\\/:\x00-\x1f\x7f<>\"?*]+")


async def save_answer(server: KnapperServer, params: SaveAnswerParams, token: CancelToken) -> dict[str, Any]:
    """Create the note and open it."""
    session, last = server.talks.vault(params.conversation), server.talks.last(params.conversation)
    if session is None or last is None:
        raise JsonRpcInvalidParams("No answer of this `conversation` is remembered: ask again.")
    if session not in server.vaults.vaults():
        raise JsonRpcException("The vault of this conversation is not open any more.", REQUEST_FAILED)
    vault = session.vault()
    source = next(iter(vault.snap.used), NotePath(""))
    path = _free_path(session, source, params.title or last.question)
    private = await server.jobs.run(lambda: _is_private(session, last.answer), token)
    text = _text(vault.snap, path, last, params.title or "", private=private)
    await apply(server, Here(vault, path, token), (CreateFile(path, text),), f"Create {path}")
    uri = vault.uri_of(path)
    await server.person.open(uri)
    return {"path": path, "uri": uri, "private": private}


def _free_path(session: Session, source: NotePath, title: str) -> NotePath:
    """Where a note of this title goes, with a number behind its name if there is one already."""
    snap, name = session.host.snapshot(), _name_of(title)
    for number in count(1):
        path = new_note_path(snap.view.obsidian, source, name if number == 1 else f"{name} {number}")
        if path is None:  # `What is in plan.pdf` would be no note.
            name = _OTHERWISE
        elif not snap.names.exact(path) and session.size(path) is None:
            return path
    raise AssertionError("There are more numbers than notes.")


def _name_of(title: str) -> str:
    """A file name for a question: `What is "levain"/starter?` gives `What is levain starter`."""
    words = " ".join(_UNFIT.sub(" ", title).split()).strip(" .")
    if len(words) > _LONGEST_NAME:
        words = words[: _LONGEST_NAME + 1].rpartition(" ")[0] or words[:_LONGEST_NAME]
    words = words.strip(" .")
    return _OTHERWISE if name_problem(words) else words


def _is_private(session: Session, answer: Answer) -> bool:
    """Whether it may hold what is private or excluded now, or was in a note that is gone and stayed here."""
    texts = {one.path: session.host.text_now(one.path) for one in answer.rests_on}
    if any(map(session.host.snapshot().view.is_excluded, texts)):
        return True
    return any(
        not answer.sent if (text := texts[one.path]) is None else has_private(one, text)
        for one in answer.rests_on
    )


def _text(snap: Snapshot, path: NotePath, last: Exchange, title: str, *, private: bool) -> str:
    def link(target: NotePath, subpath: str | None, display: str | None) -> str:
        style = snap.settings["links.style"]
        return link_to(snap.names, snap.view.obsidian, style, path, target, subpath=subpath, display=display)

    return note_text(last.question, last.answer, today(), link, title, private=private)
