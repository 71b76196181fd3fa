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
    code_action_kinds=[t.CodeActionKind.QuickFix, t.CodeActionKind.Refactor, t.CodeActionKind.Source],
    resolve_provider=True,
)


def actions(here: Here, params: t.CodeActionParams) -> list[t.CodeAction | t.Command]:
    """What can be done with the selection; without literals only what is a command."""
    start = here.offset(params.range.start)
    found = find_actions(here.snap, here.path, Span(start, max(start, here.offset(params.range.end))))
    wanted = [action for action in found if _is_wanted(action, params.context.only)]
    made = [_action(here, action, params.context.diagnostics) for action in wanted]
    return [item for item in made if here.client.action_literals or isinstance(item, t.Command)]


def resolve(_here: Here, action: t.CodeAction) -> t.CodeAction:
    """The action with its command."""
    if isinstance(action.data, dict) and isinstance(name := action.data.get("command"), str):
        given = action.data.get("arguments")
        action.command = t.Command(title=action.title, command=name, arguments=[given])
    return action


def _is_wanted(action: Action, only: object) -> bool:
    if not isinstance(only, list | tuple):
        return True
    kinds = [getattr(kind, "value", kind) for kind in only]
    return any(kind in {"", action.kind} or action.kind.startswith(f"{kind}.") for kind in kinds)


def _action(here: Here, action: Action, shown: Sequence[t.Diagnostic]) -> t.CodeAction | t.Command:
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
        return _command(here, made, Command(CREATE_NOTE, arguments))
    if action.command:
        return _command(here, made, action.command)
    made.edit = workspace_edit(here.vault, action.edits)
    return made


def _command(here: Here, made: t.CodeAction, run: Command) -> t.CodeAction | t.Command:
    """An action that runs a command. Its kind keeps it out of menus where nobody looks for it.

    The command comes by resolve, else the whole is a bare command: readers of the protocol that tell
    the two apart by the name `command` take an action that holds one for the other.
    """
    shown = command(here.vault, run, made.title)
    if not here.client.resolve_action_command:
        return shown
    arguments = shown.arguments or [{}]
    made.data = {"uri": here.vault.uri_of(here.path), "command": shown.command, "arguments": arguments[0]}
    return made
