"""Claims about when diagnostics are told: after a pause, to all who can see the change, and never twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types as t

from knapper.base.settings import Settings
from knapper.lsp.capabilities import Client
from knapper.lsp.jobs import Jobs
from knapper.lsp.publish import Publisher, here_of
from knapper.lsp.session import Document, Session
from knapper.lsp.timers import Timers
from knapper.lsp.uris import uri_of
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView
from tests.lsp.hand_clock import HandClock


class Editor:
    """One vault with open documents, and what the client was told about them: the name and the lines."""

    def __init__(self, root: Path) -> None:
        self.session = Session(root, uri_of(root), Settings(), Client())
        self.session.host.rebase(VaultView.build([], [NotePath("other.md")]))
        self.clock = HandClock()
        self.jobs = Jobs("test")
        self.told: list[tuple[str, list[int]]] = []
        self.refreshes: list[str] = []
        self.open: list[Document] = []
        self.publisher = Publisher(self, self.jobs, Timers(self.clock.call_later), lambda: tuple(self.open))

    def diagnostics(self, params: t.PublishDiagnosticsParams) -> None:
        lines = [item.range.start.line for item in params.diagnostics]
        self.told.append((params.uri.rsplit("/", 1)[1], lines))

    def refresh_diagnostics(self) -> None:
        self.refreshes.append("diagnostics")

    def refresh_lenses(self) -> None:
        self.refreshes.append("lenses")

    def opens(self, name: str, text: str) -> Document:
        file = self.session.root / name
        document = Document(uri_of(file), file, self.session, NotePath(name))
        self.session.host.open(document.path, 1, text)
        self.open.append(document)
        self.publisher.edited(document)
        return document

    def types(self, document: Document, text: str) -> None:
        version = self.session.host.snapshot().version(document.path) or 0
        self.session.host.change(document.path, version + 1, [(None, text)])
        self.publisher.edited(document)

    async def wait(self, seconds: float) -> list[tuple[str, list[int]]]:
        """Turn the clock; what was told meanwhile."""
        self.told.clear()
        self.clock.turn(seconds)
        for _ in range(20):
            await asyncio.sleep(0)
        return list(self.told)


@pytest_asyncio.fixture
async def editor(tmp_path: Path) -> AsyncIterator[Editor]:
    editor = Editor(tmp_path)
    yield editor
    editor.jobs.stop()


@pytest.mark.asyncio
async def test_an_empty_list_is_told_too(editor: Editor) -> None:
    editor.opens("a.md", "nothing wrong\n")

    assert await editor.wait(0.1) == []
    assert await editor.wait(0.1) == [("a.md", [])]


@pytest.mark.asyncio
async def test_typing_puts_it_off(editor: Editor) -> None:
    document = editor.opens("a.md", "")
    await editor.wait(1)

    editor.types(document, "[[Gone]]\n")
    first = await editor.wait(0.1)
    editor.types(document, "one\n[[Gone]]\n")
    second = await editor.wait(0.1)

    assert (first, second) == ([], [])
    assert await editor.wait(0.1) == [("a.md", [1])]


@pytest.mark.asyncio
async def test_a_heading_that_changes_is_told_to_the_notes_that_link_to_it(editor: Editor) -> None:
    note = editor.opens("N.md", "## Plan\n")
    editor.opens("src.md", "[[N#Plan]]\n")
    await editor.wait(1)

    editor.types(note, "## Plans\n")
    await editor.wait(0.2)

    assert await editor.wait(0.2) == [("src.md", [0])]


@pytest.mark.asyncio
async def test_prose_that_changes_is_told_to_nobody_else(editor: Editor) -> None:
    note = editor.opens("N.md", "## Plan\n")
    editor.opens("src.md", "[[N#Plan]]\n")
    await editor.wait(1)

    editor.types(note, "## Plan\n\nwords\n")

    assert await editor.wait(0.2) == [("N.md", [])]
    assert await editor.wait(0.2) == []


@pytest.mark.asyncio
async def test_a_new_state_of_the_vault_is_told_only_where_it_changes_something(editor: Editor) -> None:
    editor.opens("a.md", "[[New]]\n")
    editor.opens("b.md", "words\n")
    await editor.wait(1)

    editor.session.host.rebase(VaultView.build((), [NotePath("New.md")], seq=1))
    editor.publisher.vault_changed(editor.session)

    assert await editor.wait(0.2) == [("a.md", [])]


@pytest.mark.asyncio
async def test_a_client_that_pulls_is_only_told_to_pull_again(editor: Editor) -> None:
    editor.publisher.pulls = True
    note = editor.opens("N.md", "## Plan\n")
    source = editor.opens("src.md", "[[N#Plan]]\n")
    await editor.wait(1)
    editor.publisher.pulled(source.uri, [])

    editor.types(note, "## Plans\n")
    told = await editor.wait(0.2) + await editor.wait(0.2)

    assert told == []
    assert editor.refreshes == ["diagnostics"]
    assert here_of(source).snap.version(source.path) == 1


@pytest.mark.asyncio
async def test_closing_takes_the_diagnostics_back(editor: Editor) -> None:
    document = editor.opens("a.md", "[[Gone]]\n")
    await editor.wait(1)
    editor.told.clear()

    editor.open.remove(document)
    editor.session.host.close(document.path)
    editor.publisher.closed(document)

    assert editor.told == [("a.md", [])]
