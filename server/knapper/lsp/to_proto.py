"""From plain data to protocol types, for what several handlers send. Knows the client's limits."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as t

from knapper.ide.results import Command, CreateFile, Edit, FileEdit, TextEdit
from knapper.lsp.here import Vault, range_of
from knapper.text.span import Place

MISSING = "Knapper: the client cannot create files."


def text_edit(edit: TextEdit) -> t.TextEdit:
    """One edit of a text."""
    return t.TextEdit(range_of(edit.place), edit.new)


def command(vault: Vault, given: Command, title: str) -> t.Command:
    """A command of ours with its one params object; `path` becomes `uri`, and `place` `range`."""
    params = {name: value for name, value in given.arguments.items() if name not in {"path", "place"}}
    if isinstance(path := given.arguments.get("path"), str):
        params["uri"] = vault.uri_of(path)  # type: ignore[arg-type]
    if isinstance(place := given.arguments.get("place"), Place):
        start, end = position(place.line, place.start), position(place.end_line, place.end)
        params["range"] = {"start": start, "end": end}
    return t.Command(title=title, command=given.name, arguments=[params])


def position(line: int, character: int) -> dict[str, int]:
    """A position in params of our own, which nothing makes JSON of."""
    return {"line": line, "character": character}


def creates(edits: Iterable[Edit]) -> list[CreateFile]:
    """The files that *edits* create."""
    return [edit for edit in edits if isinstance(edit, CreateFile)]


def workspace_edit(vault: Vault, edits: Iterable[Edit]) -> t.WorkspaceEdit:
    """The edits in the form the client knows.

    A client may create files and still not say `documentChanges` (Neovim): it takes them all the same,
    and that is the only form in which a file can be created. A client that cannot create files must not
    be given such an edit; ask `creates` first.
    """
    edits = list(edits)
    if vault.client.document_changes or (creates(edits) and vault.client.creates_files):
        return t.WorkspaceEdit(
            document_changes=[change for edit in edits for change in _changes(vault, edit)]
        )
    changes = {
        vault.uri_of(edit.path): [text_edit(item) for item in edit.edits]
        for edit in edits
        if isinstance(edit, FileEdit)
    }
    return t.WorkspaceEdit(changes=changes)


def _changes(vault: Vault, edit: Edit) -> list[t.TextDocumentEdit | t.CreateFile]:
    uri = vault.uri_of(edit.path)
    if isinstance(edit, FileEdit):
        document = t.OptionalVersionedTextDocumentIdentifier(uri, edit.version)
        return [t.TextDocumentEdit(document, [text_edit(item) for item in edit.edits])]
    made: list[t.TextDocumentEdit | t.CreateFile]
    # A text must not get into a file that somebody else has made in the meantime.
    options = t.CreateFileOptions(overwrite=False, ignore_if_exists=not edit.text)
    made = [t.CreateFile(uri=uri, options=options)]
    if edit.text:
        start = t.Range(t.Position(0, 0), t.Position(0, 0))
        document = t.OptionalVersionedTextDocumentIdentifier(uri, None)
        made.append(t.TextDocumentEdit(document, [t.TextEdit(start, edit.text)]))
    return made


def plain(markdown: str) -> str:
    """Markdown for a client that shows text as it is: marks that only matter when rendered are dropped."""
    return markdown.replace("**", "").replace("\n---\n", "\n")


def markup(markdown: str, *, rendered: bool) -> t.MarkupContent:
    """A text for a hover or an item, as Markdown if the client renders it."""
    if rendered:
        return t.MarkupContent(t.MarkupKind.Markdown, markdown)
    return t.MarkupContent(t.MarkupKind.PlainText, plain(markdown))
