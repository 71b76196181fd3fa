"""Completion and what is shown beside the chosen item."""

from __future__ import annotations

import re
from dataclasses import replace

from lsprotocol import types as t

from knapper.ide.completion.complete import complete as find
from knapper.ide.completion.items import Client, Item
from knapper.ide.completion.resolve import documentation
from knapper.lsp.here import Here
from knapper.lsp.to_proto import command, markup, text_edit

OPTIONS = t.CompletionOptions(
    trigger_characters=["[", "#", "^", "|", "(", "/", ":", "!", "-", " "], resolve_provider=True
)
_KINDS = {
    "note": t.CompletionItemKind.File,
    "file": t.CompletionItemKind.File,
    "alias": t.CompletionItemKind.Reference,
    "unresolved": t.CompletionItemKind.Text,
    "heading": t.CompletionItemKind.Class,
    "block": t.CompletionItemKind.Snippet,
    "tag": t.CompletionItemKind.Keyword,
    "property": t.CompletionItemKind.Property,
    "value": t.CompletionItemKind.Value,
    "callout": t.CompletionItemKind.EnumMember,
}


def complete(here: Here, params: t.CompletionParams) -> t.CompletionList | None:
    """What may be meant at the cursor, in the server's own order of rank."""
    client = Client(replaces=here.client.item_insert_replace)
    found = find(here.snap, here.path, here.offset(params.position), here.token, client)
    if not found.items and not found.incomplete:
        return None
    uri = params.text_document.uri
    return t.CompletionList(found.incomplete, [_item(here, uri, item) for item in found.items])


def _item(here: Here, uri: str, item: Item) -> t.CompletionItem:
    details = None
    if here.client.item_label_details and (item.detail or item.description):
        details = t.CompletionItemLabelDetails(description=item.detail or item.description)
    # Neovim inserts a plain text only up to its first blank, a snippet whole.
    as_snippet = here.client.item_snippets and " " in item.edit.new
    new = _snippet(item.edit.new) if as_snippet else item.edit.new
    return t.CompletionItem(
        label=item.label,
        label_details=details,
        kind=_KINDS.get(item.kind, t.CompletionItemKind.Text),
        detail=" — ".join(part for part in (item.description, item.detail) if part) or None,
        filter_text=item.filter_text,
        sort_text=item.sort_text,
        insert_text_format=t.InsertTextFormat.Snippet if as_snippet else None,
        text_edit=text_edit(replace(item.edit, new=new)),
        additional_text_edits=[text_edit(edit) for edit in item.extra_edits] or None,
        command=command(here.vault, item.command, "Write the block id") if item.command else None,
        data={"uri": uri, **item.data} if item.data else None,
    )


def _snippet(text: str) -> str:
    r"""A snippet that inserts exactly *text*: `[[N\|a]]` gives `[[N\\|a]]`."""
    return re.sub(r"[\\$}]", r"\\\g<0>", text)


def resolve(here: Here, item: t.CompletionItem) -> t.CompletionItem:
    """The item with its documentation."""
    data = item.data if isinstance(item.data, dict) else {}
    text = documentation(here.snap, data)
    if text:
        made = markup(text, rendered=here.client.item_markdown)
        # A client that names no format knows plain strings only.
        item.documentation = made if here.client.item_markup else made.value
    return item
