"""One function for each request a case can ask: send it, and check what came back.

Knows requests and how a person would read their results; must not know how a server or a vault is made.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from tests.cases import expect as check
from tests.cases.client import CaseFailure, Client, RequestRefused, to_uri
from tests.cases.folder import LINES, Edit, Folder, apply_edits, move

Case = dict[str, Any]
DIAGNOSTICS_WAIT_S = 5.0


def ask(client: Client, folder: Folder, case: Case) -> None:
    """Send the case's request; CaseFailure if the answer is not what it expects."""
    ASK[case["ask"]](client, folder, case)


def ask_definition(client: Client, folder: Folder, case: Case) -> None:
    result = client.request("textDocument/definition", _here(folder))
    check.check_places(folder, result, case["expect"])


def ask_references(client: Client, folder: Folder, case: Case) -> None:
    context = {"context": {"includeDeclaration": bool(case.get("declaration"))}}
    result = client.request("textDocument/references", _here(folder) | context)
    check.check_places(folder, result, case["expect"])


def ask_hover(client: Client, folder: Folder, case: Case) -> None:
    result = client.request("textDocument/hover", _here(folder))
    check.check_text(_markup(result and result["contents"]), case["expect"], "hover")


def ask_completion(client: Client, folder: Folder, case: Case) -> None:
    result = client.request("textDocument/completion", _here(folder) | {"context": {"triggerKind": 1}})
    items = result if isinstance(result, list) else (result or {}).get("items", [])
    items = sorted(items, key=lambda i: i.get("sortText") or i["label"])
    check.check_names([i["label"] for i in items], case["expect"], "completions")
    accept = case["expect"].get("accept")
    if accept:
        line = _line_after(folder, _chosen(items, accept))
        if line not in check.one_of(accept["line"]):
            raise CaseFailure(f"the line becomes {line!r}, expected {accept['line']!r}")


def ask_rename(client: Client, folder: Folder, case: Case) -> None:
    refused = case["expect"].get("refused")
    try:
        if refused and client.request("textDocument/prepareRename", _here(folder)) is None:
            return
        edit = client.request("textDocument/rename", _here(folder) | {"newName": case["to"]})
    except RequestRefused:
        if refused:
            return
        raise
    if refused:
        raise CaseFailure(f"the rename was not refused: {edit}")
    if not edit:
        raise CaseFailure("the rename gave no edit")
    before = dict(folder.text)
    folder.apply(edit)
    check.check_files(folder, before, case["expect"])


def ask_move(client: Client, folder: Folder, case: Case) -> None:
    """Rename files as an editor's file tree does: willRenameFiles, then the files move."""
    moves = case["moves"].items()
    files = [{"oldUri": folder.uri(old), "newUri": folder.uri(new)} for old, new in moves]
    edit = client.request("workspace/willRenameFiles", {"files": files})
    before = dict(folder.text)
    folder.apply(edit or {})
    for old, new in moves:
        move(before, old, new)
        move(folder.text, old, new)
    check.check_files(folder, before, case["expect"])


def ask_diagnostics(client: Client, folder: Folder, case: Case) -> None:
    """Wait until the published diagnostics are as expected, and still are a moment later."""
    path = folder.path(_subject(folder, case))
    end = time.monotonic() + DIAGNOSTICS_WAIT_S
    settled = False
    while True:
        try:
            check.check_diagnostics(client.diagnostics.get(path), case["expect"])
        except CaseFailure:
            settled = False
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
            continue
        if settled:
            return
        settled = True
        time.sleep(0.2)


def ask_symbols(client: Client, folder: Folder, case: Case) -> None:
    result = client.request("textDocument/documentSymbol", _document(folder, case))
    got = list(_outline(result, 0))
    if "tree" in case["expect"] and got != case["expect"]["tree"]:
        raise CaseFailure(f"expected the outline {case['expect']['tree']}, got {got}")
    check.check_names([line.strip() for line in got], case["expect"], "symbols")


def ask_workspace_symbols(client: Client, _folder: Folder, case: Case) -> None:
    result = client.request("workspace/symbol", {"query": case["query"]}) or []
    check.check_names([s["name"] for s in result], case["expect"], "workspace symbols")


def ask_links(client: Client, folder: Folder, case: Case) -> None:
    targets = []
    for link in client.request("textDocument/documentLink", _document(folder, case)) or []:
        target = link.get("target") or client.request("documentLink/resolve", link).get("target", "")
        targets.append(folder.name(target.split("#")[0]) if target.startswith("file:") else target)
    check.check_names(targets, case["expect"], "links")


def ask_code_lens(client: Client, folder: Folder, case: Case) -> None:
    titles = []
    for lens in client.request("textDocument/codeLens", _document(folder, case)) or []:
        whole = lens if lens.get("command") else client.request("codeLens/resolve", lens)
        titles.append(f"{whole['range']['start']['line'] + 1}: {whole['command']['title']}")
    check.check_names(titles, case["expect"], "lenses")


