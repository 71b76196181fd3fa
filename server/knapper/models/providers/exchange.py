"""One request and its answer as it comes, on a line that can be hung up at once. The only user of httpx.

httpx runs in a thread of its own, because nothing else ends a name look-up or a connection that hangs; the
caller waits for that thread or for the token, whichever is first. Hanging up shuts the socket down: closing
the answer from another thread leaves a silent read waiting. Must not know providers.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from knapper.base.cancel import CancelToken
from knapper.models.providers.address import Address

MOST_BYTES = 16_000_000
"""No answer is longer; a stream that is has lost its way."""


@dataclass(frozen=True, slots=True)
class Request:
    """A POST of JSON. Neither headers nor body are ever shown."""

    address: Address
    path: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Head:
    """The status and the headers of an answer, their names in lower case."""

    status: int
    headers: Mapping[str, str]

    @property
    def media_type(self) -> str:
        """`text/event-stream` of `text/event-stream; charset=utf-8`."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds to wait for a connection, and for the next byte of an answer."""

    connect: float = 5.0
    silence: float = 90.0


class Lost(Exception):  # noqa: N818 -- What happened to the line, not what is wrong.
    """The line broke. *cause* is the library's error: it may hold anything and is never shown."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(type(cause).__name__)
        self.cause = cause


def exchange(request: Request, patience: Patience, token: CancelToken) -> Generator[Head | bytes, None, None]:
    """First the head of the answer, then its body in chunks. Raises `Lost` and `Cancelled`."""
    token.check()
    line = _Line(request, patience)
    forget = token.on_cancel(line.hang_up)
    threading.Thread(target=line.run, name="provider", daemon=True).start()
    try:
        while (item := line.inbox.get()) is not None:
            token.check()
            if isinstance(item, Lost):
                raise item from None
            yield item
        token.check()
    finally:
        forget()
        line.hang_up()


class _Line:
    """What the two threads share: a queue, a flag and a socket.

    Whoever sets one of flag and socket looks at the other afterwards, so a hang-up is never missed.
    """

    def __init__(self, request: Request, patience: Patience) -> None:
        self.inbox: SimpleQueue[Head | bytes | Lost | None] = SimpleQueue()
        self._request = request
        self._patience = patience
        self._hung_up = False
        self._socket: socket.socket | None = None

    def hang_up(self) -> None:
        """End the exchange, from any thread, without waiting."""
        self._hung_up = True
        self.inbox.put(None)
        self._shut()

    def run(self) -> None:
        """Send the request and put what comes back into the inbox."""
        try:
            self._talk()
        except Exception as error:  # noqa: BLE001 -- Whatever it is, the caller must hear of it.
            self.inbox.put(Lost(error))
        finally:
            self._socket = None
            self.inbox.put(None)

    def _talk(self) -> None:
        import httpx  # noqa: PLC0415 -- Costs a sixth of a second, and most sessions ask nobody.

        if self._hung_up:
            return
        for name in ("httpx", "httpcore"):
            logging.getLogger(name).setLevel(logging.WARNING)
        request, patience = self._request, self._patience
        timeout = httpx.Timeout(patience.silence, connect=patience.connect, pool=patience.connect)
        # What is meant for this machine must not go to a proxy that the environment names.
        encrypted = request.address.scheme == "https"  # Else the certificates need not be read.
        transport = httpx.HTTPTransport(verify=encrypted) if request.address.is_local else None
        with (
            httpx.Client(timeout=timeout, follow_redirects=False, transport=transport) as client,
            client.stream(
                "POST",
                request.address.at(request.path),
                content=request.body,
                headers=dict(request.headers),
                extensions={"trace": self._traced},
            ) as answer,
        ):
            self.inbox.put(Head(answer.status_code, {k.lower(): v for k, v in answer.headers.items()}))
            size = 0
            for chunk in answer.iter_bytes():
                size += len(chunk)
                if self._hung_up:
                    return
                if size > MOST_BYTES:
                    raise OverflowError
                self.inbox.put(chunk)

    def _traced(self, event: str, info: dict[str, Any]) -> None:
        """Learn the socket as soon as there is one; the encrypted one takes the place of the plain."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._hung_up:
                self._shut()

    def _shut(self) -> None:
        if (line := self._socket) is not None:
            with suppress(OSError):
                # Not the TLS socket's own shutdown: it takes the session from under the reading thread.
                socket.socket.shutdown(line, socket.SHUT_RDWR)
