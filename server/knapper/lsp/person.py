"""What the person at the client is told, asked and shown. Knows what a client can show.

Questions run beside everything else: a client that never answers loses nothing but the question.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException

from knapper.base.folders import state_folder
from knapper.lsp.capabilities import Client
from knapper.lsp.uris import uri_of

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

_LEVELS = {
    "error": t.MessageType.Error,
    "warning": t.MessageType.Warning,
    "info": t.MessageType.Info,
}
_MOST_CHOICES = 12
_KEPT_S = 24 * 3600.0
"""So long a text that was shown can be gone back to."""


class Person:
    """Who sits at the client."""

    def __init__(self, server: LanguageServer, client: Client) -> None:
        self._server = server
        self._client = client
        self._told: set[str] = set()

    def tell(self, level: str, message: str, *, again: bool = False) -> None:
        """Say something; the same sentence only once, unless it is what was asked for."""
        if again or message not in self._told:
            self._told.add(message)
            kind = _LEVELS.get(level, t.MessageType.Info)
            self._server.window_show_message(t.ShowMessageParams(kind, message))

    async def choose(self, message: str, choices: Sequence[str]) -> str | None:
        """Which of *choices* the person picks; None for none of them, and for no answer."""
        actions = [t.MessageActionItem(choice) for choice in choices[:_MOST_CHOICES]]
        params = t.ShowMessageRequestParams(t.MessageType.Info, message, actions)
        try:
            answer = await self._server.window_show_message_request_async(params)
        except JsonRpcException:
            return None  # This client asks nobody.
        title = getattr(answer, "title", None)
        return title if title in choices else None

    async def does(self, picked: Awaitable[object]) -> None:
        """Do what the person picked of an offer of ours. No request waits for it: a refusal is told here."""
        try:
            await picked
        except JsonRpcException as refusal:
            self.tell("warning", refusal.message, again=True)

    async def open(self, uri: str, place: t.Range | None = None, *, external: bool = False) -> bool:
        """Show a document, or (external) what else the URI leads to; False if the client cannot."""
        if not self._client.show_document:
            return False
        params = t.ShowDocumentParams(
            uri, external=external, take_focus=None if external else True, selection=place
        )
        try:
            return (await self._server.window_show_document_async(params)).success
        except JsonRpcException:
            return False

    async def show_answer(self, name: str, markdown: str) -> None:
        """Show a text of ours: as a document, else as a message of its first lines.

        Editors keep what they have once read of a file: what differs each time needs a name of its own.
        """
        if self._client.show_document:
            path = await asyncio.to_thread(_write_answer, name, markdown)
            if path and await self.open(uri_of(path)):
                return
        lines = [line for line in markdown.split("\n") if line.strip()]
        self.tell("info", "\n".join(lines[:_MOST_CHOICES]), again=True)


def answers_folder() -> Path:
    """Where texts of ours lie that were shown."""
    return state_folder() / "answers"


def _write_answer(name: str, markdown: str) -> str | None:
    folder = answers_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)  # What stands there quotes notes.
        for old in folder.glob("*.md"):
            if time.time() - old.stat().st_mtime > _KEPT_S:
                old.unlink()
        path = folder / f"{name}.md"
        path.write_text(markdown, encoding="utf-8")
    except OSError:
        return None
    return str(path)
