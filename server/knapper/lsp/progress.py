"""Long work told as `$/progress`: created by the server, nothing for what is short, always ended."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING

from lsprotocol import types as t

from knapper.index.messages import Indexing
from knapper.lsp.jobs import Jobs
from knapper.lsp.session import Session

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_QUIET_S = 0.3
_EVERY_S = 0.1


class Report:
    """One piece of long work. `clock` gives seconds."""

    def __init__(self, server: KnapperServer, jobs: Jobs, title: str) -> None:
        self._server, self._jobs, self._title = server, jobs, title
        self.token = f"knapper-{uuid.uuid4().hex}"
        self._began = self._last = time.monotonic()
        self._state = "quiet"

    def report(self, done: int, total: int) -> None:
        """So much is done; told at most ten times a second."""
        now = time.monotonic()
        if self._state == "quiet" and now - self._began >= _QUIET_S and done < total:
            self._state = "asked"
            self._jobs.start(self._create(done, total))
        elif self._state == "shown" and now - self._last >= _EVERY_S:
            self._last = now
            self._send(
                t.WorkDoneProgressReport(message=f"{done} of {total}", percentage=_percent(done, total))
            )

    def end(self) -> None:
        """The work is done, or given up."""
        if self._state == "shown":
            self._send(t.WorkDoneProgressEnd())
        self._state = "ended"

    async def _create(self, done: int, total: int) -> None:
        try:
            await self._server.window_work_done_progress_create_async(
                t.WorkDoneProgressCreateParams(self.token)
            )
        except Exception:  # noqa: BLE001 -- A client that wants no report gets none.
            self._state = "ended"
            return
        # If it ended while the client made up its mind: begin and end, for something may be shown already.
        ended, self._state = self._state == "ended", "shown"
        message, percentage = f"{done} of {total}", _percent(done, total)
        self._send(
            t.WorkDoneProgressBegin(
                title=self._title, cancellable=True, message=message, percentage=percentage
            )
        )
        if ended:
            self.end()

    def _send(
        self, value: t.WorkDoneProgressBegin | t.WorkDoneProgressReport | t.WorkDoneProgressEnd
    ) -> None:
        self._server.progress(t.ProgressParams(self.token, value))


class IndexProgress:
    """What the index process is doing, one report for each vault."""

    def __init__(self, server: KnapperServer, jobs: Jobs) -> None:
        self._server, self._jobs = server, jobs
        self._reports: dict[Session, Report] = {}

    def report(self, session: Session, event: Indexing) -> None:
        """The index process says how far it is; `done == total` ends it."""
        if not self._server.client.progress:
            return
        if event.done >= event.total:
            self.end(session)
            return
        if session not in self._reports:
            self._reports[session] = Report(self._server, self._jobs, f"Indexing {session.root.name}")
        self._reports[session].report(event.done, event.total)

    def session_of(self, token: str | int) -> Session | None:
        """Whose indexing is reported under *token*."""
        return next((session for session, report in self._reports.items() if report.token == token), None)

    def end(self, session: Session) -> None:
        """Nothing is being done any more."""
        if report := self._reports.pop(session, None):
            report.end()


def _percent(done: int, total: int) -> int:
    return min(100, 100 * done // max(total, 1))
