"""The server of one client: what it has open, in which vaults, and who is told when that changes.

Put together here and nowhere else. Owned by the main thread; handlers that run elsewhere get frozen
`Vault`s. Must not know what a handler answers.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types as t
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter

from knapper import __version__
from knapper.base.cancel import CancelToken
from knapper.lsp.capabilities import Client
from knapper.lsp.dispatch import Handler, TableDispatcher
from knapper.lsp.documents import Documents
from knapper.lsp.here import Here, NotThere, Vault
from knapper.lsp.index_link import IndexLink
from knapper.lsp.jobs import Jobs
from knapper.lsp.listening import Listening
from knapper.lsp.person import Person
from knapper.lsp.progress import IndexProgress
from knapper.lsp.protocol import KnapperProtocol
from knapper.lsp.publish import Publisher, here_of
from knapper.lsp.related_notes import RelatedNotes
from knapper.lsp.session import Document, Session
from knapper.lsp.settings import SECTION, SettingLayers
from knapper.lsp.talks import Talks
from knapper.lsp.timers import Timers
from knapper.lsp.uris import path_of
from knapper.lsp.usage import Usage
from knapper.lsp.vault_index import READY, STARTING, VaultIndex
from knapper.lsp.vaults import Vaults
from knapper.vault.paths import NotePath, is_note

_SETTLE_S = 0.05
_PATIENCE_S = 1.0
_INDEX_ANYWAY = "Index anyway"


class KnapperServer(LanguageServer):
    """Everything that belongs to one connection. `begin` makes it whole, once the client is known."""

    protocol: KnapperProtocol
    client: Client
    layers: SettingLayers
    vaults: Vaults
    index: IndexLink
    person: Person
    publisher: Publisher
    related: RelatedNotes

    dispatcher: TableDispatcher

    def __init__(self, handlers: tuple[Handler, ...]) -> None:
        super().__init__(
            "knapper", __version__, protocol_cls=KnapperProtocol, converter_factory=default_converter
        )
        self.handlers = handlers
        self.id = uuid.uuid4().hex
        self.jobs = Jobs(self.id)
        self.timers = Timers(lambda seconds, do: asyncio.get_running_loop().call_later(seconds, do))
        self.usage = Usage()
        self.last_used: Document | None = None
        self.last_vault: Session | None = None  # of the document used last that is in one
        self.cancels: dict[str | int, Callable[[], object]] = {}  # what a person can stop, by its progress
        self.asking = 0  # how often the client is being asked for its settings
        self._asked = self._answered = 0  # numbers of the last such question, and of the last one that counts
        self.talks = Talks()
        self.opened = Documents()
        self._begun = False

    # --- the start ---

    def meet(self, client: Client, options: Any, folders: Iterable[str]) -> None:
        """The client has introduced itself. Nothing here waits for anything."""
        self.client = client
        self.layers = SettingLayers(options)
        self.vaults = Vaults(client, self.layers.settings)
        self.person = Person(self, client)
        self.index = IndexLink(self.id, self.jobs, self.timers, Listening(self))
        self.index_progress = IndexProgress(self, self.jobs)
        self.publisher = Publisher(self, self.jobs, self.timers, self.documents)
        self.publisher.pulls = client.diagnostic_refresh
        self.publisher.shows_lenses = client.lens_refresh
        self.related = RelatedNotes(self.jobs, self.index.of, self.publisher.vault_changed)
        self.publisher.related = lambda document: self.related.peek(document.session, document.path)
        for uri in folders:
            self._open_folder(uri)
        self.timers.later("begin", _PATIENCE_S, self.begin)

    def begin(self) -> None:
        """Start the index, once the settings are known or the client has been waited for long enough."""
        self.timers.forget("begin")
        if not self._begun:
            self._begun = True
            self.index.start()
            self.protocol.warm_up()
            self.reconfigure()

    def reconfigure(self) -> None:
        """The settings may be others now: every vault is told."""
        for session in self.vaults:
            settings = self.layers.settings(session.root)
            session.host.configure(settings)
            if self._begun and (index := self.index.of(session)):
                index.start(settings)
            self.publisher.vault_changed(session)
        for complaint in self.layers.complaints():
            self.person.tell("warning", complaint)

    async def ask_settings(self) -> None:
        """Ask the client for its settings, for all vaults and for each, and use them."""
        roots: list[tuple[Path | None, str | None]] = [(None, None)]
        roots += [(session.root, session.uri) for session in self.vaults.vaults()]
        items = [t.ConfigurationItem(scope_uri=uri, section=SECTION) for _, uri in roots]
        self.asking += 1
        self._asked += 1
        number = self._asked
        try:
            answers = await self.workspace_configuration_async(t.ConfigurationParams(items))
        except JsonRpcException:
            answers = ()  # It said that it could be asked; its initialization options count.
        finally:
            self.asking -= 1
        if number < self._answered:
            return  # A newer question was answered before: these settings are old.
        self._answered = number
        for (root, _), answer in zip(roots, answers or (), strict=False):
            self.layers.answered(root, answer)
        self.reconfigure()
        self.begin()

    # --- vaults ---

    def _open_folder(self, uri: str) -> None:
        refusal, root = self.vaults.add_folder(uri), path_of(uri)
        if refusal and root:
            self.jobs.start(self.offer_indexing(root, uri, refusal))
        self._adopt_sessions()

    async def offer_indexing(self, root: Path, uri: str, refusal: str) -> None:
        """Ask whether a folder that is too large is to be indexed all the same."""
        await asyncio.sleep(0)  # the answer to `initialize` goes first
        message = f"{refusal} What stands in open files works all the same."
        if await self.person.choose(message, [_INDEX_ANYWAY]) == _INDEX_ANYWAY:
            self.layers.insist(root)
            self.vaults.add_folder(uri)
            self._adopt_sessions()
            self.reconfigure()
            self._rehome()

    def _adopt_sessions(self) -> None:
        """Begin an index for every vault that has none yet."""
        for session in self.vaults.vaults():
            if self.index.of(session) is None:
                index = self.index.add(session)
                if self._begun:
                    index.start(session.host.snapshot().settings)

    def change_folders(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Workspace folders came or went; open documents move to the vault they belong to now."""
        for uri in removed:
            self.vaults.remove_folder(uri)
        for uri in added:
            self._open_folder(uri)
        self._rehome()
        self._close_unused()

    def _rehome(self) -> None:
        for document in self.documents():
            if self.vaults.of_file(document.file, document.uri) is not document.session:
                opened = document.session.host.snapshot().overlays[document.path]
                self._leave(document)
                self.open_document(document.uri, opened.version or 0, opened.text.content)

    def _close_unused(self) -> None:
        for session in self.vaults.unused({document.session for document in self.documents()}):
            self.index.remove(session)

    # --- documents ---

    def documents(self) -> tuple[Document, ...]:
        """The documents that are open."""
        return self.opened.all()

    def document(self, uri: str) -> Document | None:
        """The open document of this URI, in whatever spelling."""
        return self.opened.of(uri)

    def open_document(self, uri: str, version: int, text: str) -> None:
        """A document is open now. What is no file, no note and no canvas is let be."""
        file = path_of(uri)
        if file is None or not (is_note(file.name) or file.suffix.lower() == ".canvas"):
            return
        session = self.vaults.of_file(file, uri)
        self._adopt_sessions()
        path = session.path_of(file)
        if path is None:
            return
        document = Document(uri, file, session, path)
        if before := self.opened.at(document):
            overlay = before.session.host.snapshot().overlays[before.path]
            self._leave(before)
            if before.uri != uri:
                self.opened.put_behind(before, overlay.version or 0, overlay.text)
        self.opened.add(document)
        self._use(document)
        session.opened(path, uri)
        session.host.open(path, version, text)
        self.publisher.edited(document)
        self.publisher.vault_changed(session)
        if index := self.index.of(session):
            if session.read(path) != text.removeprefix("\ufeff"):
                index.edited(path)
            else:
                index.touched((path,))  # Its vectors come first from now on.

    def edited(self, document: Document) -> None:
        """The text of the document is another one now."""
        self._use(document)
        session, path = document.session, document.path
        self.usage.opened(session, path)
        if index := self.index.of(session):
            index.edited(path)
        self.publisher.edited(document)
        self.timers.later(("settle", document.uri), _SETTLE_S, lambda: self._settle(document))

    def _use(self, document: Document) -> None:
        self.last_used = document
        if not document.session.alone:
            self.last_vault = document.session

    def _settle(self, document: Document) -> None:
        """Parse the document before somebody asks; a heavy one where nobody waits for it."""
        host, path = document.session.host, document.path
        if here_of(document).is_heavy:
            self.jobs.start(self.jobs.run(lambda: host.settle(path), CancelToken()))
        else:
            host.settle(path)

    def saved(self, document: Document) -> None:
        """The text of the document is on disk now."""
        if index := self.index.of(document.session):
            index.settled(document.path)

    def close_document(self, document: Document) -> None:
        """The document is not open any more, or only under another URI."""
        self._leave(document)
        if behind := self.opened.next_at(document):
            self.open_document(behind.uri, behind.version, behind.text.content)
        elif document.session.alone:
            self._close_unused()

    def _leave(self, document: Document) -> None:
        session = document.session
        self.opened.drop(document)
        self.timers.forget(("settle", document.uri))
        session.host.close(document.path)
        session.closed(document.path)
        self.publisher.closed(document)
        self.related.closed(session, document.path)
        if self.last_used is document:
            self.last_used = None
        if index := self.index.of(session):
            index.settled(document.path)

    # --- files ---

    def touched(self, uris: Iterable[str]) -> None:
        """Files or folders changed on disk, or may have."""
        paths: dict[Session, list[str]] = {}
        for session, path in filter(None, map(self.located, uris)):
            paths.setdefault(session, []).append(path)
        for session, changed in paths.items():
            index = self.index.of(session)
            if index is None:
                continue
            if ".knapper.toml" in changed:
                self.reconfigure()
            if any(path.startswith(".obsidian/") for path in changed):
                index.obsidian_changed()
            index.touched(tuple(path for path in changed if not path.startswith(".")))

    def change_configuration(self, given: Any) -> None:
        """The client says that its settings changed, and perhaps to what."""
        if self.client.configuration:
            self.jobs.start(self.ask_settings())
        else:
            self.layers.answered(None, given)
            self.reconfigure()

    # --- asked by handlers ---

    def here(self, params: Any, token: CancelToken) -> Here:
        """The document that *params* are about, open or not; raises `NotThere`."""
        uri = uri_in(params)
        if uri is None:
            raise NotThere
        if getattr(params, "position", None) is not None and (document := self.document(uri)):
            self.usage.opened(document.session, document.path)
        return self.at(uri, token)

    def at(self, uri: str, token: CancelToken) -> Here:
        """The document of this URI; raises `NotThere` for what is in no vault that is open."""
        if document := self.document(uri):
            self._use(document)
            return Here(document.session.vault(), document.path, token)
        if (found := self.located(uri)) is None:
            raise NotThere
        session, path = found
        return Here(session.vault(), path, token)

    def located(self, uri: str) -> tuple[Session, NotePath] | None:
        """The vault that holds this URI, and the path in it; None for what is in no vault that is open."""
        file = path_of(uri)
        session = self.vaults.holding(file) if file else None
        path = session.path_of(file) if session and file else None
        return (session, path) if session and path else None

    def all_vaults(self) -> tuple[Vault, ...]:
        """Every vault of this client, single files not."""
        return tuple(session.vault() for session in self.vaults.vaults())

    def chosen(self, vault_uri: str | None) -> list[tuple[Session, VaultIndex]]:
        """The vault that holds this URI, or all of them."""
        sessions = self.vaults.vaults()
        if vault_uri is not None:
            file = path_of(vault_uri)
            session = self.vaults.holding(file) if file else None
            sessions = (session,) if session else ()
        pairs = [(session, self.index.of(session)) for session in sessions]
        return [(session, index) for session, index in pairs if index is not None]

    # --- telling the client ---

    def diagnostics(self, params: t.PublishDiagnosticsParams) -> None:
        """Send the diagnostics of one document."""
        self.text_document_publish_diagnostics(params)

    def refresh_diagnostics(self) -> None:
        """Have the client pull all diagnostics again."""
        self.workspace_diagnostic_refresh(None)

    def refresh_lenses(self) -> None:
        """Have the client ask for all lenses again."""
        self.workspace_code_lens_refresh(None)

    def idle_state(self) -> str:
        """The state of a client that has no vault."""
        return READY if self._begun else STARTING

    def cancel_progress(self, token: str | int) -> None:
        """The person has had enough of a piece of long work."""
        if cancel := self.cancels.get(token):
            cancel()
        session = self.index_progress.session_of(token)
        index = self.index.of(session) if session else None
        if session and index:
            self.index_progress.end(session)
            index.stop_indexing()

    def rest(self) -> None:
        """Stop all work: nobody waits for it any more."""
        self.timers.forget_all()
        self.jobs.cancel()

    def stop(self) -> None:
        """End everything that belongs to this client."""
        self.rest()
        self.jobs.stop()
        self.usage.stop()
        if hasattr(self, "index"):
            self.index.stop()


def uri_in(params: Any) -> str | None:
    """The document that params of any request are about."""
    for name in ("text_document", "item"):
        if (about := getattr(params, name, None)) is not None:
            return str(about.uri)
    if isinstance(uri := getattr(params, "uri", None), str):
        return uri
    data = getattr(params, "data", None)
    found = data.get("uri") if isinstance(data, dict) else getattr(data, "uri", None)
    return found if isinstance(found, str) else None
