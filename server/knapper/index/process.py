"""The index process: one for all vaults of a server, requests on one pipe, events on the other.

The main thread does everything; another one reads requests, so that the end of its pipe is noticed while
a note is being parsed. Must not know what a vault is.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from knapper.index.messages import CloseVault, Event, OpenVault, Request
from knapper.index.model_room import ModelRoom
from knapper.index.model_thread import ModelThread
from knapper.index.session import Session
from knapper.index.surroundings import Rhythm, Surroundings
from knapper.index.wire import decode_request, encode

_GRACE = 0.7
"""Seconds from the end of the pipe to the end of the process, whatever it is doing."""

_RHYTHM = Rhythm()

_log = logging.getLogger(__name__)
_Item = Request | Callable[[], None] | None


class IndexProcess:
    """Serves one server over its two pipes until the one from it ends."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO, server: str, rhythm: Rhythm = _RHYTHM) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._inbox: queue.SimpleQueue[_Item] = queue.SimpleQueue()
        self._sessions: dict[str, Session] = {}
        self._ended = False
        self._models = ModelRoom(ModelThread(self._inbox.put), self._inbox.put)
        self._around = Surroundings(
            server=server,
            tell=self._tell,
            later=self._inbox.put,
            hurry=lambda: not self._inbox.empty(),
            rhythm=rhythm,
            models=self._models,
        )

    def run(self) -> None:
        """Serve; returns when the pipe has ended and all vaults are closed."""
        threading.Thread(target=self._read, name="requests", daemon=True).start()
        busy = False
        while not self._ended:
            self._take(0.0 if busy else self._idle_seconds())
            # Every session gets its step; `any` over a generator would stop at the first busy one.
            steps = [session.step() for session in list(self._sessions.values())]
            busy = any(steps)
        for session in self._sessions.values():
            session.close()
        self._models.close()

    def _read(self) -> None:
        for line in self._incoming:
            try:
                self._inbox.put(decode_request(line))
            except ValueError:
                _log.exception("A request could not be read")
        self._inbox.put(None)
        time.sleep(_GRACE)
        self._models.close()
        # The main thread is in the middle of something long. Its transaction is rolled back by whoever
        # opens the index next.
        os._exit(0)

    def _take(self, seconds: float) -> None:
        """Take what has arrived, waiting so long for the first."""
        try:
            item = self._inbox.get(timeout=seconds) if seconds > 0 else self._inbox.get_nowait()
            while True:
                self._handle(item)
                item = self._inbox.get_nowait()
        except queue.Empty:
            return

    def _handle(self, item: _Item) -> None:
        if item is None:
            self._ended = True
        elif callable(item):
            item()
        elif isinstance(item, OpenVault) and item.vault not in self._sessions:
            self._sessions[item.vault] = Session(item, self._around)
        elif isinstance(item, CloseVault):
            if session := self._sessions.pop(item.vault, None):
                session.close()
        elif session := self._sessions.get(item.vault):
            session.accept(item)

    def _idle_seconds(self) -> float:
        due = min((session.due for session in self._sessions.values()), default=time.monotonic() + 3600)
        return min(max(due - time.monotonic(), 0.005), 3600)

    def _tell(self, event: Event) -> None:
        try:
            self._outgoing.write(encode(event))
            self._outgoing.flush()
        except OSError:  # The server is gone; the other pipe will end too.
            self._ended = True


def main() -> None:
    """Serve the process that started this one."""
    logging.basicConfig(level=logging.WARNING, format="knapper index: %(levelname)s: %(message)s")
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server; its end ends this process.
    if hasattr(os, "nice"):
        os.nice(10)
    # Whatever prints by accident must not get into the stream of events.
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    IndexProcess(sys.stdin.buffer, outgoing, server=sys.argv[1] if len(sys.argv) > 1 else "").run()
    outgoing.flush()
    os._exit(0)  # No waiting for threads that watch.
