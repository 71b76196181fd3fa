"""What the client has open and what happens to files: open, change, save, close, watched files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types as t

from knapper.lsp.here import place_of

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


def did_open(server: KnapperServer, params: t.DidOpenTextDocumentParams) -> None:
    """A document is open: from now on its text counts."""
    document = params.text_document
    server.open_document(document.uri, document.version, document.text)


def did_change(server: KnapperServer, params: t.DidChangeTextDocumentParams) -> None:
    """The text changed: it is spliced, and nothing else."""
    uri, version = params.text_document.uri, params.text_document.version
    edits = [
        (
            place_of(change.range) if isinstance(change, t.TextDocumentContentChangePartial) else None,
            change.text,
        )
        for change in params.content_changes
    ]
    if behind := server.opened.behind(uri):
        server.opened.edit_behind(behind.edited(version, edits))
    elif document := server.document(uri):
        document.session.host.change(document.path, version, edits)
        server.edited(document)


def did_save(server: KnapperServer, params: t.DidSaveTextDocumentParams) -> None:
    """The text is on disk now."""
    if document := server.document(params.text_document.uri):
        server.saved(document)


def did_close(server: KnapperServer, params: t.DidCloseTextDocumentParams) -> None:
    """What is on disk counts again."""
    uri = params.text_document.uri
    if server.opened.behind(uri):
        server.opened.drop_behind(uri)
    elif document := server.document(uri):
        server.close_document(document)


def did_change_watched_files(server: KnapperServer, params: t.DidChangeWatchedFilesParams) -> None:
    """Files changed on disk, says the client."""
    server.touched(change.uri for change in params.changes)


def did_create(server: KnapperServer, params: t.CreateFilesParams) -> None:
    """Files were created in the editor."""
    server.touched(file.uri for file in params.files)


def did_rename(server: KnapperServer, params: t.RenameFilesParams) -> None:
    """Files were renamed in the editor; their use goes with them."""
    for file in params.files:
        before, after = server.located(file.old_uri), server.located(file.new_uri)
        if before and after and before[0] is after[0]:
            server.usage.renamed(before[0], before[1], after[1])
    server.touched(uri for file in params.files for uri in (file.old_uri, file.new_uri))


def did_delete(server: KnapperServer, params: t.DeleteFilesParams) -> None:
    """Files were deleted in the editor."""
    server.touched(file.uri for file in params.files)


def did_change_folders(server: KnapperServer, params: t.DidChangeWorkspaceFoldersParams) -> None:
    """Workspace folders came or went."""
    added: Iterable[t.WorkspaceFolder] = params.event.added
    server.change_folders([f.uri for f in added], [f.uri for f in params.event.removed])


def did_change_configuration(server: KnapperServer, params: t.DidChangeConfigurationParams) -> None:
    """The settings changed; a client that can be asked is asked, the others say it here."""
    server.change_configuration(params.settings)
