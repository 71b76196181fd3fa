"""A client that times the real server over its real stdio, and nothing else.

One thread reads and stamps every message as it arrives; the caller sends and waits. No editor is
imitated: an editor's own work would only blur the figures.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

CAPABILITIES: dict[str, Any] = {
    "workspace": {"applyEdit": True, "configuration": False, "workspaceFolders": True},
    "textDocument": {
        "completion": {"completionItem": {"resolveSupport": {"properties": ["documentation"]}}},
        "hover": {"contentFormat": ["markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "publishDiagnostics": {},
    },
    "general": {"positionEncodings": ["utf-16"]},
}


@dataclass(frozen=True)
class Reply:
    """An answer, and when its last byte had been read."""

    message: dict[str, Any]
    at: float


class Client:
    """A running server and the pipes to it. Times are of `time.perf_counter`."""

    def __init__(self, root: Path, home: Path) -> None:
        env = {**os.environ, "HF_HUB_OFFLINE": "1"}
        for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            env[name] = str(home / name.lower())
        self.root = root
        self.log = (home / "server.log").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "knapper", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            env=env,
        )
        self.replies: dict[int, queue.SimpleQueue[Reply]] = {}
        self.diagnostics: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self.next_id = 0
        self.version = 1
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            self.process.wait(10)
        finally:
            self.process.kill()
            self.log.close()

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def notify(self, method: str, params: object) -> None:
        self._send({"method": method, "params": params})

    def request(self, method: str, params: object, timeout: float = 120) -> Any:
        return self.timed(method, params, timeout)[0]

    def timed(self, method: str, params: object, timeout: float = 120) -> tuple[Any, float]:
        """The result of a request, and the milliseconds from sending it to having read the answer."""
        self.next_id += 1
        waiting: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self.replies[self.next_id] = waiting
        start = time.perf_counter()
        self._send({"id": self.next_id, "method": method, "params": params})
        reply = waiting.get(timeout=timeout)
        if "error" in reply.message:
            raise RuntimeError(f"{method}: {reply.message['error']}")
        return reply.message["result"], (reply.at - start) * 1000

    def initialize(self, options: dict[str, Any] | None = None) -> None:
        """Begin a session; *options* are settings, search by meaning is off if they say nothing of it."""
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        params = {"processId": None, "rootUri": folder["uri"], "workspaceFolders": [folder]}
        chosen = {"knapper": {"embeddings": {"enabled": False}, **(options or {})}}
        self.request("initialize", {**params, "capabilities": CAPABILITIES, "initializationOptions": chosen})
        self.notify("initialized", {})

    def open(self, path: str, text: str) -> None:
        document = {"uri": self.uri(path), "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def type(self, path: str, line: int, character: int, text: str) -> None:
        """Insert *text* at a position, as one keystroke does."""
        self.version += 1
        here = {"line": line, "character": character}
        self.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri(path), "version": self.version},
                "contentChanges": [{"range": {"start": here, "end": here}, "text": text}],
            },
        )

    def wait_until_ready(self, timeout: float = 900) -> None:
        end = time.perf_counter() + timeout
        while time.perf_counter() < end:
            status = self.request("knapper/status", {})
            if status["state"] == "ready" and not status["pending"]:
                return
            time.sleep(0.02)
        raise TimeoutError(f"the index never became ready: {status}")

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _read(self) -> None:
        assert self.process.stdout is not None
        while header := self.process.stdout.readline():
            length = int(header.split(b":")[1]) if header.lower().startswith(b"content-length") else 0
            while self.process.stdout.readline() != b"\r\n":
                pass
            body = self.process.stdout.read(length)
            at = time.perf_counter()  # What the client does with the bytes is its own matter.
            reply = Reply(json.loads(body), at)
            method = reply.message.get("method")
            if method == "textDocument/publishDiagnostics":
                self.diagnostics.put(reply)
            elif method and "id" in reply.message:
                self._send({"id": reply.message["id"], "result": None})
            elif not method and (waiting := self.replies.pop(reply.message["id"], None)):
                waiting.put(reply)
