"""Which vault a file belongs to: several roots, vaults in vaults, single files, spellings of paths."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.raw_client import BARE, RawClient, raw_client, vault

FOLDERS = {"workspace": {"workspaceFolders": True}, "textDocument": {}}
AT_LINK = {"line": 0, "character": 3}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    with raw_client(tmp_path) as client:
        yield client


def definition(client: RawClient, uri: str) -> list[str]:
    params = {"textDocument": {"uri": uri}, "position": AT_LINK}
    return [location["uri"] for location in client.result("textDocument/definition", params) or ()]


def names(client: RawClient, query: str) -> list[str]:
    return sorted(symbol["name"] for symbol in client.result("workspace/symbol", {"query": query}))


def test_links_never_cross_from_one_root_to_another(client: RawClient, tmp_path: Path) -> None:
    first = vault(tmp_path / "1", {"src.md": "[[Only there]]", "Here.md": ""})
    second = vault(tmp_path / "2", {"Only there.md": "", "src.md": "[[Only there]]"})
    client.start(first, second, capabilities=FOLDERS)
    here, there = client.open(first / "src.md"), client.open(second / "src.md")
    status = client.wait_until_ready()

    assert definition(client, here) == []
    assert definition(client, there) == [(second / "Only there.md").as_uri()]
    assert [entry["vault"] for entry in status["vaults"]] == [first.as_uri(), second.as_uri()]
    assert status["notes"] == 4


def test_the_nearest_vault_wins(client: RawClient, tmp_path: Path) -> None:
    root = vault(
        tmp_path,
        {
            ".obsidian/app.json": "{}",
            "Outer.md": "",
            "inner/.obsidian/app.json": "{}",
            "inner/Inner.md": "",
            "inner/src.md": "[[Outer]]",
            "src.md": "[[Inner]]",
        },
    )
    client.start(root)
    inside, outside = client.open(root / "inner/src.md"), client.open(root / "src.md")
    client.wait_until_ready()

    assert definition(client, inside) == []
    assert definition(client, outside) == []
    assert names(client, "Inner") == ["Inner"]


def test_a_folder_in_a_vault_opens_the_whole_vault(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {".knapper.toml": "", "Note.md": "", "sub/src.md": "[[Note]]"})
    client.start(root / "sub")
    uri = client.open(root / "sub/src.md")
    client.wait_until_ready()

    assert definition(client, uri) == [(root / "Note.md").as_uri()]


def test_a_file_outside_every_vault_works_alone(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {"Note.md": ""})
    stranger = tmp_path / "vault2" / "Stranger.md"
    stranger.parent.mkdir()
    stranger.write_text("# One\n\n[[#One]] and [[Note]]\n")
    client.start(root)
    uri = client.open(stranger)
    client.wait_until_ready()
    client.wait_for(lambda: uri in client.diagnostics)
    own = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 4}}

    assert client.diagnostics[uri] == []
    assert client.result("textDocument/definition", own)[0]["uri"] == uri
    assert names(client, "Stranger") == []


def test_folders_that_come_and_go_take_their_notes_with_them(client: RawClient, tmp_path: Path) -> None:
    first, second = (
        vault(tmp_path / "1", {"A.md": ""}),
        vault(tmp_path / "2", {"B.md": "", "src.md": "[[B]]"}),
    )
    client.start(first, capabilities=FOLDERS)
    uri = client.open(second / "src.md")
    client.wait_until_ready()
    alone = definition(client, uri)

    folder = {"uri": second.as_uri(), "name": "2"}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    client.wait_until_ready()
    together = definition(client, uri), names(client, "B")
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
    status = client.wait_until_ready()

    assert alone == []
    assert together == ([(second / "B.md").as_uri()], ["B"])
    assert definition(client, uri) == []
    assert [entry["vault"] for entry in status["vaults"]] == [first.as_uri()]


def test_a_home_folder_is_not_indexed_unless_the_person_insists(tmp_path: Path) -> None:
    root = vault(tmp_path, {"Note.md": "", "src.md": "[[Note]]"})
    with raw_client(tmp_path, environment={"HOME": str(root)}) as client:
        client.start(root)
        uri = client.open(root / "src.md")
        client.wait_until_ready()
        client.wait_for(lambda: bool(client.messages("window/showMessageRequest")))
        question = client.messages("window/showMessageRequest")[0]["params"]

        assert definition(client, uri) == []
        assert question["actions"] == [{"title": "Index anyway"}]
        assert "home folder" in question["message"]


def test_a_home_folder_is_indexed_if_the_person_insists(tmp_path: Path) -> None:
    root = vault(tmp_path, {"Note.md": "", "src.md": "[[Note]]"})
    with raw_client(tmp_path, environment={"HOME": str(root)}) as client:
        client.answers["window/showMessageRequest"] = lambda _: {"title": "Index anyway"}
        client.start(root)
        uri = client.open(root / "src.md")
        client.wait_for_status(lambda status: status["notes"] == 2)
        client.wait_until_ready()

        assert definition(client, uri) == [(root / "Note.md").as_uri()]


def spellings(uri: str) -> list[str]:
    """The URI as other clients write it."""
    return [
        uri.replace("/src", "/%73rc"),
        uri.replace("file:///", "file://localhost/"),
        uri.replace("%23", "#"),
    ]


def test_one_document_has_many_spellings_and_answers_keep_that_of_the_client(
    client: RawClient, tmp_path: Path
) -> None:
    root = vault(tmp_path / "My Vault #1", {"src.md": "[[#Head]]\n# Head\n"})
    client.start(root)
    plain = client.open(root / "src.md")
    odd = plain.replace("/src", "/%73rc")
    client.notify(
        "textDocument/didOpen",
        {
            "textDocument": {
                "uri": odd,
                "languageId": "markdown",
                "version": 1,
                "text": "[[#Other]]\n# Other\n",
            }
        },
    )
    client.wait_until_ready()

    for spelling in spellings(plain):
        assert definition(client, spelling) == [odd]


def test_a_note_stored_decomposed_is_found_and_has_one_uri(client: RawClient, tmp_path: Path) -> None:
    stored = "Cafe\u0301.md"
    root = vault(tmp_path, {stored: "", "src.md": "[[Caf\u00e9]]\n"})
    client.start(root)
    uri = client.open(root / "src.md")
    client.wait_until_ready()
    composed = (root / "Caf\u00e9.md").as_uri()
    found = client.result("knapper/backlinks", {"uri": composed})

    assert definition(client, uri) == [(root / stored).as_uri()]
    assert [item["path"] for item in found["items"]] == ["src.md"]


def test_a_root_reached_through_a_link_answers_in_the_clients_spelling(
    client: RawClient, tmp_path: Path
) -> None:
    real = vault(tmp_path, {"Note.md": "", "src.md": "[[Note]]"})
    root = tmp_path / "linked"
    root.symlink_to(real)
    client.start(root)
    uri = client.open(root / "src.md")
    client.wait_until_ready()

    assert definition(client, uri) == [(root / "Note.md").as_uri()]


def test_a_link_out_of_the_vault_shows_nothing_of_it(client: RawClient, tmp_path: Path) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("# Secret heading\n")
    root = vault(tmp_path, {"src.md": "[[leak]] [x](../secret.md) [[../secret]]\n"})
    (root / "leak.md").symlink_to(secret)
    client.start(root)
    uri = client.open(root / "src.md")
    client.wait_until_ready()

    for character in (3, 14, 31):
        at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": character}}
        hover: Any = client.result("textDocument/hover", at)
        assert "Secret" not in str(hover)
    assert client.result("knapper/search", {"query": "heading"})["items"] == []


def test_without_any_folder_the_server_is_ready_at_once(client: RawClient) -> None:
    client.start(capabilities=BARE)
    status = client.wait_until_ready()

    assert status["vaults"] == []


@pytest.mark.parametrize("other", ["alias/A.md", "vault/%41.md", "vault/x/../A.md"])
def test_a_file_open_under_two_uris_keeps_the_text_of_each(tmp_path: Path, other: str) -> None:
    root = vault(tmp_path, {"A.md": "", "B.md": "", ".obsidian/app.json": "{}"})
    (tmp_path / "alias").symlink_to(root)
    one, two = (root / "A.md").as_uri(), f"{tmp_path.as_uri()}/{other}"

    def links(uri: str) -> int:
        return len(client.result("textDocument/documentLink", {"textDocument": {"uri": uri}}))

    def say(method: str, uri: str, **more: Any) -> None:
        client.notify(f"textDocument/{method}", {"textDocument": {"uri": uri, "version": 2}, **more})

    with raw_client(tmp_path) as client:
        client.start(root)
        client.wait_until_ready()
        client.open(root / "A.md", "one\n")
        document = {"uri": two, "languageId": "markdown", "version": 1, "text": "two\n[[B]]\n"}
        client.notify("textDocument/didOpen", {"textDocument": document})
        here = {"line": 0, "character": 3}
        say(
            "didChange", one, contentChanges=[{"range": {"start": here, "end": here}, "text": " [[B]] [[B]]"}]
        )
        counted = [links(two)]
        say("didClose", two)
        counted.append(links(one))
        client.notify("textDocument/didOpen", {"textDocument": document})
        say("didClose", one)
        say("didChange", two, contentChanges=[{"text": "[[B]] [[B]] [[B]]"}])
        counted.append(links(two))
        say("didClose", two)
        counted.append(links(one))
        status = client.wait_until_ready()

    assert (counted, status["notes"], len(status["vaults"])) == ([1, 2, 3, 0], 2, 1)
