"""Downloading models: only on a person's word, offered once a week or never again; by command at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from knapper.base.cancel import CancelToken
from knapper.index.messages import ModelWanted
from knapper.lsp.asking import Models
from knapper.lsp.custom import FetchParams
from knapper.lsp.protocol import REQUEST_FAILED
from knapper.lsp.session import Session
from knapper.lsp.usage import today
from knapper.models.offer import DOWNLOAD, NEVER, NOT_NOW, remember_offer

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_ENDED = "The index process ended during the download. The command knapper.fetchModel tries again."


async def fetch_model(server: KnapperServer, params: FetchParams, _token: CancelToken) -> dict[str, Any]:
    """Download what is missing, or the model that is named. Fails with a sentence that says why."""
    chosen = server.chosen(params.vault)
    if not chosen:
        raise JsonRpcException("No vault is open that could use a model.", REQUEST_FAILED)
    name, reason = await _fetched(chosen[0][1].models, params.name)
    if reason is not None:
        raise JsonRpcException(reason, REQUEST_FAILED)
    return {"name": name}


async def offer_model(server: KnapperServer, session: Session, wanted: ModelWanted) -> None:
    """Ask whether the model may be downloaded. No answer is not now."""
    question = (
        f"Knapper can also search your notes by meaning and show related ones. For that it needs the model "
        f"{wanted.name} and what goes with it, {wanted.megabytes} MB, from huggingface.co. The models run "
        "on this machine; no note is sent anywhere for them."
    )
    answer = await server.person.choose(question, [DOWNLOAD, NOT_NOW, NEVER])
    if answer is not None:  # That the question was asked is written down already.
        remember_offer(wanted.name, answer, today())
    index = server.index.of(session)
    if answer != DOWNLOAD or index is None:
        return
    _, reason = await _fetched(index.models, "")
    if reason is None:
        server.person.tell("info", f"The model {wanted.name} is there; your notes are being embedded.")
    else:
        server.person.tell("warning", reason)


async def _fetched(models: Models, name: str) -> tuple[str, str | None]:
    """The name of the model that was fetched; and why it was not, if so."""
    answer = await models.fetch(name)
    return (name, _ENDED) if answer is None else (answer.name, answer.reason)
