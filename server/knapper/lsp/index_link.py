"""The one index process of this server, and who of the vaults is told what it says.

Events come in on the client's reader thread and are handed to the main thread. Must not know what a
vault does with them.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator

from knapper.index.client import IndexClient
from knapper.index.messages import Ended, Event
from knapper.lsp.jobs import Jobs
from knapper.lsp.session import Session
from knapper.lsp.timers import Timers
from knapper.lsp.vault_index import Listener, VaultIndex


class IndexLink:
    """Tells the index process about vaults; keeps what is known of each."""

    def __init__(self, server_id: str, jobs: Jobs, timers: Timers, listener: Listener) -> None:
        self._jobs, self._timers, self._listener = jobs, timers, listener
        self._loop = asyncio.get_running_loop()
        self._client = IndexClient(self._from_thread, server_id)
        self._numbers = itertools.count(1)
        self._vaults: dict[str, VaultIndex] = {}

    def __iter__(self) -> Iterator[VaultIndex]:
        return iter(tuple(self._vaults.values()))

    def start(self) -> None:
        """Start the process; what is sent before waits for it."""
        self._client.start()

    def stop(self) -> None:
        """End the process; it has a second."""
        self._client.stop(1.0)

    def add(self, session: Session) -> VaultIndex:
        """The index of a vault that has just been opened."""
        index = VaultIndex(
            session, self._client.send, lambda: next(self._numbers), self._jobs, self._timers, self._listener
        )
        self._vaults[str(session.real)] = index
        return index

    def of(self, session: Session) -> VaultIndex | None:
        """The index of a vault; single files have none."""
        index = self._vaults.get(str(session.real))
        return index if index is not None and index.session is session else None

    def remove(self, session: Session) -> None:
        """The vault is not wanted any more."""
        if index := self.of(session):
            index.close()
            del self._vaults[str(session.real)]

    def _from_thread(self, event: Event) -> None:
        try:
            self._loop.call_soon_threadsafe(self._take, event)
        except RuntimeError:
            return  # The server is on its way out.

    def _take(self, event: Event) -> None:
        if isinstance(event, Ended):
            for index in self:
                index.take(event)
            return
        concerned = self._vaults.get(event.vault)
        if concerned is not None:
            concerned.take(event)
