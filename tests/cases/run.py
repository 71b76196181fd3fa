"""Run black-box cases against the language server, over its real stdio.

    python -m tests.cases.run [--server 'knapper serve'] CASES.yaml ...  [-k WORD] [-j N] [-v]

A case is a small vault, a cursor and a request; the expectation is what a person at that cursor should
get. README.md beside this file describes the format. Needs only PyYAML. Exit status: 0 when every case
holds, 1 otherwise. The last line is 'N passed, N failed'.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml

from tests.cases.asks import ask
from tests.cases.client import CaseFailure, Client
from tests.cases.folder import Edit, Folder, position_of

CREATED, CHANGED, DELETED = 1, 2, 3


def read_cases(path: Path) -> list[dict[str, Any]]:
    """The cases of one file."""
    cases: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return cases


def run_case(case: dict[str, Any], command: list[str]) -> None:
    """Give the case a fresh folder and a fresh server, and ask. CaseFailure says what went wrong."""
    scratch = Path(tempfile.mkdtemp(prefix="case-")).resolve()
    try:
        root = scratch / "vault"
        root.mkdir()
        folder = Folder(root, case["files"])
        client = Client(command, root, _environment(scratch))
        try:
            _play(client, folder, case)
        except CaseFailure as failure:
            raise CaseFailure(f"{failure}\n{client.last_words()}".strip()) from None
        finally:
            client.stop()
            client.close()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _environment(scratch: Path) -> dict[str, str]:
    """Caches go to the case's own folder, and a case never waits for a model."""
    folders = ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    return {**os.environ, **{name: str(scratch / name.lower()) for name in folders}, "HF_HUB_OFFLINE": "1"}


def _play(client: Client, folder: Folder, case: dict[str, Any]) -> None:
    client.start(case.get("settings", {}))
    opened = list(case.get("open", []))
    if folder.cursor and folder.cursor[0] not in opened:
        opened.append(folder.cursor[0])
    for name in opened:
        _open(client, folder, name, 1)
    client.wait_until_ready()
    for version, edit in enumerate(case.get("edits", []), start=2):
        _edit(client, folder, edit, version)
    if case.get("edits"):
        client.wait_until_ready()
    ask(client, folder, case)


def _open(client: Client, folder: Folder, name: str, version: int) -> None:
    folder.opened[name] = version
    document = {"uri": folder.uri(name), "languageId": "markdown", "version": version}
    client.notify("textDocument/didOpen", {"textDocument": {**document, "text": folder.text[name]}})


def _edit(client: Client, folder: Folder, edit: Edit, version: int) -> None:
    """One edit: in the editor without saving, or on disk behind the editor's back."""
    name = edit["file"]
    if edit.get("open"):
        _open(client, folder, name, version)
    elif edit.get("close"):
        _close(client, folder, name)
    elif "find" in edit or "changes" in edit:
        _type(client, folder, edit, version)
    else:
        kind = _change_disk(client, folder, edit)
        changes = [{"uri": folder.uri(name), "type": kind}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


def _close(client: Client, folder: Folder, name: str) -> None:
    client.notify("textDocument/didClose", {"textDocument": {"uri": folder.uri(name)}})
    client.diagnostics.pop(folder.path(name), None)
    del folder.opened[name]
    folder.text[name] = Path(folder.path(name)).read_bytes().decode()


def _type(client: Client, folder: Folder, edit: Edit, version: int) -> None:
    name = edit["file"]
    changes = [_replacement(folder, name, part) for part in edit.get("changes") or [edit]]
    folder.opened[name] = version
    document = {"uri": folder.uri(name), "version": version}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


def _replacement(folder: Folder, name: str, part: Edit) -> Edit:
    """One replacement, with the range it has in the text as it is by now."""
    text = folder.text[name]
    start = text.index(part["find"])
    stop = start + len(part["find"])
    folder.text[name] = text[:start] + part["replace"] + text[stop:]
    return {
        "range": {"start": position_of(text, start), "end": position_of(text, stop)},
        "text": part["replace"],
    }


def _change_disk(client: Client, folder: Folder, edit: Edit) -> int:
    """Save, delete or write; the kind of change a watcher would tell of."""
    name = edit["file"]
    path = Path(folder.path(name))
    if edit.get("save"):
        path.write_bytes(folder.text[name].encode())
        client.notify("textDocument/didSave", {"textDocument": {"uri": folder.uri(name)}})
        return CHANGED
    shown = name in folder.opened  # what is open in the editor stays as it is there
    if edit.get("delete"):
        path.unlink()
        if not shown:
            folder.text.pop(name, None)
        return DELETED
    kind = CHANGED if path.exists() else CREATED
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(edit["write"].encode())
    if not shown:
        folder.text[name] = edit["write"]
    return kind


def _outcome(case: dict[str, Any], command: list[str]) -> str | None:
    """None if the case holds, else what went wrong; a crash of one must not hide the others."""
    try:
        run_case(case, command)
    except Exception as problem:  # noqa: BLE001 - it is told, whatever it is
        return f"{type(problem).__name__}: {problem}"
    return None


def main() -> int:
    """Run the files named on the command line."""
    parser = argparse.ArgumentParser(description="Run black-box cases against the language server.")
    parser.add_argument("cases", nargs="+", type=Path)
    parser.add_argument("--server", default="knapper serve", help="the command that starts it")
    parser.add_argument("-k", default="", metavar="WORD", help="only cases whose id has WORD")
    parser.add_argument("-j", type=int, default=1, metavar="N", help="cases run at once")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    command = shlex.split(options.server)
    cases = [case for path in options.cases for case in read_cases(path) if options.k in case["id"]]
    failed = 0
    with ThreadPoolExecutor(options.j) as pool:
        outcomes = pool.map(lambda case: _outcome(case, command), cases)
        for case, problem in zip(cases, outcomes, strict=True):
            failed += problem is not None
            if problem is not None:
                print(f"FAIL  {case['id']}: {problem}")
            elif options.verbose:
                print(f"ok    {case['id']}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
