"""Whatever a client sends, it gets the error the specification names, and the server lives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.raw_client import RawClient, raw_client, vault

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELLED = -32002, -32800
HERE = {"line": 0, "character": 3}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vault(tmp_path_factory.mktemp("errors"), {"src.md": "[[Note]]\n", "Note.md": "# Head\n"})


@pytest.fixture(scope="module")
def client(root: Path) -> Iterator[RawClient]:
    with raw_client(root.parent) as client:
        client.start(root)
        client.open(root / "src.md")
        client.wait_until_ready()
        yield client


def code_of(answer: dict[str, Any]) -> int:
    return int(answer["error"]["code"])


def assert_alive(client: RawClient, root: Path) -> None:
    at = {"textDocument": {"uri": (root / "src.md").as_uri()}, "position": HERE}
    assert client.result("textDocument/definition", at)[0]["uri"] == (root / "Note.md").as_uri()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{nonsense", PARSE_ERROR),
        (b"\xff\xfe\x00", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b"3", INVALID_REQUEST),
        (b"{}", INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":"old","method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":{"a":1},"method":"shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":true,"method":"shutdown"}', INVALID_REQUEST),
    ],
)
def test_a_malformed_message_is_refused(client: RawClient, root: Path, body: bytes, code: int) -> None:
    before = len(client.said)
    client.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    client.wait_for(lambda: any("error" in message for message in client.said[before:]))

    refusal = next(message for message in client.said[before:] if "error" in message)

    assert refusal["error"]["code"] == code
    assert refusal["id"] in {None, "old"}
    assert_alive(client, root)


def test_damaged_headers_are_reported_and_passed_over(client: RawClient, root: Path) -> None:
    before = len(client.said)
    client.send_bytes(b"Content-Length: lots\r\n\r\n{}\r\nContent-Type: x\r\n\r\n")
    client.wait_for(lambda: any("error" in message for message in client.said[before:]))

    assert client.said[before]["error"]["code"] == PARSE_ERROR
    assert_alive(client, root)


def test_an_unknown_request_is_refused(client: RawClient) -> None:
    assert code_of(client.request("textDocument/rhyme", {})) == NO_METHOD
    assert code_of(client.request("$/unknown", {})) == NO_METHOD
    assert code_of(client.request("knapper/unknown", {})) == NO_METHOD


def test_unknown_notifications_and_stray_answers_are_ignored(client: RawClient, root: Path) -> None:
    client.notify("$/whatever", {"a": 1})
    client.notify("textDocument/whatever", [1, 2])
    client.send({"jsonrpc": "2.0", "id": "nobody asked", "result": 3})
    client.notify("$/cancelRequest", {"id": 987654})

    assert_alive(client, root)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/definition", None),
        ("textDocument/definition", {}),
        ("textDocument/definition", {"textDocument": "src.md", "position": HERE}),
        ("textDocument/hover", {"textDocument": {"uri": "file:///x"}, "position": {"line": "one"}}),
        ("workspace/executeCommand", {"command": "knapper.search", "arguments": [{"query": 3}]}),
        ("workspace/executeCommand", {"command": "knapper.search", "arguments": ["words"]}),
        ("workspace/executeCommand", {"command": "knapper.search", "arguments": [{"query": "a"}, {}]}),
        ("workspace/executeCommand", {"command": "knapper.search", "arguments": []}),
        ("workspace/executeCommand", {"command": "other.command", "arguments": []}),
        ("knapper/search", {"query": "a", "limit": "ten"}),
        ("knapper/search", {"query": "a", "limit": 0}),
        ("knapper/search", {"query": "a", "mode": "magic"}),
        ("knapper/search", []),
        ("knapper/backlinks", {"uri": "file:///nowhere/x.md"}),
        ("knapper/backlinks", {"uri": "untitled:x"}),
    ],
)
def test_wrong_params_are_refused(client: RawClient, root: Path, method: str, params: Any) -> None:
    answer = client.request(method, params)

    assert code_of(answer) == INVALID_PARAMS, answer
    assert "Traceback" not in json.dumps(answer)
    assert_alive(client, root)


def test_a_notification_with_wrong_params_is_left_out(client: RawClient, root: Path) -> None:
    client.notify("textDocument/didChange", {"textDocument": 3})
    client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": "file:///not/open.md", "version": 3}, "contentChanges": [{"text": ""}]},
    )
    client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///not/open.md"}})

    assert_alive(client, root)


POSITIONAL = (
    "textDocument/definition",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/documentHighlight",
    "textDocument/prepareCallHierarchy",
)
WHOLE = (
    "textDocument/documentSymbol",
    "textDocument/codeLens",
    "textDocument/foldingRange",
    "textDocument/documentLink",
)


@pytest.mark.parametrize("method", [*POSITIONAL, *WHOLE])
@pytest.mark.parametrize(
    "uri",
    [
        "file:///nowhere/at/all.md",
        "untitled:Untitled-1",
        "git:/x.md?a",
        "vault/../../../etc/passwd",
        "VAULT/missing.md",
        "VAULT/../outside.md",
    ],
)
def test_an_unknown_file_is_answered_with_nothing(
    client: RawClient, root: Path, method: str, uri: str
) -> None:
    about = {"textDocument": {"uri": uri.replace("VAULT", root.as_uri())}}

    assert client.result(method, about | {"position": HERE}) in (None, [])


@pytest.mark.parametrize("method", POSITIONAL)
def test_a_position_past_the_end_is_clamped(client: RawClient, root: Path, method: str) -> None:
    about = {"textDocument": {"uri": (root / "src.md").as_uri()}}

    for line, character in ((0, 10_000), (10_000, 0), (2**31 - 1, 2**31 - 1)):
        client.result(method, about | {"position": {"line": line, "character": character}})

    assert_alive(client, root)


def test_edits_past_the_end_are_clamped(client: RawClient, root: Path) -> None:
    uri = client.open(root / "edited.md", "one\n")
    far = {"start": {"line": 7, "character": 7}, "end": {"line": 9, "character": 9}}
    change = {"range": far, "text": "# Head\n"}
    client.notify(
        "textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}
    )

    symbols = client.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    assert [symbol["name"] for symbol in symbols] == ["Head"]


def test_a_change_whose_range_is_null_is_a_whole_text(client: RawClient, root: Path) -> None:
    uri = client.open(root / "whole.md", "one\n")
    change = {"range": None, "rangeLength": None, "text": "# Head\n"}
    client.notify(
        "textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]}
    )

    symbols = client.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    assert [symbol["name"] for symbol in symbols] == ["Head"]


def test_documents_of_other_schemes_are_let_be(client: RawClient, root: Path) -> None:
    document = {
        "uri": "untitled:Untitled-1",
        "languageId": "markdown",
        "version": 1,
        "text": "# Head\n[[Note]]",
    }
    client.notify("textDocument/didOpen", {"textDocument": document})

    about = {"textDocument": {"uri": "untitled:Untitled-1"}}

    assert client.result("textDocument/documentSymbol", about) is None
    assert "untitled:Untitled-1" not in client.diagnostics
    assert_alive(client, root)


def test_a_storm_of_cancelled_requests_leaves_the_server_quick(client: RawClient, root: Path) -> None:
    at = {"textDocument": {"uri": (root / "src.md").as_uri()}, "position": HERE}
    asked = []
    for _ in range(200):
        asked.append(client.ask("textDocument/completion", at))
        client.notify("$/cancelRequest", {"id": asked[-1]})

    answers = [client.reply(message_id) for message_id in asked]
    codes = {answer["error"]["code"] for answer in answers if "error" in answer}

    assert codes == {CANCELLED}
    assert_alive(client, root)


def test_of_many_completions_for_one_document_only_the_newest_is_computed(
    client: RawClient, root: Path
) -> None:
    at = {"textDocument": {"uri": (root / "src.md").as_uri()}, "position": HERE}

    asked = [client.ask("textDocument/completion", at) for _ in range(30)]
    answers = [client.reply(message_id)["result"] for message_id in asked]

    assert answers[-1]["items"]
    assert answers.count(None) > 15


def test_a_request_that_waits_is_cancelled_with_the_error_of_the_specification(
    client: RawClient, root: Path
) -> None:
    search = client.ask("knapper/search", {"query": "head"})
    client.notify("$/cancelRequest", {"id": search})
    answer = client.reply(search)

    assert "result" in answer or code_of(answer) == CANCELLED
    assert_alive(client, root)


def test_nothing_of_all_this_was_logged_as_an_error(client: RawClient) -> None:
    assert "Traceback" not in client.errors()
    assert "failed with" not in client.errors()
