"""What an editor with no code of ours can do: offers, lenses, actions and commands that show something."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from tests.e2e.raw_client import RawClient, raw_client, vault

FILES = {
    "src.md": "[[Missing page]]\n\nsee [[Note#Plan]] and [[Note]]\n",
    "Note.md": "# Note\n\n## Plan\n\nwords\n",
    "Other.md": "[[Note]] too, and the Note without brackets\n",
}
FULL: dict[str, Any] = {
    "workspace": {
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]},
        "codeLens": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
    },
    "window": {"showDocument": {"support": True}, "workDoneProgress": True},
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}},
            "resolveSupport": {"properties": ["edit", "command"]},
        },
        "diagnostic": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["markdown"]},
    },
}
BARE_WITH_ACTIONS = {
    "workspace": {},
    "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault(tmp_path, FILES)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    with raw_client(tmp_path) as client:
        yield client


def begin(client: RawClient, root: Path, capabilities: Any, **options: Any) -> str:
    """A session with the source note open and everything indexed."""
    client.start(root, capabilities=capabilities, options=options)
    uri = client.open(root / "src.md")
    client.wait_until_ready()
    return uri


def run(client: RawClient, command: str, *arguments: Any) -> Any:
    params = {"command": command, "arguments": list(arguments)}
    return client.result("workspace/executeCommand", params)


def at(uri: str, line: int, character: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def shown(client: RawClient) -> list[dict[str, Any]]:
    return [message["params"] for message in client.messages("window/showDocument")]


def accept(client: RawClient) -> None:
    """Answer as an editor does that shows every document and applies every edit."""
    client.answers["window/showDocument"] = lambda _: {"success": True}
    client.answers["workspace/applyEdit"] = lambda _: {"applied": True}


def test_going_to_a_missing_note_answers_null_and_offers_to_create_it(client: RawClient, root: Path) -> None:
    accept(client)
    client.answers["window/showMessageRequest"] = lambda params: params["actions"][0]
    uri = begin(client, root, FULL)

    answer = client.result("textDocument/definition", at(uri, 0, 3))
    client.wait_for(lambda: bool(shown(client)))
    question = client.messages("window/showMessageRequest")[0]["params"]
    edit = client.messages("workspace/applyEdit")[0]["params"]["edit"]
    created = (root / "Missing page.md").as_uri()

    assert answer is None
    assert question["message"] == "Create “Missing page.md”?"
    assert [(change["kind"], change["uri"]) for change in edit["documentChanges"]] == [("create", created)]
    assert [document["uri"] for document in shown(client)] == [created]


def test_a_client_that_ignores_the_offer_loses_nothing(client: RawClient, root: Path) -> None:
    uri = begin(client, root, {"workspace": {}, "textDocument": {}})

    assert client.result("textDocument/definition", at(uri, 0, 3)) is None
    assert client.result("textDocument/definition", at(uri, 2, 8))[0]["range"]["start"]["line"] == 2
    assert not (root / "Missing page.md").exists()


@pytest.mark.parametrize("reason", ["the editor refuses", "the editor answers null", "a file is in the way"])
def test_what_cannot_be_done_of_an_offer_is_told_and_is_no_failure(
    client: RawClient, root: Path, reason: str
) -> None:
    (root / "src.md").write_text("[[New/Missing page]]\n")
    (root / "New").write_text("no folder\n")
    client.answers["window/showMessageRequest"] = lambda params: params["actions"][0]
    edited = None if "null" in reason else {"applied": False, "failureReason": "no room"}
    client.answers["workspace/applyEdit"] = lambda _: edited
    uri = begin(client, root, {"workspace": {}, "textDocument": {}} if "file" in reason else FULL)

    assert client.result("textDocument/definition", at(uri, 0, 3)) is None
    client.wait_for(lambda: bool(client.messages("window/showMessage")))

    (told,) = client.messages("window/showMessage")
    assert told["params"]["message"].endswith(".")
    assert client.end() == 0
    assert client.errors() == ""


def test_a_client_that_cannot_create_files_is_given_a_command_that_does(
    client: RawClient, root: Path
) -> None:
    uri = begin(client, root, BARE_WITH_ACTIONS)
    cursor = {"line": 0, "character": 3}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": cursor, "end": cursor},
        "context": {"diagnostics": []},
    }

    actions = client.result("textDocument/codeAction", params)
    create = next(action for action in actions if action["title"].startswith("Create note"))
    run(client, create["command"], *create["arguments"])
    client.wait_until_ready()

    assert (root / "Missing page.md").read_text() == ""
    assert client.result("textDocument/definition", at(uri, 0, 3))[0]["uri"].endswith("Missing%20page.md")


def test_commands_of_actions_come_by_resolve(client: RawClient, root: Path) -> None:
    begin(client, root, FULL)
    uri = client.open(root / "Note.md")
    start = {"line": 4, "character": 5}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": start, "end": start},
        "context": {"diagnostics": [], "only": ["source"]},
    }

    actions = client.result("textDocument/codeAction", params)
    resolved = [client.result("codeAction/resolve", action) for action in actions]

    assert [action["title"] for action in actions] == [
        "Ask memory about this",
        "Show 3 backlinks",
        "Related notes…",
        "Open “Note.md” in Obsidian",
    ]
    assert all("command" not in action for action in actions)
    assert [action["command"]["command"] for action in resolved] == [
        "knapper.ask",
        "knapper.backlinks",
        "knapper.related",
        "knapper.openInObsidian",
    ]


def test_a_note_is_opened_in_obsidian_by_its_address(client: RawClient, root: Path) -> None:
    accept(client)
    uri = begin(client, root, FULL)

    run(client, "knapper.openInObsidian", {"uri": uri})

    assert shown(client) == [{"uri": "obsidian://open?vault=vault&file=src.md", "external": True}]


def test_a_lens_shows_its_references_as_choices_and_opens_the_one_picked(
    client: RawClient, root: Path
) -> None:
    accept(client)
    client.answers["window/showMessageRequest"] = lambda params: params["actions"][-1]
    begin(client, root, FULL)
    uri = client.open(root / "Note.md")
    lenses = client.result("textDocument/codeLens", {"textDocument": {"uri": uri}})

    answer = run(client, lenses[0]["command"]["command"], *lenses[0]["command"]["arguments"])
    client.wait_for(lambda: bool(shown(client)))

    assert [lens["command"]["title"] for lens in lenses] == ["3 backlinks", "1 backlink to this heading"]
    assert [item["path"] for item in answer["items"]] == ["Other.md", "src.md", "src.md"]
    assert shown(client)[0]["uri"] == (root / "src.md").as_uri()
    assert shown(client)[0]["selection"]["start"] == {"line": 2, "character": 22}


def test_a_command_without_arguments_shows_its_answer_as_a_page(client: RawClient, root: Path) -> None:
    accept(client)
    begin(client, root, FULL)
    client.open(root / "Note.md")
    answer = run(client, "knapper.backlinks")
    client.wait_for(lambda: bool(shown(client)))
    page = Path(unquote(urlparse(shown(client)[0]["uri"]).path))

    assert [item["path"] for item in answer["items"]] == ["Other.md", "src.md", "src.md"]
    assert [item["text"] for item in answer["unlinked"]] == ["[[Note]] too, and the Note without brackets"]
    assert page.parent.name == "answers"
    assert "Other.md" in page.read_text()


def test_a_client_that_shows_no_documents_is_told_in_a_message(client: RawClient, root: Path) -> None:
    begin(client, root, {"workspace": {}, "textDocument": {}})

    run(client, "knapper.search", {"query": "words", "show": True})
    client.wait_for(lambda: bool(client.messages("window/showMessage")))

    assert "Note.md" in client.messages("window/showMessage")[0]["params"]["message"]


@pytest.mark.parametrize("command", ["knapper.status", "knapper.graph", "knapper.rebuild"])
def test_every_command_runs_without_arguments(client: RawClient, root: Path, command: str) -> None:
    accept(client)
    begin(client, root, FULL)

    run(client, command)
    client.wait_for(lambda: bool(shown(client)))


def test_lenses_are_refreshed_when_a_count_changes_and_not_otherwise(client: RawClient, root: Path) -> None:
    uri = begin(client, root, FULL, lens={"related": False})
    note = client.open(root / "Note.md")
    client.result("textDocument/codeLens", {"textDocument": {"uri": note}})
    client.change(uri, FILES["src.md"] + "no link\n", 2)
    client.wait_until_ready()
    before = len(client.messages("workspace/codeLens/refresh"))

    client.change(uri, FILES["src.md"] + "[[Note]]\n", 3)
    client.wait_for(lambda: bool(client.messages("workspace/codeLens/refresh")))

    assert before == 0


def test_pulled_diagnostics_are_refreshed_when_another_note_changes_them(
    client: RawClient, root: Path
) -> None:
    uri = begin(client, root, FULL)
    note = client.open(root / "Note.md")
    about = {"textDocument": {"uri": uri}}
    first = client.result("textDocument/diagnostic", about)
    same = client.result("textDocument/diagnostic", about | {"previousResultId": first["resultId"]})

    client.change(note, "# Note\n")
    client.wait_for(lambda: bool(client.messages("workspace/diagnostic/refresh")))
    now = client.result("textDocument/diagnostic", about | {"previousResultId": first["resultId"]})

    assert [item["code"] for item in first["items"]] == ["unresolved-note"]
    assert same == {"kind": "unchanged", "resultId": first["resultId"]}
    assert [item["code"] for item in now["items"]] == ["unresolved-note", "missing-heading"]
    assert client.messages("textDocument/publishDiagnostics") == []


def test_pushed_diagnostics_are_taken_back_when_the_note_is_closed(client: RawClient, root: Path) -> None:
    uri = begin(client, root, {"workspace": {}, "textDocument": {}})
    client.wait_for(lambda: bool(client.diagnostics.get(uri)))

    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.wait_for(lambda: client.diagnostics[uri] == [])


def test_a_long_first_index_is_reported_and_the_report_ends(tmp_path: Path) -> None:
    words = "\n".join(f"- [[Note {n}]] and some words about #tag{n} in line {n}" for n in range(60))
    root = vault(tmp_path, {f"Note {n}.md": words for n in range(100)})
    with raw_client(tmp_path) as client:
        client.start(root, capabilities=FULL)
        client.wait_until_ready()
        values = [message["params"]["value"]["kind"] for message in client.messages("$/progress")]
        tokens = {json.dumps(message["params"]["token"]) for message in client.messages("$/progress")}

        assert values[:1] in ([], ["begin"])
        assert values[-1:] in ([], ["end"])
        assert values.count("begin") == values.count("end") == len(tokens)
        assert all(token.startswith('"') for token in tokens)


def test_indexing_that_the_person_cancels_stops_and_can_be_begun_again(tmp_path: Path) -> None:
    words = "\n".join(f"- [[Note {n}]] and some words about #tag{n} in line {n}" for n in range(150))
    root = vault(tmp_path, {f"Note {n}.md": words for n in range(700)})
    with raw_client(tmp_path) as client:
        client.start(root, capabilities=FULL)
        client.wait_for(lambda: bool(client.messages("$/progress")))
        token = client.messages("$/progress")[0]["params"]["token"]
        client.notify("window/workDoneProgress/cancel", {"token": token})
        stopped = client.wait_for_status(lambda status: status["state"] == "degraded")
        rebuilt = client.reply(client.ask("knapper/rebuild", {}), timeout=120)
        client.wait_until_ready()

        assert len(rebuilt["result"]["items"]) == 1
        assert stopped["notes"] < 700
        assert client.result("knapper/status", {})["notes"] == 700


def test_a_note_of_a_megabyte_is_opened_edited_and_diagnosed(client: RawClient, root: Path) -> None:
    begin(client, root, {"workspace": {}, "textDocument": {}})
    lines = "".join(f"Line {n} with [[Note]] and more words\n\n" for n in range(28_000))
    uri = client.open(root / "Large.md", f"# Large\n\n{lines}[[Gone]]\n")
    start = {"line": 0, "character": 2}
    change = {"range": {"start": start, "end": start}, "text": "Very "}
    document = {"uri": uri, "version": 2}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    symbols = client.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    client.wait_for(lambda: bool(client.diagnostics.get(uri)))

    assert [symbol["name"] for symbol in symbols] == ["Very Large"]
    assert [item["code"] for item in client.diagnostics[uri]] == ["unresolved-note"]
