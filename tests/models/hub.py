"""A hub of models on this machine, with as much of the real one's protocol as a download needs.

It holds one repository, that of the default model, with the weights of the test model.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

REPOSITORY = "Qdrant/bge-small-en-v1.5-onnx-Q"
REVISION = "0123456789abcdef0123456789abcdef01234567"


class Hub(ThreadingHTTPServer):
    """Serves the files of a model folder, and remembers what was asked for."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.files = {
            "model_optimized.onnx": (folder / "model.onnx").read_bytes(),
            "tokenizer.json": (folder / "tokenizer.json").read_bytes(),
            "tokenizer_config.json": (folder / "tokenizer_config.json").read_bytes(),
            "config.json": b"{}",
            "special_tokens_map.json": b"{}",
        }
        self.downloads: list[str] = []
        self.asked_with_token: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Hub

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def _answer(self, *, with_body: bool) -> None:
        if self.headers.get("Authorization"):
            self.server.asked_with_token.append(self.path)
        path = self.path.partition("?")[0]
        if path == "/":
            self._send(b"hub", {}, with_body=with_body)
        elif path.startswith((f"/api/models/{REPOSITORY}/revision/", f"/api/models/{REPOSITORY}/tree/")):
            self._send(json.dumps(self._listing(tree="/tree/" in path)).encode(), {}, with_body=with_body)
        elif path == f"/api/models/{REPOSITORY}":
            self._send(json.dumps(self._listing(tree=False)).encode(), {}, with_body=with_body)
        elif path.startswith(f"/{REPOSITORY}/resolve/") and path.rpartition("/")[2] in self.server.files:
            name = path.rpartition("/")[2]
            if with_body:
                self.server.downloads.append(name)
            content = self.server.files[name]
            headers = {"ETag": f'"{_etag(content)}"', "X-Repo-Commit": REVISION}
            self._send(content, headers, with_body=with_body)
        else:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

    def _listing(self, *, tree: bool) -> object:
        files = self.server.files
        if tree:
            return [
                {"type": "file", "path": name, "size": len(content), "oid": _etag(content)}
                for name, content in files.items()
            ]
        return {
            "_id": "1", "id": REPOSITORY, "modelId": REPOSITORY, "sha": REVISION, "private": False,
            "siblings": [{"rfilename": name} for name in files],
        }  # fmt: skip

    def _send(self, content: bytes, headers: dict[str, str], *, with_body: bool) -> None:
        self.send_response(200)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if with_body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _etag(content: bytes) -> str:
    return hashlib.sha1(content).hexdigest()


@contextmanager
def running_hub(folder: Path) -> Iterator[Hub]:
    """A hub while the block runs."""
    hub = Hub(folder)
    thread = threading.Thread(target=hub.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.shutdown()
        hub.server_close()
        thread.join()
