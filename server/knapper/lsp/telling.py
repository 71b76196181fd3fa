"""What the client hears of an answer before it is there: where the work is, and piece by piece the answer.

Made and ended on the main thread; told things by the thread that works. Must not know what the pieces are.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from knapper.lsp.progress import is_wanted

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_QUIET_S = 0.3


class WorkDone:
    """Work told in words as `$/progress`: under the client's own token, or if it *creates* one, under ours.

    A token of ours is made only for what is not done in a moment. `cancel` is called when the person has
    had enough.
    """

    def __init__(
        self,
        server: KnapperServer,
        title: str,
        message: str,
        token: str | int | None,
        cancel: Callable[[], object],
        *,
        creates: bool = False,
    ) -> None:
        self._server, self._title, self._message = server, title, message
        self.token = f"knapper-{uuid.uuid4().hex}" if token is None else token
        self._state = "quiet"
        server.cancels[self.token] = cancel
        if token is not None:
            self._begin()
        elif creates and server.client.progress:
            server.timers.later(self.token, _QUIET_S, self._ask_to_create)

    def say(self, message: str) -> None:
        """What is being done now."""
        self._message = message
        if self._state == "shown":
            self._send(t.WorkDoneProgressReport(message=message))

    def end(self) -> None:
        """It is done, or given up."""
        self._server.cancels.pop(self.token, None)
        self._server.timers.forget(self.token)
        if self._state == "shown":
            self._send(t.WorkDoneProgressEnd())
        self._state = "ended"

    def _begin(self) -> None:
        self._state = "shown"
        self._send(t.WorkDoneProgressBegin(title=self._title, cancellable=True, message=self._message))

    def _ask_to_create(self) -> None:
        self._server.jobs.start(self._create())

    async def _create(self) -> None:
        if not await is_wanted(self._server, str(self.token)):
            return
        ended = self._state == "ended"
        self._begin()  # Also if it ended while the client made up its mind: something may be shown already.
        if ended:
            self.end()

    def _send(
        self, value: t.WorkDoneProgressBegin | t.WorkDoneProgressReport | t.WorkDoneProgressEnd
    ) -> None:
        self._server.progress(t.ProgressParams(self.token, value))


class Telling:
    """Tells of one answer until that is there; what comes later is dropped, for nothing may follow it."""

    def __init__(self, server: KnapperServer, work: WorkDone, partial: str | int | None) -> None:
        self._server, self._work, self._partial = server, work, partial
        self._loop = asyncio.get_running_loop()
        self._ended = False

    def stage(self, message: str) -> None:
        """What is being done now. From any thread."""
        self._later(self._work.say, message)

    def piece(self, value: dict[str, Any]) -> None:
        """The next piece, if the client wants pieces. From any thread."""
        if self._partial is not None:
            self._later(self._send, value)

    def end(self) -> None:
        """Tell nothing more."""
        self._ended = True
        self._work.end()

    def _later(self, do: Callable[[Any], None], value: object) -> None:
        try:
            self._loop.call_soon_threadsafe(self._now, do, value)
        except RuntimeError:
            return  # The server is on its way out.

    def _now(self, do: Callable[[Any], None], value: object) -> None:
        if not self._ended:
            do(value)

    def _send(self, value: dict[str, Any]) -> None:
        assert self._partial is not None
        self._server.progress(t.ProgressParams(self._partial, value))
