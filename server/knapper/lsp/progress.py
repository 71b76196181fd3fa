"""Long work told as `$/progress`: created by the server, nothing for what is short, always ended."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING

from lsprotocol import types as t

from knapper.lsp.jobs import Jobs
from knapper.lsp.session import Session

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

READING, EMBEDDING = "Reading notes", "Embedding"
_TITLES = {READING: "Indexing", EMBEDDING: "Embedding"}
_QUIET_S = 0.3
_EVERY_S = 0.1


class Report:
    """One piece of long work. `clock` gives seconds."""

    def __init__(self, server: KnapperServer, jobs: Jobs, title: str, *, cancellable: bool) -> None:
        self._server, self._jobs, self._title, self._cancellable = server, jobs, title, cancellable
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
        if not await is_wanted(self._server, self.token):
            self._state = "ended"
            return
        # If it ended while the client made up its mind: begin and end, for something may be shown already.
        ended, self._state = self._state == "ended", "shown"
        message, percentage = f"{done} of {total}", _percent(done, total)
        self._send(
            t.WorkDoneProgressBegin(
                title=self._title, cancellable=self._cancellable, message=message, percentage=percentage
            )
        )
        if ended:
            self.end()

    def _send(
        self, value: t.WorkDoneProgressBegin | t.WorkDoneProgressReport | t.WorkDoneProgressEnd
    ) -> None:
        self._server.progress(t.ProgressParams(self.token, value))


async def is_wanted(server: KnapperServer, token: str) -> bool:
    """Whether the client takes reports under *token*, which is ours; one that wants none refuses it."""
    try:
        await server.window_work_done_progress_create_async(t.WorkDoneProgressCreateParams(token))
    except Exception:  # noqa: BLE001 -- Whatever it answers, the work goes on without reports.
        return False
    return True


class IndexProgress:
    """What the index process is doing, one report for each vault and kind of work."""

    def __init__(self, server: KnapperServer, jobs: Jobs) -> None:
        self._server, self._jobs = server, jobs
        self._reports: dict[tuple[Session, str], Report] = {}

    def report(self, session: Session, what: str, done: int, total: int) -> None:
        """The index process says how far it is with *what*; `done >= total` ends it."""
        if not self._server.client.progress:
            return
        if done >= total:
            self.end(session, what)
            return
        key = (session, what)
        if key not in self._reports:
            # What is no work on the vault (a download) says itself what it is.
            title = f"{_TITLES[what]} {session.root.name}" if what in _TITLES else what
            self._reports[key] = Report(self._server, self._jobs, title, cancellable=what == READING)
        self._reports[key].report(done, total)

    def session_of(self, token: str | int) -> Session | None:
        """Whose indexing is reported under *token*."""
        found = ((key, report) for key, report in self._reports.items() if report.token == token)
        return next((session for (session, what), _ in found if what == READING), None)

    def end(self, session: Session, what: str = "") -> None:
        """Nothing is being done any more; with *what* only not that."""
        for key in [key for key in self._reports if key[0] is session and what in ("", key[1])]:
            self._reports.pop(key).end()


def _percent(done: int, total: int) -> int:
    return min(100, 100 * done // max(total, 1))
