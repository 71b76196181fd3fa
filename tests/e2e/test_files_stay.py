"""The files are the thing: whatever is asked, no file of a vault changes, comes or goes by itself."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.raw_client import RawClient, raw_client

EXAMPLE = Path(__file__).parents[2] / "examples" / "vault"
STRANGE = {
    "latin.md": b"caf\xe9 [[Bread]]\n",
    "nulls.md": b"\0\0[[Bread]]\0\n",
    "crlf.md": b"---\r\naliases: [Rye]\r\n---\r\none\r\n[[Bread]] ^id",
    "cr.md": b"one\rtwo [[Bread]]\r",
    "bom.md": b"\xef\xbb\xbf# Title\n\n[[Bread#No such]]",
    "yaml.md": b"---\nup: [[Bread]]\n\tx: {\n---\n[[Gone]]\n",
    "open.md": b"```\n[[Bread]]\n%% $$ <!-- ![[",
    "board.canvas": b'{"nodes": [{"type": "file", "file": "Bread.md"}',
    ".obsidian/app.json": b"{ damaged",
}
AT_START = {"position": {"line": 0, "character": 2}}
POSITION = (
    "textDocument/definition",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/documentHighlight",
    "textDocument/prepareCallHierarchy",
)
DOCUMENT = (
    "textDocument/documentSymbol",
    "textDocument/documentLink",
    "textDocument/foldingRange",
    "textDocument/codeLens",
)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    with raw_client(tmp_path) as client:
        yield client


def contents(root: Path) -> dict[str, bytes]:
    """Every file of the folder, dot-files too, and what it holds."""
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def ask_everything(client: RawClient, uri: str) -> None:
    document = {"textDocument": {"uri": uri}}
    for method in POSITION:
        client.request(method, document | AT_START)
    for method in DOCUMENT:
        client.request(method, document)
    client.request("textDocument/references", document | AT_START | {"context": {"includeDeclaration": True}})
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    client.request("textDocument/codeAction", document | {"range": whole, "context": {"diagnostics": []}})
    client.request("knapper/backlinks", {"uri": uri})
    client.request("knapper/related", {"uri": uri})


def test_whatever_is_asked_and_typed_no_file_changes(client: RawClient, tmp_path: Path) -> None:
    root = tmp_path / "vault"
    shutil.copytree(EXAMPLE, root)
    for name, data in STRANGE.items():
        (root / name).write_bytes(data)
    before = contents(root)

    client.start(root)
    client.wait_until_ready()
    for name in [*(name for name in STRANGE if name.endswith(".md")), "Start here.md"]:
        text = (root / name).read_bytes().decode("utf-8", "replace")
        uri = client.open(root / name, text)
        ask_everything(client, uri)
        client.change(uri, text + "\n\nTyped [[Bread]], [[Nowhere]] #tag ^new-id\n")
        ask_everything(client, uri)
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.request("knapper/search", {"query": "bread"})
    client.request("knapper/graph", {})
    client.request("knapper/rebuild", {})
    client.wait_until_ready()
    assert client.end() == 0

    assert contents(root) == before