def ask_actions(client: Client, folder: Folder, case: Case) -> None:
    position = folder.place()[1]
    asked = _here(folder) | {
        "range": {"start": position, "end": position},
        "context": {"diagnostics": _diagnostics_here(client, folder)},
    }
    actions = client.request("textDocument/codeAction", asked) or []
    titles = [action["title"] for action in actions]
    check.check_names(titles, case["expect"], "actions")
    pick = case["expect"].get("apply")
    if pick:
        chosen = next((a for a in actions if pick in a["title"]), None)
        if chosen is None:
            raise CaseFailure(f"no action has {pick!r}: {titles}")
        before = dict(folder.text)
        for edit in _run_action(client, chosen):
            folder.apply(edit)
        check.check_files(folder, before, case["expect"])


def ask_command(client: Client, folder: Folder, case: Case) -> None:
    """A workspace/executeCommand whose answer is a list of hits, each with a 'path'."""
    arguments = json.dumps(case.get("arguments", [])).replace("VAULT_URI", to_uri(folder.root))
    asked = {"command": case["command"], "arguments": json.loads(arguments)}
    try:
        result = client.request("workspace/executeCommand", asked)
    except RequestRefused:
        if case["expect"].get("refused"):
            return
        raise
    if case["expect"].get("refused"):
        raise CaseFailure(f"the command was not refused: {result}")
    if isinstance(result, dict):
        result = result.get("items", result.get("hits", result.get("citations", [])))
    check.check_names([hit["path"] for hit in result or []], case["expect"], "hits")


ASK: dict[str, Callable[[Client, Folder, Case], None]] = {
    "definition": ask_definition,
    "references": ask_references,
    "hover": ask_hover,
    "completion": ask_completion,
    "rename": ask_rename,
    "move": ask_move,
    "diagnostics": ask_diagnostics,
    "symbols": ask_symbols,
    "workspace-symbols": ask_workspace_symbols,
    "links": ask_links,
    "code-lens": ask_code_lens,
    "actions": ask_actions,
    "command": ask_command,
}


def _here(folder: Folder) -> dict[str, Any]:
    name, position = folder.place()
    return {"textDocument": {"uri": folder.uri(name)}, "position": position}


def _subject(folder: Folder, case: Case) -> str:
    """The file that is asked about: the cursor's, or the first open one."""
    name: str = folder.cursor[0] if folder.cursor else case["open"][0]
    return name


def _document(folder: Folder, case: Case) -> dict[str, Any]:
    return {"textDocument": {"uri": folder.uri(_subject(folder, case))}}


def _markup(contents: Any) -> str:
    """The text of a hover, in any of the forms the protocol allows."""
    if isinstance(contents, list):
        return "\n".join(_markup(part) for part in contents)
    if isinstance(contents, dict):
        return str(contents.get("value", ""))
    return contents or ""


def _chosen(items: list[dict[str, Any]], accept: dict[str, Any]) -> dict[str, Any]:
    """The first item with the label; among equal labels the first that tells the detail."""
    chosen = [item for item in items if item["label"] == accept["label"]]
    if len(chosen) > 1 and accept.get("detail"):
        chosen = [i for i in chosen if accept["detail"] in json.dumps(i, ensure_ascii=False)]
    if not chosen:
        raise CaseFailure(f"no completion {accept}: {[item['label'] for item in items][:20]}")
    return chosen[0]


def _line_after(folder: Folder, item: dict[str, Any]) -> str:
    """The cursor's line, once the item is accepted."""
    name, position = folder.place()
    plain = {
        "range": {"start": position, "end": position},
        "newText": item.get("insertText") or item["label"],
    }
    edits: list[Edit] = [item.get("textEdit") or plain, *(item.get("additionalTextEdits") or [])]
    text = apply_edits(folder.text[name], edits)
    line: str = LINES.findall(text)[position["line"]]
    return line.rstrip("\r\n")


def _outline(items: list[dict[str, Any]] | None, depth: int) -> Iterator[str]:
    for item in items or []:
        yield "  " * depth + item["name"]
        yield from _outline(item.get("children"), depth + 1)


def _diagnostics_here(client: Client, folder: Folder) -> list[dict[str, Any]]:
    """Those on the cursor's line: a person sees them before asking for actions."""
    name, position = folder.place()
    patience = time.monotonic() + 2
    while folder.path(name) not in client.diagnostics and time.monotonic() < patience:
        time.sleep(0.02)
    found = client.diagnostics.get(folder.path(name), [])
    line = position["line"]
    return [d for d in found if d["range"]["start"]["line"] <= line <= d["range"]["end"]["line"]]


def _run_action(client: Client, action: dict[str, Any]) -> list[dict[str, Any]]:
    """The workspace edits that choosing the action leads to."""
    if not action.get("edit") and not action.get("command"):
        action = client.request("codeAction/resolve", action)
    if action.get("edit"):
        return [action["edit"]]
    command = action["command"]
    asked = {"command": command["command"], "arguments": command.get("arguments", [])}
    client.request("workspace/executeCommand", asked)
    return client.applied
