"""A client that can say anything, also what no client should: bytes in, messages out, over real stdio."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

SERVER = Path(__file__).parents[2] / "server"
PATIENCE_S = 30.0
BARE: dict[str, Any] = {"workspace": {}, "textDocument": {}}
LATER = object()
"""What a client replies to a request that it answers later, or never."""


class RawClient:
    """One server process and what it has said. `answers` says what the client replies to requests."""

    def __init__(self, folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        env = server_environment(folder) | dict(environment or {})
        command = [sys.executable, "-m", "knapper", "serve", *arguments]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env
        )
        self.answers: dict[str, Callable[[Any], Any]] = {}
        self.said: list[dict[str, Any]] = []
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self._replies: dict[Any, queue.Queue[dict[str, Any]]] = {}
        self._next = 0
        self._errors = bytearray()
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()

    # --- saying ---

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request and give its id; `reply` waits for the answer."""
        self._next += 1
        self._replies[self._next] = queue.Queue()
        self.send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        return self._next

    def reply(self, message_id: Any, timeout: float = PATIENCE_S) -> dict[str, Any]:
        return self._replies.setdefault(message_id, queue.Queue()).get(timeout=timeout)

    def request(self, method: str, params: Any = None) -> dict[str, Any]:
        """The whole answer, with its `result` or `error`."""
        return self.reply(self.ask(method, params))

    def result(self, method: str, params: Any = None) -> Any:
        answer = self.request(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    # --- a session ---

    def start(self, *folders: Path, capabilities: Any = None, options: Any = None, **more: Any) -> Any:
        params = {
            "processId": os.getpid(),
            "rootUri": folders[0].as_uri() if folders else None,
            "workspaceFolders": [{"uri": f.as_uri(), "name": f.name} for f in folders] or None,
            "capabilities": BARE if capabilities is None else capabilities,
            "initializationOptions": options,
            **more,
        }
        result = self.result("initialize", params)
        self.notify("initialized", {})
        return result

    def open(self, file: Path, text: str | None = None) -> str:
        uri = file.as_uri()
        content = file.read_text(encoding="utf-8") if text is None else text
        document = {"uri": uri, "languageId": "markdown", "version": 1, "text": content}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, text: str, version: int = 2) -> None:
        document = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})

    def wait_until_ready(self) -> dict[str, Any]:
        return self.wait_for_status(lambda status: status["state"] == "ready" and not status["pending"])

    def wait_for_status(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE_S
        while not holds(status := self.result("knapper/status", {})):
            assert time.monotonic() < end, status
            time.sleep(0.02)
        return dict(status)

    def wait_for(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, "it never came"
            time.sleep(0.01)

    def messages(self, method: str) -> list[dict[str, Any]]:
        """What the server has sent of this method so far."""
        return [message for message in self.said if message.get("method") == method]

    def end(self) -> int:
        """Shut down and exit as a client should; the exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE_S)

    def errors(self) -> str:
        """What the server wrote to stderr."""
        return self._errors.decode(errors="replace")

    # --- listening ---

    def _listen(self) -> None:
        assert self.process.stdout
        while (message := _read(self.process.stdout)) is not None:
            self._take(message)
        for waiting in tuple(self._replies.values()):
            waiting.put({"error": {"code": 0, "message": "the server closed its output"}})

    def _take(self, message: dict[str, Any]) -> None:
        self.said.append(message)
        method = message.get("method")
        if method is None:
            self._replies.setdefault(message.get("id"), queue.Queue()).put(message)
        elif "id" in message:
            answer = self.answers.get(method, lambda _: None)(message.get("params"))
            if answer is not LATER:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": answer})
        elif method == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]

    def _drain(self) -> None:
        assert self.process.stderr
        with suppress(ValueError):  # It is closed as soon as the test is over.
            for line in self.process.stderr:
                self._errors += line


def _read(out: Any) -> dict[str, Any] | None:
    length = 0
    while (line := out.readline()) not in {b"\r\n", b""}:
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(out.read(length)) if length else None


def server_environment(folder: Path) -> dict[str, str]:
    """The environment of a server that keeps all its files in *folder*, beside the vault."""
    own = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CACHE", "STATE", "DATA", "CONFIG")}
    paths = [str(SERVER), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, **own, "PYTHONPATH": os.pathsep.join(paths), "HF_HUB_OFFLINE": "1"}


@contextmanager
def raw_client(folder: Path, *arguments: str, **more: Any) -> Iterator[RawClient]:
    """A client whose server is gone in the end, whatever happened."""
    client = RawClient(folder, *arguments, **more)
    try:
        yield client
    finally:
        client.process.kill()
        client.process.wait()
        for stream in (client.process.stdin, client.process.stdout, client.process.stderr):
            if stream:
                stream.close()


def vault(folder: Path, files: Mapping[str, str]) -> Path:
    """A vault with these files."""
    root = folder / "vault"
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    root.mkdir(exist_ok=True)
    return root
