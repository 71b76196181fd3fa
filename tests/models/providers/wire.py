"""A real HTTP server on this machine that says, byte for byte, what a test has it say.

It keeps what it was sent. Its certificate, for 127.0.0.1 and `provider.test`, is made when first wanted.
"""

from __future__ import annotations

import contextlib
import json
import socket
import socketserver
import ssl
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import trustme

_FOLDER = tempfile.TemporaryDirectory(prefix="knapper-wire-")


@cache
def _certificates() -> tuple[Path, Path]:
    """The files of an authority, and of a certificate by it with its key."""
    authority = trustme.CA()
    trusted, own = Path(_FOLDER.name, "authority.pem"), Path(_FOLDER.name, "server.pem")
    authority.cert_pem.write_to_path(str(trusted))
    chain = authority.issue_cert("127.0.0.1", "provider.test").private_key_and_cert_chain_pem
    chain.write_to_path(str(own))
    return trusted, own


def authority() -> str:
    """The file of the authority that a client must trust to reach an encrypted `Wire`."""
    return str(_certificates()[0])


class Silence:
    """The server says nothing more, and waits until the client hangs up."""


@dataclass(frozen=True)
class Answer:
    """What the server sends: numbers in *parts* are pauses in seconds. *cut* leaves out the body's end."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    parts: Sequence[bytes | float | Silence] = ()
    cut: bool = False
    before: Sequence[float | Silence] = ()
    """What happens before the first byte."""


@dataclass(frozen=True)
class Received:
    """One request as it arrived."""

    line: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Wire(socketserver.ThreadingTCPServer):
    """Gives the answers in turn, the last one for ever."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, answers: Sequence[Answer], *, encrypted: bool = False) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        self.answers = list(answers)
        self.received: list[Received] = []
        self.asked = threading.Event()
        self.hung_up = threading.Event()
        self.scheme = "https" if encrypted else "http"
        if encrypted:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(_certificates()[1])
            self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def base(self) -> str:
        return f"{self.scheme}://{self.host}/v1"

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is no news."""


class _Connection(socketserver.BaseRequestHandler):
    server: Wire
    request: socket.socket

    def handle(self) -> None:
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if isinstance(self.request, ssl.SSLSocket):
            self.request.do_handshake()
        answers = self.server.answers
        self.server.received.append(self._request())
        self.server.asked.set()
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        for part in answer.before:
            self._send(part)
        self.request.sendall(_head(answer))
        for part in answer.parts:
            self._send(part)
        if not answer.cut:
            self.request.sendall(b"0\r\n\r\n")

    def _request(self) -> Received:
        with self.request.makefile("rb") as file:
            line = file.readline().decode().strip()
            headers = {}
            while text := file.readline().decode().strip():
                name, _, value = text.partition(":")
                headers[name.lower()] = value.strip()
            return Received(line, headers, file.read(int(headers.get("content-length", 0))))

    def _send(self, part: bytes | float | Silence) -> None:
        if isinstance(part, bytes):
            self.request.sendall(b"%x\r\n%b\r\n" % (len(part), part))
        elif isinstance(part, Silence):
            with contextlib.suppress(OSError):
                self.request.recv(1)
            self.server.hung_up.set()
        else:
            time.sleep(part)


def _head(answer: Answer) -> bytes:
    headers = {"Transfer-Encoding": "chunked", "Connection": "close", **answer.headers}
    lines = [f"HTTP/1.1 {answer.status} Whatever", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@contextmanager
def wire(*answers: Answer, encrypted: bool = False) -> Iterator[Wire]:
    """A server while the block runs."""
    server = Wire(answers, encrypted=encrypted)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Tunnel(socketserver.BaseRequestHandler):
    """A proxy that takes every CONNECT to the one server there is."""

    request: socket.socket

    def handle(self) -> None:
        asked = b""
        while not asked.endswith(b"\r\n\r\n"):
            asked += self.request.recv(65_536)
        server: Any = self.server
        server.asked.append(asked.partition(b"\r\n")[0].decode())
        with socket.create_connection(server.target) as other:
            self.request.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            back = threading.Thread(target=_copy, args=(other, self.request), daemon=True)
            back.start()
            _copy(self.request, other)
            back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes until it ends, and its end."""
    with contextlib.suppress(OSError):
        while part := source.recv(65_536):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)


class Tunnel(socketserver.ThreadingTCPServer):
    """A proxy on this machine; *asked* are the requests to it."""

    daemon_threads = True

    def __init__(self, server: Wire) -> None:
        super().__init__(("127.0.0.1", 0), _Tunnel)
        self.target = server.server_address
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """Whoever hangs up is no news."""


@contextmanager
def tunnel(server: Wire) -> Iterator[Tunnel]:
    """A proxy to *server* while the block runs."""
    proxy = Tunnel(server)
    thread = threading.Thread(target=proxy.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        proxy.server_close()
        thread.join()


@contextmanager
def full_queue() -> Iterator[str]:
    """A host where connections wait to be accepted and never are: its queue is full."""
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        yield f"127.0.0.1:{full.getsockname()[1]}"
        for one in waiting:
            one.close()


def stream(text: str, size: int = 0, *, cut: bool = False) -> Answer:
    """An answer that streams *text* in chunks of *size* bytes, or all at once."""
    content = text.encode()
    parts = [content[at : at + size] for at in range(0, len(content), size)] if size else [content]
    return Answer(headers={"Content-Type": "text/event-stream; charset=utf-8"}, parts=parts, cut=cut)


def document(status: int, content: str | dict[str, Any], **headers: str) -> Answer:
    """An answer that is no stream: JSON for a dict, else a web page."""
    kind = "application/json" if isinstance(content, dict) else "text/html; charset=utf-8"
    text = json.dumps(content) if isinstance(content, dict) else content
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"Content-Type": kind, **named}, [text.encode()])
