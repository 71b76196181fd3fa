"""The files of a case: on disk, and as the client has them open. Applies edits as an editor would.

Knows text, positions in UTF-16 units and workspace edits; must not know requests.
"""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path
from typing import Any

from tests.cases.client import CaseFailure, to_path, to_uri

CURSOR = "$0"
LINES = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")

Position = dict[str, int]
Edit = dict[str, Any]


def utf16_length(text: str) -> int:
    """`é😀` gives 3."""
    return len(text.encode("utf-16-le")) // 2


def position_of(text: str, offset: int) -> Position:
    """Where code point *offset* of *text* is, as the protocol counts."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return {"line": before.count("\n"), "character": utf16_length(before.rsplit("\n", 1)[-1])}


def offset_of(text: str, position: Position) -> int:
    """The code point of *text* at a position of the protocol; the end of the line if it lies past it."""
    offset = 0
    for line, content in enumerate(LINES.findall(text)):
        if line == position["line"]:
            break
        offset += len(content)
    units = position["character"]
    while units > 0 and offset < len(text) and text[offset] not in "\r\n":
        units -= utf16_length(text[offset])
        offset += 1
    return offset


def apply_edits(text: str, edits: list[Edit]) -> str:
    """*text* after edits whose ranges all count from it as it is."""
    spans = [
        (offset_of(text, e["range"]["start"]), offset_of(text, e["range"]["end"]), i, e["newText"])
        for i, e in enumerate(edits)
    ]
    for start, end, _, new in sorted(spans, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def move(text: dict[str, str], old: str, new: str) -> None:
    """A file, or a folder with all it holds, gets another name; never one that is taken."""
    moving = [name for name in text if name == old or name.startswith(old + "/")]
    if not moving:
        raise CaseFailure(f"a rename of {old}, which is not there")
    if new in text and new != old:
        raise CaseFailure(f"a rename of {old} to {new}, which is there already")
    for name in moving:
        text[new + name[len(old) :]] = text.pop(name)


class Folder:
    """The workspace folder of a case. `text` is what each file holds, unsaved changes included."""

    def __init__(self, root: Path, files: dict[str, Any]) -> None:
        self.root = root
        self.cursor: tuple[str, Position] | None = None
        self.text: dict[str, str] = {}
        self.opened: dict[str, int] = {}  # what the editor has open, and its version
        for name, content in files.items():
            self._write(name, content or "")

    def place(self) -> tuple[str, Position]:
        """The cursor's file and position."""
        if self.cursor is None:
            raise CaseFailure("the case has no cursor")
        return self.cursor

    def path(self, name: str) -> str:
        """The path on disk of a file of the case."""
        return os.path.normpath(self.root / name)

    def uri(self, name: str) -> str:
        """The address of a file of the case."""
        return to_uri(self.path(name))

    def name(self, uri: str) -> str:
        """The name in the case of a file with this address; the whole path if it lies outside."""
        path = to_path(uri)
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)

    def apply(self, edit: dict[str, Any]) -> None:
        """Apply a WorkspaceEdit in memory, file operations included."""
        for uri, edits in (edit.get("changes") or {}).items():
            self._edit(self.name(uri), edits)
        for change in edit.get("documentChanges") or []:
            kind = change.get("kind")
            if kind == "rename":
                move(self.text, self.name(change["oldUri"]), self.name(change["newUri"]))
            elif kind == "create":
                self.text.setdefault(self.name(change["uri"]), "")
            elif kind == "delete":
                self.text.pop(self.name(change["uri"]), None)
            else:
                name = self.name(change["textDocument"]["uri"])
                version = change["textDocument"].get("version")
                if version is not None and version != self.opened.get(name, version):
                    raise CaseFailure(f"an edit for version {version} of {name}, it is at another")
                self._edit(name, change["edits"])

    def _write(self, name: str, content: str | dict[str, Any]) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            if CURSOR in content:
                at = content.index(CURSOR)
                content = content.replace(CURSOR, "", 1)
                self.cursor = (name, position_of(content, at))
            data = content.encode()
        elif "link" in content:
            path.symlink_to(content["link"])
            return
        elif "base64" in content:
            data = base64.b64decode(content["base64"])
        else:
            data = (content["repeat"] * content["times"] + content.get("then", "")).encode()
        self.text[name] = data.decode("utf-8", "surrogateescape")
        path.write_bytes(data)

    def _edit(self, name: str, edits: list[Edit]) -> None:
        if name.startswith(("/", "..")):
            raise CaseFailure(f"an edit outside the vault: {name}")
        self.text[name] = apply_edits(self.text.get(name, ""), edits)
