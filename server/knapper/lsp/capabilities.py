"""What the client can do, read once. Knows the client's capabilities; must not know features.

Every handler asks here, so a client that can less gets less and never something it cannot show.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as t
from pygls.capabilities import get_capability


@dataclass(frozen=True, slots=True)
class Client:
    """The abilities of a client that some answer depends on. The defaults are those of a bare one."""

    name: str = ""
    document_changes: bool = False
    resource_operations: tuple[str, ...] = ()
    apply_edit: bool = False
    configuration: bool = False
    register_configuration: bool = False
    register_watched_files: bool = False
    show_document: bool = False
    progress: bool = False
    lens_refresh: bool = False
    diagnostic_refresh: bool = False
    nested_symbols: bool = False
    action_literals: bool = False
    resolve_action_command: bool = False
    hover_markdown: bool = False
    item_markdown: bool = False
    item_markup: bool = False
    item_label_details: bool = False
    item_insert_replace: bool = False
    item_snippets: bool = False
    link_tooltip: bool = False

    @property
    def creates_files(self) -> bool:
        """Whether an edit may create a file in this client; otherwise the server does it."""
        return "create" in self.resource_operations


def client_of(capabilities: t.ClientCapabilities, name: str = "") -> Client:
    """The abilities that *capabilities* states."""

    def can(path: str) -> bool:
        return bool(get_capability(capabilities, path, default=False))

    def listed(path: str) -> Sequence[Any]:
        return get_capability(capabilities, path, default=None) or ()

    def markdown_in(path: str) -> bool:
        return t.MarkupKind.Markdown in listed(path)

    item = "text_document.completion.completion_item"
    return Client(
        name=name,
        document_changes=can("workspace.workspace_edit.document_changes"),
        resource_operations=tuple(
            getattr(o, "value", o) for o in listed("workspace.workspace_edit.resource_operations")
        ),
        apply_edit=can("workspace.apply_edit"),
        configuration=can("workspace.configuration"),
        register_configuration=can("workspace.did_change_configuration.dynamic_registration"),
        register_watched_files=can("workspace.did_change_watched_files.dynamic_registration"),
        show_document=can("window.show_document.support"),
        progress=can("window.work_done_progress"),
        lens_refresh=can("workspace.code_lens.refresh_support"),
        diagnostic_refresh=can("workspace.diagnostics.refresh_support") and can("text_document.diagnostic"),
        nested_symbols=can("text_document.document_symbol.hierarchical_document_symbol_support"),
        action_literals=can("text_document.code_action.code_action_literal_support"),
        resolve_action_command="command" in listed("text_document.code_action.resolve_support.properties"),
        hover_markdown=markdown_in("text_document.hover.content_format"),
        item_markup=bool(listed(f"{item}.documentation_format")),
        item_markdown=markdown_in(f"{item}.documentation_format"),
        item_label_details=can(f"{item}.label_details_support"),
        item_insert_replace=can(f"{item}.insert_replace_support"),
        item_snippets=can(f"{item}.snippet_support"),
        link_tooltip=can("text_document.document_link.tooltip_support"),
    )
