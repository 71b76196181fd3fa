"""Whole sessions under the capabilities of six real editors, recorded and held against the protocol.

The capabilities were recorded from the editors' own `initialize`. pytest-lsp warns about an answer that
goes beyond them, and warnings are errors here.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types as t
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, make_test_lsp_client

from tests.e2e.raw_client import server_environment, vault
from tests.e2e.validate import problems_in

CLIENTS = Path(__file__).parents[1] / "clients"
RECORDER = Path(__file__).parent / "recorder.py"
NAMES = sorted(path.stem for path in CLIENTS.glob("*.json"))
FILES = {
    "index.md": "# Index\n\n🌀é [[Bread]] and [[Missing]]\n\nsee [[\n",
    "Kitchen/Bread.md": (
        "---\naliases: [Loaf]\n---\n# Bread\n\nSourdough needs **rest**.\n\n## Starter\n\nFeed it.\n"
    ),
    "Daily/2025-04-11.md": "Baked [[Bread#Starter|a loaf]].\n",
}
UNANSWERED_BY_PYTEST_LSP = (
    t.CLIENT_REGISTER_CAPABILITY,
    t.WORKSPACE_CODE_LENS_REFRESH,
    t.WINDOW_SHOW_MESSAGE_REQUEST,
)
PATIENCE_S = 20.0
in_module = pytest.mark.asyncio(loop_scope="module")


class Session:
    """A client with a vault, and what it was asked and told."""

    begun: t.InitializeResult

    def __init__(self, name: str, client: LanguageClient, root: Path, record: Path) -> None:
        self.name, self.client, self.root, self.record = name, client, root, record
        recorded = json.loads((CLIENTS / f"{name}.json").read_text(encoding="utf-8"))
        self.capabilities: dict[str, Any] = recorded["capabilities"]
        self.index = (root / "index.md").as_uri()
        self.bread = (root / "Kitchen/Bread.md").as_uri()
        self.pulls = bool(self.can("workspace", "diagnostics", "refreshSupport"))

    def can(self, *path: str) -> Any:
        """The client's capability at this path, or None."""
        value: Any = self.capabilities
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    async def begin(self) -> None:
        """Initialize, open two notes and wait until all is indexed."""
        capabilities = default_converter().structure(self.capabilities, t.ClientCapabilities)
        folder = t.WorkspaceFolder(self.root.as_uri(), "vault")
        folders = [folder] if self.can("workspace", "workspaceFolders") else None
        self.begun = await self.client.initialize_session(
            t.InitializeParams(capabilities, root_uri=self.root.as_uri(), workspace_folders=folders)
        )
        for uri, name in ((self.index, "index.md"), (self.bread, "Kitchen/Bread.md")):
            item = t.TextDocumentItem(uri, t.LanguageKind.Markdown, 1, FILES[name])
            self.client.text_document_did_open(t.DidOpenTextDocumentParams(item))
        await self.until_ready()

    def change(self, text: str) -> None:
        """Replace the text of the index note."""
        about = t.VersionedTextDocumentIdentifier(version=2, uri=self.index)
        whole = t.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(t.DidChangeTextDocumentParams(about, [whole]))

    async def search(self, query: str) -> list[str]:
        """The paths that a search finds, by the command that every client can run."""
        answer = await self.client.workspace_execute_command_async(
            t.ExecuteCommandParams("knapper.search", [{"query": query}])
        )
        return [item["path"] for item in plain(answer)["items"]]

    async def until_ready(self) -> None:
        """Wait until nothing is pending."""
        async with asyncio.timeout(PATIENCE_S):
            while not await self._is_ready():  # noqa: ASYNC110 -- The server is asked, it tells nothing.
                await asyncio.sleep(0.02)

    async def _is_ready(self) -> bool:
        status = plain(await self.client.protocol.send_request_async("knapper/status", {}))
        return status["state"] == "ready" and not status["pending"]

    async def diagnostics(self, count: int) -> list[t.Diagnostic]:
        """The diagnostics of the index note once there are *count*, pushed or pulled as the client likes."""
        async with asyncio.timeout(PATIENCE_S):
            while len(found := await self._diagnostics()) != count:  # noqa: ASYNC110 -- The same.
                await asyncio.sleep(0.05)
            return found

    async def _diagnostics(self) -> list[t.Diagnostic]:
        if not self.pulls:
            return list(self.client.diagnostics.get(self.index, ()))
        about = t.TextDocumentIdentifier(self.index)
        report = await self.client.text_document_diagnostic_async(t.DocumentDiagnosticParams(about))
        return list(getattr(report, "items", ()))


def answer_null(*_params: object) -> None:
    """Answer as an editor does that has nothing to say."""


def make_client() -> LanguageClient:
    client = make_test_lsp_client()

    for method in UNANSWERED_BY_PYTEST_LSP:
        client.feature(method)(answer_null)
    return client


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=NAMES)
async def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Session]:
    """A session with the index note and the bread note open, once everything is indexed."""
    name = request.param
    folder = tmp_path_factory.mktemp(name)
    root, record = vault(folder, FILES), folder / "record.jsonl"
    server = [sys.executable, "-m", "knapper", "serve", "--stdio"]
    client: Any = await ClientServerConfig(
        server_command=[sys.executable, str(RECORDER), str(record), "--", *server],
        client_factory=make_client,
        server_env=server_environment(folder),
    ).start()
    session = Session(name, client, root, record)
    await session.begin()
    yield session
    await client.shutdown_session()
    await client.stop()
    problems = problems_in(record)
    assert problems == []


