"""The index beside the editor: always fresh, shared by two servers, and no loss when its process dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.raw_client import LATER, RawClient, raw_client, vault


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    with raw_client(tmp_path) as client:
        yield client


def hits(client: RawClient, query: str) -> list[str]:
    return [item["path"] for item in client.result("knapper/search", {"query": query})["items"]]


def index_process_of(client: RawClient) -> int | None:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(client.process.pid)], capture_output=True, text=True, check=False
    )
    return int(found.stdout.split()[0]) if found.stdout.split() else None


def test_a_search_sent_after_a_keystroke_sees_it(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {"draft.md": "nothing yet\n"})
    client.start(root)
    uri = client.open(root / "draft.md")
    client.wait_until_ready()

    client.change(uri, "a zeppelin\n")
    unsaved = hits(client, "zeppelin")
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.wait_until_ready()

    assert unsaved == ["draft.md"]
    assert hits(client, "zeppelin") == []


def test_a_status_right_after_a_notification_counts_it(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {"draft.md": "nothing yet\n"})
    client.start(root)
    uri = client.open(root / "draft.md")
    client.wait_until_ready()
    counted = {}

    client.change(uri, "text\n")
    counted["change"] = client.result("knapper/status", {})["pending"]
    client.wait_until_ready()
    (root / "draft.md").write_text("text\n")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    counted["save"] = client.result("knapper/status", {})["pending"]
    client.wait_until_ready()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
    counted["watched file"] = client.result("knapper/status", {})["pending"]
    client.wait_until_ready()
    client.change(uri, "text again\n", 3)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    counted["close"] = client.result("knapper/status", {})["pending"]
    client.wait_until_ready()

    assert all(counted.values()), counted


def test_a_setting_is_in_force_once_nothing_is_pending(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {"Old/Note.md": "words\n"})
    client.start(root)
    client.wait_until_ready()
    before = hits(client, "words")

    exclude = {"knapper": {"index": {"exclude": ["Old/"]}}}
    client.notify("workspace/didChangeConfiguration", {"settings": exclude})
    client.wait_until_ready()

    assert before == ["Old/Note.md"]
    assert hits(client, "words") == []


def test_changes_of_others_are_seen_without_the_clients_help(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {"src.md": "[[New]]\n"})
    client.start(root)
    uri = client.open(root / "src.md")
    client.wait_until_ready()
    client.wait_for(lambda: len(client.diagnostics.get(uri, ())) == 1)

    (root / "New.md").write_text("a dirigible\n")
    client.wait_for(lambda: client.diagnostics[uri] == [])

    assert hits(client, "dirigible") == ["New.md"]


def test_settings_of_obsidian_take_effect_while_the_server_runs(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {".obsidian/app.json": "{}", "sub/Note.md": "", "sub/src.md": "[[No"})
    client.start(root)
    uri = client.open(root / "sub/src.md")
    client.wait_until_ready()
    at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 4}}

    def written() -> str:
        items = client.result("textDocument/completion", at)["items"]
        return str(next(item["textEdit"]["newText"] for item in items if item["label"] == "Note"))

    before = written()
    settings = root / ".obsidian/app.json"
    settings.write_text(json.dumps({"newLinkFormat": "absolute"}))
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": settings.as_uri(), "type": 2}]})
    client.wait_until_ready()

    assert before == "Note]]"
    assert written() == "sub/Note|Note]]"


def test_a_vault_may_narrow_its_settings_while_the_server_runs(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {"Note.md": "", "src.md": "[[Note]]\n"})
    client.start(root)
    about = {"textDocument": {"uri": client.open(root / "Note.md")}}
    client.wait_until_ready()
    before = client.result("textDocument/codeLens", about)

    (root / ".knapper.toml").write_text("[lens]\nbacklinks = false\n")
    client.wait_for(lambda: client.result("textDocument/codeLens", about) == [])

    assert [lens["command"]["title"] for lens in before] == ["1 backlink"]


def test_a_damaged_settings_file_is_told_once(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {".obsidian/app.json": "{broken", "Note.md": ""})
    client.start(root)
    client.wait_until_ready()
    client.notify(
        "workspace/didChangeWatchedFiles",
        {"changes": [{"uri": (root / ".obsidian/app.json").as_uri(), "type": 2}]},
    )
    client.wait_until_ready()

    told = [message["params"]["message"] for message in client.messages("window/showMessage")]

    assert told == [".obsidian/app.json: it is no valid JSON. Obsidian's default is used instead."]


def test_an_excluded_expression_without_end_holds_nothing_up_and_is_told_once(
    client: RawClient, tmp_path: Path
) -> None:
    evil = ["/(a+)+$/", "/^(a|aa)+$/", "Archive/"]
    notes = {f"{'a' * 40}{n}.md": f"Note number {n}\n" for n in range(20)}
    files = {
        **notes,
        "Archive/Old.md": "Note of old\n",
        "Bread.md": "Note of bread\n",
        ".obsidian/app.json": json.dumps({"userIgnoreFilters": evil}),
    }
    root = vault(tmp_path, files)
    client.start(root, options={"embeddings": {"enabled": False}})
    uri = client.open(root / f"{'a' * 40}0.md", "[[a")
    client.wait_until_ready()
    at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}}
    offered = client.result("textDocument/completion", at)["items"]
    found = client.result("knapper/search", {"query": "note", "limit": 50})["items"]
    graph = client.result("knapper/graph", {"clusters": True})["nodes"]
    said = [message["params"]["message"] for message in client.messages("window/showMessage")]

    assert len(offered) >= 20
    assert [item["path"] for item in found] == ["Bread.md"]
    assert [node["path"] for node in graph] == ["Bread.md"]
    (sentence,) = said
    assert sentence == (
        "The excluded path /^(a|aa)+$/ takes too long to compare with some names; what has these is excluded."
    )


def test_a_wrong_setting_is_told_and_its_default_used(client: RawClient, tmp_path: Path) -> None:
    client.start(vault(tmp_path, {}), options={"knapper": {"lens": {"backlinks": "yes"}}})
    client.wait_until_ready()

    told = [message["params"]["message"] for message in client.messages("window/showMessage")]

    assert told == [
        "The setting knapper.lens.backlinks should be true or false, not 'yes'; True is used instead."
    ]


def test_the_clients_own_settings_are_asked_for_and_change_what_is_told(tmp_path: Path) -> None:
    root = vault(tmp_path, {"src.md": "[[Gone]]\n"})
    given: dict[str, Any] = {"diagnostics": {"unresolved-note": "off"}}
    capabilities = {"workspace": {"configuration": True}, "textDocument": {}}
    with raw_client(tmp_path) as client:
        client.answers["workspace/configuration"] = lambda params: [given for _ in params["items"]]
        client.start(root, capabilities=capabilities)
        uri = client.open(root / "src.md")
        client.wait_until_ready()
        client.wait_for(lambda: uri in client.diagnostics)
        off = client.diagnostics[uri]
        given["diagnostics"]["unresolved-note"] = "error"
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.wait_until_ready()
        client.wait_for(lambda: bool(client.diagnostics[uri]))

        assert off == []
        assert [item["severity"] for item in client.diagnostics[uri]] == [1]


def test_a_client_that_never_answers_for_its_settings_is_not_waited_for(tmp_path: Path) -> None:
    root = vault(tmp_path, {"Note.md": "words\n"})
    silent = threading.Event()
    with raw_client(tmp_path) as client:
        client.answers["workspace/configuration"] = lambda _: silent.wait(5) and None
        client.start(root, capabilities={"workspace": {"configuration": True}, "textDocument": {}})
        early = client.result("knapper/status", {})
        silent.set()
        client.wait_until_ready()

        assert early["state"] == "starting"
        assert early["pending"] >= 1


def test_settings_that_come_after_newer_ones_do_not_count(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {"src.md": "[[Gone]]\n"})
    questions = lambda: client.messages("workspace/configuration")  # noqa: E731

    def answer(number: int, severity: str) -> None:
        given = {"diagnostics": {"unresolved-note": severity}}
        client.send({"jsonrpc": "2.0", "id": questions()[number]["id"], "result": [given, given]})

    client.answers["workspace/configuration"] = lambda _: LATER
    client.start(root, capabilities={"workspace": {"configuration": True}, "textDocument": {}})
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    uri = client.open(root / "src.md")
    client.wait_for(lambda: len(questions()) == 2)
    answer(1, "error")
    client.wait_for(lambda: [item["severity"] for item in client.diagnostics.get(uri, ())] == [1])
    answer(0, "warning")
    client.wait_until_ready()
    client.change(uri, "[[Gone]] still\n")
    client.wait_until_ready()
    client.change(uri, "\n[[Gone]]\n", 3)
    client.wait_for(lambda: client.diagnostics[uri][0]["range"]["start"]["line"] == 1)

    assert [item["severity"] for item in client.diagnostics[uri]] == [1]


def test_when_the_index_process_is_killed_nothing_is_lost(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {"draft.md": "nothing yet\n", "Note.md": "", "src.md": "[[Note]]\n"})
    client.start(root)
    uri, source = client.open(root / "draft.md"), client.open(root / "src.md")
    client.wait_until_ready()
    client.change(uri, "a zeppelin\n")
    client.wait_until_ready()
    first = index_process_of(client)
    assert first is not None

    os.kill(first, signal.SIGKILL)
    at = {"textDocument": {"uri": source}, "position": {"line": 0, "character": 3}}
    meanwhile = client.result("textDocument/definition", at)
    (root / "New.md").write_text("a dirigible\n")
    client.wait_for(lambda: index_process_of(client) not in {None, first})
    client.wait_until_ready()
    client.wait_for(lambda: hits(client, "dirigible") == ["New.md"])

    assert meanwhile[0]["uri"] == (root / "Note.md").as_uri()
    assert hits(client, "zeppelin") == ["draft.md"]


def test_two_servers_share_one_index_and_see_only_their_own_unsaved_text(tmp_path: Path) -> None:
    root = vault(tmp_path, {"draft.md": "nothing yet\n"})
    with raw_client(tmp_path) as first, raw_client(tmp_path) as second:
        first.start(root)
        owner = first.wait_until_ready()
        second.start(root)
        follower = second.wait_until_ready()
        uri = second.open(root / "draft.md")
        second.change(uri, "a zeppelin\n")
        unsaved = hits(second, "zeppelin"), hits(first, "zeppelin")
        refusal = second.request("knapper/rebuild", {})
        (root / "draft.md").write_text("a zeppelin\n")
        second.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        second.wait_until_ready()
        first.wait_for(lambda: hits(first, "zeppelin") == ["draft.md"])

        assert owner["index"]["owner"]
        assert not follower["index"]["owner"]
        assert owner["index"]["path"] == follower["index"]["path"]
        assert unsaved == (["draft.md"], [])
        assert "owns this index" in refusal["error"]["message"]


def test_a_follower_takes_over_when_the_owner_has_gone(tmp_path: Path) -> None:
    root = vault(tmp_path, {"Note.md": ""})
    with raw_client(tmp_path) as second:
        with raw_client(tmp_path) as first:
            first.start(root)
            first.wait_until_ready()
            second.start(root)
            second.wait_until_ready()
            assert first.end() == 0
        second.wait_for_status(lambda status: status["index"]["owner"])
        (root / "New.md").write_text("a dirigible\n")
        second.notify(
            "workspace/didChangeWatchedFiles", {"changes": [{"uri": (root / "New.md").as_uri(), "type": 1}]}
        )
        second.wait_until_ready()

        assert hits(second, "dirigible") == ["New.md"]


def test_a_rebuild_answers_when_the_new_index_is_complete(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {"Note.md": "words\n"})
    client.start(root)
    client.wait_until_ready()

    answer = client.result("workspace/executeCommand", {"command": "knapper.rebuild", "arguments": [{}]})
    client.wait_until_ready()

    assert answer["items"] == [{"path": "", "uri": root.as_uri(), "vault": root.as_uri()}]
    assert hits(client, "words") == ["Note.md"]
