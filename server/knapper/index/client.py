"""The server's end of the pipes to its index process: starts it, restarts it, loses nothing that was asked.

Knows processes and threads; must not know what the messages are for beyond what has to be said again.
"""

from __future__ import annotations

import logging
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from knapper.index.ledger import Ledger
from knapper.index.messages import Ended, Event, Request
from knapper.index.wire import decode_event, encode

_log = logging.getLogger(__name__)

RESTARTS = (1.0, 10.0)
"""Seconds after which a process that ended is started again; after that no more."""

_HEALTHY = 600.0
"""A process that lived so long ended for a new reason."""


class IndexClient:
    """One index process for the server *server_id*; *on_event* is called from a thread of the client."""

    def __init__(
        self,
        on_event: Callable[[Event], None],
        server_id: str,
        restarts: tuple[float, ...] = RESTARTS,
        command: tuple[str, ...] = (sys.executable, "-m", "knapper.index"),
    ) -> None:
        self._on_event = on_event
        self._command = (*command, server_id)
        self._restarts = restarts
        self._ledger = Ledger()
        self._outbox: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._reader = threading.Thread(target=self._run, name="index events", daemon=True)
        self._writer = threading.Thread(target=self._write, name="index requests", daemon=True)

    @property
    def pid(self) -> int | None:
        """The process at work."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def start(self) -> None:
        """Start the process, without waiting for it."""
        self._reader.start()
        self._writer.start()

    def send(self, request: Request) -> None:
        """Ask the process for something; never blocks. While there is no process, requests wait."""
        self._outbox.put(request)

    def stop(self, timeout: float = 2.0) -> None:
        """End the process: it closes its vaults within a second, or is killed after *timeout*."""
        self._stopping.set()
        self._outbox.put(None)
        with self._lock:
            process = self._process
            self._hang_up(process)
        if process is not None:
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._reader.is_alive():
            self._reader.join(timeout)

    # --- the thread that starts processes and reads their events ---

    def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            began = time.monotonic()
            self._serve()
            if self._stopping.is_set():
                return
            failures = 0 if time.monotonic() - began > _HEALTHY else failures
            again = self._restarts[failures] if failures < len(self._restarts) else None
            failures += 1
            self._on_event(Ended(again))
            if again is None or self._stopping.wait(again):
                return

    def _serve(self) -> None:
        """Start a process and pass on what it says, until it ends."""
        try:
            process = _started(self._command)
        except OSError:
            _log.exception("The index process cannot be started")
            return
        with self._lock:
            self._process = process
            if self._stopping.is_set():
                self._hang_up(process)
            for request in self._ledger.to_repeat():
                self._say(process, request)
        assert process.stdout is not None
        for line in process.stdout:
            try:
                event = decode_event(line)
            except ValueError:
                _log.exception("The index process said something that is no message")
                continue
            with self._lock:
                self._ledger.note_event(event)
            self._on_event(event)
        with self._lock:
            self._process = None
            self._hang_up(process)
        process.stdout.close()
        process.wait()

    # --- the thread that writes requests ---

    def _write(self) -> None:
        while (request := self._outbox.get()) is not None:
            with self._lock:
                self._ledger.note_request(request)
                process = self._process
            # Outside the lock: a pipe that is full must not keep the events from being read.
            if process is not None:
                self._say(process, request)

    def _say(self, process: subprocess.Popen[bytes], request: Request) -> None:
        assert process.stdin is not None
        with suppress(OSError, ValueError):  # It has ended; the ledger says it again to the next one.
            process.stdin.write(encode(request))
            process.stdin.flush()

    def _hang_up(self, process: subprocess.Popen[bytes] | None) -> None:
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()


def _started(command: tuple[str, ...]) -> subprocess.Popen[bytes]:
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
    return subprocess.Popen(  # noqa: S603 -- Our own module, run by our own Python.
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=flags
    )
