"""Code actions: quick fixes, links for mentions, new notes, and twins of the lenses."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as t

from knapper.ide.actions import actions as find_actions
from knapper.ide.results import Action, Command
from knapper.lsp.custom import CREATE_NOTE
from knapper.lsp.here import Here
from knapper.lsp.to_proto import command, creates, workspace_edit
from knapper.text.span import Span

OPTIONS = t.CodeActionOptions(
    code_action_kinds=[t.CodeActionKind.QuickFix, t.CodeActionKind.Refactor, t.CodeActionKind.Source]
)


def actions(here: Here, params: t.CodeActionParams) -> list[t.CodeAction | t.Command]:
    """What can be done with the selection; without literals only what is a command."""
    start = here.offset(params.range.start)
    found = find_actions(here.snap, here.path, Span(start, max(start, here.offset(params.range.end))))
    wanted = [action for action in found if _is_wanted(action, params.context.only)]
    made = [_action(here, action, params.context.diagnostics) for action in wanted]
    if here.client.action_literals:
        return list(made)
    return [action.command for action in made if action.command is not None and action.edit is None]


def _is_wanted(action: Action, only: object) -> bool:
    if not isinstance(only, list | tuple):
        return True
    kinds = [getattr(kind, "value", kind) for kind in only]
    return any(kind in {"", action.kind} or action.kind.startswith(f"{kind}.") for kind in kinds)


def _action(here: Here, action: Action, shown: Sequence[t.Diagnostic]) -> t.CodeAction:
    fixed = [d for d in shown if d.source == "knapper" and d.code in action.fixes]
    made = t.CodeAction(
        title=action.title,
        kind=t.CodeActionKind(action.kind),
        diagnostics=fixed or None,
        is_preferred=action.preferred or None,
    )
    new = creates(action.edits)
    if new and not here.client.creates_files:
        # The server writes the file: this client would drop the edit, or say that it did it.
        arguments = {"path": here.path, "target": f"/{new[0].path}"}
        made.command = command(here.vault, Command(CREATE_NOTE, arguments), action.title)
        return made
    if action.edits:
        made.edit = workspace_edit(here.vault, action.edits)
    if action.command:
        made.command = command(here.vault, action.command, action.title)
    return made
