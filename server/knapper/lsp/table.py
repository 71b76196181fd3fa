"""Every method the server answers, and how it is run. Read this first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from knapper.base.cancel import CancelToken
from knapper.lsp import custom, lifecycle
from knapper.lsp.dispatch import Handler, on_edit, on_job, on_read, on_task, on_typing
from knapper.lsp.handlers import (
    actions,
    calls,
    commands,
    completion,
    diagnostics,
    documents,
    hover,
    lenses,
    navigation,
    offers,
    structure,
    symbols,
)

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


def _custom(method: str) -> Handler:
    """One of our own requests: its params are read strictly, its function is the command's."""
    function, cls = commands.RUN[method.replace("/", ".")], custom.REQUESTS[method]

    async def answer(server: KnapperServer, params: Any, token: CancelToken) -> Any:
        return await commands.run(server, function, custom.params_of(cls, params, method), token)

    return on_task(method, answer)


def _same(params: Any) -> Any:
    return params


_ANY_FILE = t.FileOperationRegistrationOptions(
    [t.FileOperationFilter(t.FileOperationPattern("**/*"), scheme="file")]
)

HANDLERS: tuple[Handler, ...] = (
    on_edit(t.INITIALIZE, lifecycle.initialize),
    on_edit(t.INITIALIZED, lifecycle.initialized),
    on_edit(t.SHUTDOWN, lifecycle.shutdown),
    on_edit(t.SET_TRACE, lifecycle.ignored),
    on_edit(t.WINDOW_WORK_DONE_PROGRESS_CANCEL, lifecycle.progress_cancelled),
    on_edit(t.TEXT_DOCUMENT_DID_OPEN, documents.did_open),
    on_edit(t.TEXT_DOCUMENT_DID_CHANGE, documents.did_change),
    on_edit(t.TEXT_DOCUMENT_DID_SAVE, documents.did_save),
    on_edit(t.TEXT_DOCUMENT_DID_CLOSE, documents.did_close),
    on_edit(t.WORKSPACE_DID_CHANGE_WATCHED_FILES, documents.did_change_watched_files),
    on_edit(t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, documents.did_change_folders),
    on_edit(t.WORKSPACE_DID_CHANGE_CONFIGURATION, documents.did_change_configuration),
    on_edit(t.WORKSPACE_DID_CREATE_FILES, documents.did_create, _ANY_FILE),
    on_edit(t.WORKSPACE_DID_RENAME_FILES, documents.did_rename, _ANY_FILE),
    on_edit(t.WORKSPACE_DID_DELETE_FILES, documents.did_delete, _ANY_FILE),
    on_typing(t.TEXT_DOCUMENT_COMPLETION, completion.complete, completion.OPTIONS),
    on_read(t.COMPLETION_ITEM_RESOLVE, completion.resolve, absent=_same),
    on_edit(t.TEXT_DOCUMENT_DEFINITION, offers.definition),
    on_job(t.TEXT_DOCUMENT_REFERENCES, navigation.references),
    on_read(t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, navigation.highlights),
    on_task(t.TEXT_DOCUMENT_HOVER, hover.hover),
    on_read(t.TEXT_DOCUMENT_DOCUMENT_SYMBOL, structure.symbols),
    on_read(t.TEXT_DOCUMENT_DOCUMENT_LINK, structure.links),
    on_read(t.TEXT_DOCUMENT_FOLDING_RANGE, structure.folds),
    on_read(t.TEXT_DOCUMENT_SELECTION_RANGE, structure.selections),
    on_read(t.TEXT_DOCUMENT_CODE_ACTION, actions.actions, actions.OPTIONS),
    on_read(t.CODE_ACTION_RESOLVE, actions.resolve, absent=_same),
    on_edit(t.TEXT_DOCUMENT_CODE_LENS, lenses.lenses),
    on_edit(t.TEXT_DOCUMENT_DIAGNOSTIC, diagnostics.pulled, diagnostics.OPTIONS),
    on_read(t.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, calls.prepare),
    on_job(t.CALL_HIERARCHY_INCOMING_CALLS, calls.incoming),
    on_job(t.CALL_HIERARCHY_OUTGOING_CALLS, calls.outgoing),
    on_job(t.WORKSPACE_SYMBOL, symbols.symbols, across=True),
    on_task(t.WORKSPACE_EXECUTE_COMMAND, commands.execute),
    *(_custom(method) for method in custom.REQUESTS),
)
