"""Diagnostics: what is told when a document changes, and what a client pulls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from knapper.base.cancel import CancelToken
from knapper.ide.diagnostics import diagnostics
from knapper.ide.results import Diagnostic
from knapper.lsp.here import Here, NotThere, range_of

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

OPTIONS = t.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="knapper")
SOURCE = "knapper"
_SEVERITIES = {
    "error": t.DiagnosticSeverity.Error,
    "warning": t.DiagnosticSeverity.Warning,
    "information": t.DiagnosticSeverity.Information,
    "hint": t.DiagnosticSeverity.Hint,
}


def diagnostics_of(here: Here) -> list[t.Diagnostic]:
    """All diagnostics of a document, as of now."""
    return [_diagnostic(item) for item in diagnostics(here.snap, here.path)]


def _diagnostic(item: Diagnostic) -> t.Diagnostic:
    return t.Diagnostic(
        range=range_of(item.place),
        message=item.message,
        severity=_SEVERITIES[item.severity],
        code=item.code,
        source=SOURCE,
    )


def pulled(server: KnapperServer, params: t.DocumentDiagnosticParams) -> t.DocumentDiagnosticReport:
    """The diagnostics of a document, or that they are what the client has already."""
    uri = params.text_document.uri
    try:
        items = diagnostics_of(server.here(params, CancelToken()))
    except NotThere:
        return t.RelatedFullDocumentDiagnosticReport([])
    result_id = server.publisher.pulled(uri, items)
    if result_id == params.previous_result_id:
        return t.RelatedUnchangedDocumentDiagnosticReport(result_id)
    return t.RelatedFullDocumentDiagnosticReport(items, result_id=result_id)
