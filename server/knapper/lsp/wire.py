"""Bytes between the client and the protocol: one thread that reads, one file that is written.

Knows pipes and sockets; must not know what a message means, apart from a cancel, which is let past the
queue: of twenty requests that the client has given up, none is begun.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sys
import threading
from collections.abc import Callable
from typing import IO

from knapper.lsp.frames import Damage, Frames

_CANCEL = re.compile(rb'"method"\s*:\s*"\$/cancelRequest"')
_PIECE = 1 << 16


class Wire:
    """One connection to a client."""

    def __init__(self, read: Callable[[int], bytes], out: IO[bytes]) -> None:
        self._read = read
        self._out = out

    def listen(
        self,
        take: Callable[[bytes | Damage], None],
        ended: Callable[[], None],
        cancelled: set[str | int],
    ) -> None:
        """Give every frame to *take* on the running loop, then call *ended*; ids of cancels into the set."""
        loop = asyncio.get_running_loop()

        def work() -> None:
            frames = Frames()
            try:
                while data := self._read(_PIECE):
                    for frame in frames.feed(data):
                        _note_cancel(frame, cancelled)
                        loop.call_soon_threadsafe(take, frame)
            except OSError:
                pass  # A connection that breaks has ended.
            except RuntimeError:
                return  # The loop is gone: the server is on its way out.
            try:
                loop.call_soon_threadsafe(ended)
            except RuntimeError:
                return

        threading.Thread(target=work, name="knapper-read", daemon=True).start()

    def write(self, data: bytes) -> None:
        """Send *data*; the name is that of pygls's writers."""
        self._out.write(data)
        self._out.flush()

    def close(self) -> None:
        """Nothing: the process ends soon after, and an answer may still be on its way."""


def _note_cancel(frame: bytes | Damage, cancelled: set[str | int]) -> None:
    if isinstance(frame, bytes) and len(frame) < 300 and _CANCEL.search(frame):
        try:
            cancelled.add(json.loads(frame)["params"]["id"])
        except (ValueError, KeyError, TypeError):
            return


def stdio() -> Wire:
    """The client at the other end of stdin and stdout.

    From now on file descriptor 1 is stderr: nothing that prints, in whatever library, can damage the
    stream of messages.
    """
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return Wire(lambda size: os.read(0, size), out)


def accept(host: str, port: int, ready: Callable[[str, int], None]) -> Wire:
    """The first client that connects to this address. *ready* is told the port, which may have been 0."""
    with socket.create_server((host, port)) as listener:
        ready(*listener.getsockname()[:2])
        connection, _ = listener.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Wire(connection.recv, connection.makefile("wb"))