@in_module
async def test_completion_offers_notes_and_aliases(session: Session) -> None:
    answer = await session.client.text_document_completion_async(
        t.CompletionParams(t.TextDocumentIdentifier(session.index), t.Position(4, 6))
    )
    assert isinstance(answer, t.CompletionList)
    by_label = {item.label: item for item in answer.items}
    resolved = await session.client.completion_item_resolve_async(by_label["Bread"])
    shown = resolved.documentation

    assert {"Bread", "Loaf", "index"} <= set(by_label)
    formats = session.can("textDocument", "completion", "completionItem", "documentationFormat")
    assert shown
    assert (shown.kind.value if isinstance(shown, t.MarkupContent) else None) in (formats or [None])


@in_module
async def test_definition_leads_to_the_note(session: Session) -> None:
    about = t.TextDocumentIdentifier(session.index)
    found = await session.client.text_document_definition_async(t.DefinitionParams(about, t.Position(2, 7)))
    assert isinstance(found, list)

    assert [location.uri for location in found if isinstance(location, t.Location)] == [session.bread]


@in_module
async def test_hover_shows_the_note_in_a_form_the_client_knows(session: Session) -> None:
    about = t.TextDocumentIdentifier(session.index)
    hover = await session.client.text_document_hover_async(t.HoverParams(about, t.Position(2, 7)))
    assert hover
    assert isinstance(hover.contents, t.MarkupContent)
    formats = session.can("textDocument", "hover", "contentFormat")

    assert hover.contents.kind.value in formats
    assert "Sourdough" in hover.contents.value
    assert hover.range == t.Range(t.Position(2, 4), t.Position(2, 13))


@in_module
async def test_references_come_from_open_and_closed_notes(session: Session) -> None:
    about, context = t.TextDocumentIdentifier(session.index), t.ReferenceContext(include_declaration=False)
    found = await session.client.text_document_references_async(
        t.ReferenceParams(context, about, t.Position(2, 7))
    )
    names = [location.uri.rsplit("/", 1)[1] for location in found or ()]

    assert names == ["2025-04-11.md", "index.md"]


@in_module
async def test_lenses_count_backlinks_and_their_command_gives_them(session: Session) -> None:
    about = t.TextDocumentIdentifier(session.bread)
    found = await session.client.text_document_code_lens_async(t.CodeLensParams(about))
    commands = [lens.command for lens in found or () if lens.command and "Related" not in lens.command.title]
    assert commands
    arguments = [{**dict(commands[0].arguments[0]), "show": False}]  # type: ignore[index]
    answer = await session.client.workspace_execute_command_async(
        t.ExecuteCommandParams(commands[0].command, arguments)
    )

    assert [command.title for command in commands] == ["2 backlinks", "1 backlink to this heading"]
    assert [item["path"] for item in plain(answer)["items"]] == ["Daily/2025-04-11.md", "index.md"]


@in_module
async def test_outline_folds_links_and_symbols_validate(session: Session) -> None:
    about = t.TextDocumentIdentifier(session.bread)
    client = session.client
    outline = await client.text_document_document_symbol_async(t.DocumentSymbolParams(about))
    links = await client.text_document_document_link_async(
        t.DocumentLinkParams(t.TextDocumentIdentifier(session.index))
    )
    folds = await client.text_document_folding_range_async(t.FoldingRangeParams(about))
    symbols = await client.workspace_symbol_async(t.WorkspaceSymbolParams("start"))
    actions = await client.text_document_code_action_async(
        t.CodeActionParams(
            t.TextDocumentIdentifier(session.index),
            t.Range(t.Position(2, 24), t.Position(2, 24)),
            t.CodeActionContext([]),
        )
    )
    nested = session.can("textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport")

    assert all(isinstance(item, t.DocumentSymbol) == bool(nested) for item in outline or ())
    assert [link.target for link in links or ()] == [session.bread]
    assert folds
    assert [symbol.name for symbol in symbols or ()] == ["Starter"]
    assert "Create note “Missing”" in [action.title for action in actions or ()]


@in_module
async def test_an_edit_is_diagnosed_and_found_before_and_after_it_is_saved(session: Session) -> None:
    before = await session.diagnostics(1)
    text = FILES["index.md"] + "a zeppelin over [[Nowhere]]\n"
    session.change(text)
    after = await session.diagnostics(2)
    unsaved = await session.search("zeppelin")
    (session.root / "index.md").write_text(text, encoding="utf-8")
    about = t.TextDocumentIdentifier(session.index)
    session.client.text_document_did_save(t.DidSaveTextDocumentParams(about))
    await session.until_ready()

    assert [item.code for item in before] == ["unresolved-note"]
    assert [item.message for item in after][1] == "There is no note “Nowhere”."
    assert unsaved == ["index.md"]
    assert await session.search("zeppelin") == ["index.md"]


@in_module
async def test_the_server_says_what_the_client_can_use(session: Session) -> None:
    begun = session.begun.capabilities

    assert begun.position_encoding == t.PositionEncodingKind.Utf16
    assert bool(begun.diagnostic_provider) == session.pulls
    assert bool(session.client.diagnostics) != session.pulls
    assert "knapper.search" in (begun.execute_command_provider or t.ExecuteCommandOptions([])).commands


def plain(value: Any) -> Any:
    """A command's answer, which arrives as named tuples, as dictionaries again."""
    if hasattr(value, "_asdict"):
        return {name: plain(inner) for name, inner in value._asdict().items()}
    return [plain(inner) for inner in value] if isinstance(value, list) else value
