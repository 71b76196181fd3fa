"""A small editor's half of the protocol: it starts a server and talks to it over its standard streams.

Knows messages and their framing; must not know what is asked, nor anything of the server's inside.
"""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import IO, Any, Self

Message = dict[str, Any]
Answer = Callable[[Any], Any]


class Misbehaved(Exception):  # noqa: N818 -- It says what the server did.
    """The server did something that no editor would put up with; the message says what."""


class Client:
    """A running server, and what it has said. Use it as a context manager; leaving it ends the server.

    *answers* are what the editor replies to the server's own requests, by method; others get null.
    """

    def __init__(self, command: Sequence[str], answers: dict[str, Answer], patience: float = 30.0) -> None:
        self.notifications: dict[str, list[Any]] = {}
        self._answers = answers
        self._patience = patience
        self._next_id = 0
        self._incoming: queue.Queue[Message | None] = queue.Queue()
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603 -- Our own server.
        threading.Thread(target=self._read_all, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()

    def request(self, method: str, params: Any) -> Any:
        """The result of a request. Raises `Misbehaved` for an error, silence or the server's end."""
        self._next_id += 1
        self._send({"id": self._next_id, "method": method, "params": params})
        deadline = time.monotonic() + self._patience
        while True:
            message = self._receive(deadline, method)
            if "method" not in message and message.get("id") == self._next_id:
                if "error" in message:
                    raise Misbehaved(f"the server refused {method}: {message['error'].get('message')}")
                return message.get("result")

    def notify(self, method: str, params: Any) -> None:
        """Tell the server something."""
        self._send({"method": method, "params": params})

    def wait_for(self, method: str, wanted: Callable[[Any], bool]) -> Any:
        """The params of the newest notification *method* that is *wanted*, waited for if need be."""
        deadline = time.monotonic() + self._patience
        while True:
            for params in reversed(self.notifications.get(method, [])):
                if wanted(params):
                    return params
            self._receive(deadline, method)

    def close(self) -> None:
        """Shut the server down as an editor does. Raises `Misbehaved` if it does not end well."""
        self.request("shutdown", None)
        self.notify("exit", None)
        try:
            code = self._process.wait(self._patience)
        except subprocess.TimeoutExpired:
            raise Misbehaved("the server did not end when it was told to") from None
        if code:
            raise Misbehaved(f"the server ended with exit code {code}")

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self._process.stdin.flush()
        except OSError as error:
            raise Misbehaved("the server is gone") from error

    def _receive(self, deadline: float, waiting_for: str) -> Message:
        """The next message; notifications are kept and the server's requests answered on the way."""
        try:
            message = self._incoming.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise Misbehaved(
                f"the server said nothing about {waiting_for} for {self._patience:.0f} s"
            ) from None
        if message is None:
            raise Misbehaved(f"the server ended while {waiting_for} was waited for")
        if "method" in message and "id" in message:
            answer = self._answers.get(message["method"])
            self._send({"id": message["id"], "result": answer(message.get("params")) if answer else None})
        elif "method" in message:
            self.notifications.setdefault(message["method"], []).append(message.get("params"))
        return message

    def _read_all(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        try:
            while (message := _read(stream)) is not None:
                self._incoming.put(message)
        except (OSError, ValueError):
            pass  # The stream ended or is no protocol; the end says it all.
        self._incoming.put(None)


def _read(stream: IO[bytes]) -> Message | None:
    """The next message, or None at the end of the stream. Raises `ValueError` for what is none."""
    length = 0
    while (line := stream.readline().strip()) != b"":
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    body = stream.read(length)
    if not length or len(body) < length:
        return None
    message: Message = json.loads(body)
    return message
