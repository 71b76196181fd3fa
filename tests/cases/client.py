"""A minimal LSP client over a server's real stdio: framing, one reader thread, a person's answers.

Knows the protocol's envelope and what a client says of itself; must not know cases or the server's insides.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlparse

WAIT_S = 30.0

CAPABILITIES = {
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "rename", "delete"],
        },
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "symbol": {},
        "fileOperations": {"willRename": True, "didRename": True},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "completion": {
            "completionItem": {
                "snippetSupport": False,
                "insertReplaceSupport": False,
                "labelDetailsSupport": True,
                "documentationFormat": ["markdown"],
                "resolveSupport": {"properties": ["documentation", "detail"]},
            }
        },
        "hover": {"contentFormat": ["markdown"]},
        "definition": {"linkSupport": False},
        "rename": {"prepareSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {
                "codeActionKind": {"valueSet": ["", "quickfix", "refactor", "source"]}
            },
            "resolveSupport": {"properties": ["edit"]},
        },
        "publishDiagnostics": {},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "general": {"positionEncodings": ["utf-16"]},
}


class CaseFailure(Exception):  # noqa: N818 - a case that does not hold is no error of the program
    """What the server did differs from what the case expects."""


class RequestRefused(CaseFailure):
    """The server answered a request with an error."""

    def __init__(self, method: str, error: dict[str, Any]) -> None:
        super().__init__(f"{method} was refused: {error.get('message')}")
        self.error = error


def to_uri(path: Path | str) -> str:
    """`/a b.md` gives `file:///a%20b.md`."""
    return "file://" + quote(str(path))


def to_path(uri: str) -> Path:
    """`file:///a%20b.md` gives `/a b.md`."""
    return Path(unquote(urlparse(uri).path))


def section_of(settings: Any, section: str | None) -> Any:
    """What a client answers for one item of workspace/configuration; null if it has nothing."""
    for part in filter(None, (section or "").split(".")):
        settings = settings.get(part) if isinstance(settings, dict) else None
    return settings


class Client:
    """One server and one workspace folder. `diagnostics` holds, by path, what was published last."""

    def __init__(self, command: list[str], root: Path, env: dict[str, str]) -> None:
        self.root = root
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the server
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.stderr, env=env
        )
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.replies: dict[int, queue.Queue[dict[str, Any]]] = {}
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.applied: list[dict[str, Any]] = []
        self.settings: dict[str, Any] = {}
        self.last_id = 0
        self.lock = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def start(self, settings: dict[str, Any]) -> None:
        """Initialize with *settings*, which also answer `workspace/configuration`."""
        self.settings = settings
        folder = {"uri": to_uri(self.root), "name": self.root.name}
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "capabilities": CAPABILITIES,
                "initializationOptions": settings,
            },
        )
        self.notify("initialized", {})

    def request(self, method: str, params: Any, timeout: float = WAIT_S) -> Any:
        """The result. Raises RequestRefused for an error, CaseFailure if no answer comes."""
        self.last_id += 1
        waiting: queue.Queue[dict[str, Any]] = queue.Queue()
        self.replies[self.last_id] = waiting
        self._send({"id": self.last_id, "method": method, "params": params})
        try:
            reply = waiting.get(timeout=timeout)
        except queue.Empty:
            raise CaseFailure(f"no answer to {method} in {timeout:.0f} s") from None
        if reply.get("error"):
            raise RequestRefused(method, reply["error"])
        return reply.get("result")

    def notify(self, method: str, params: Any) -> None:
        """Send what has no answer."""
        self._send({"method": method, "params": params})

    def wait_until_ready(self) -> None:
        """Poll knapper/status until nothing is left to index."""
        end = time.monotonic() + WAIT_S
        status = None
        while time.monotonic() < end:
            status = self.request("knapper/status", {})
            if status.get("state") == "ready" and not status.get("pending"):
                return
            time.sleep(0.02)
        raise CaseFailure(f"the index never became ready: {status}")

    def stop(self) -> None:
        """Shut the server down by the protocol; a server that does not end is killed."""
        try:
            self.request("shutdown", None, timeout=5)
            self.notify("exit", None)
            self.process.wait(timeout=5)
        except (CaseFailure, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()

    def last_words(self) -> str:
        """The end of what a server that is gone wrote to its standard error."""
        if self.process.poll() is None:
            return ""
        self.stderr.seek(0)
        return self.stderr.read()[-1500:].decode(errors="replace")

    def close(self) -> None:
        """Give the pipes back."""
        for stream in (self.stdin, self.stdout, self.stderr):
            with contextlib.suppress(BrokenPipeError):
                stream.close()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            with self.lock:
                self.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                self.stdin.flush()
        except BrokenPipeError:
            raise CaseFailure("the server is gone") from None

    def _read(self) -> None:
        while (length := self._read_header()) is not None:
            self._take(json.loads(self.stdout.read(length)))
        for waiting in list(self.replies.values()):
            waiting.put({"error": {"message": "the server closed its output"}})

    def _read_header(self) -> int | None:
        length = 0
        while line := self.stdout.readline():
            if line == b"\r\n":
                return length
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return None

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            waiting = self.replies.pop(message["id"], None)
            if waiting:
                waiting.put(message)
            return
        method: str = message["method"]
        params: Any = message.get("params")
        if "id" in message:
            self._send({"id": message["id"], "result": self._answer(method, params)})
        elif method == "textDocument/publishDiagnostics":
            self.diagnostics[str(to_path(params["uri"]))] = params["diagnostics"]

    def _answer(self, method: str, params: Any) -> Any:
        if method == "workspace/configuration":
            return [section_of(self.settings, item.get("section")) for item in params["items"]]
        if method == "workspace/applyEdit":
            self.applied.append(params["edit"])
            return {"applied": True}
        if method == "window/showDocument":
            return {"success": True}
        if method == "workspace/workspaceFolders":
            return [{"uri": to_uri(self.root), "name": self.root.name}]
        return None
