"""The demo: one person's minute in an editor, told line by line from what the real server answers.

Knows the protocol as an editor does and how to draw what it shows; must not look into the server.
"""

from __future__ import annotations

import re
import textwrap
import time
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import click

from knapper.cli.demo_client import Client, Misbehaved
from knapper.cli.output import counted, faint, say
from knapper.text.lines import Text
from knapper.text.span import Position

SETTINGS = {"index": {"location": "vault"}, "embeddings": {"enabled": False}, "salience": {"enabled": False}}
_CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True},
    "workspace": {"configuration": True, "workspaceFolders": True},
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "completion": {"completionItem": {"labelDetailsSupport": True, "documentationFormat": ["markdown"]}},
        "publishDiagnostics": {"versionSupport": True},
    },
}
_LINK = re.compile(r"(?<!!)\[\[([^\]|#\\\n]+)[^\]\n]*\]\]")
_SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}
_SHOWN = 6
_TALL = 16
_PATIENCE = 30.0


class Tour:
    """A walk through the vault at *root* with a connected *client*. Every step prints what it saw."""

    def __init__(self, client: Client, root: Path) -> None:
        self._client = client
        self._root = root
        self._path = _busiest(root)
        self._uri = self._path.as_uri()
        self._text = self._path.read_text(encoding="utf-8")
        self._version = 1
        names = {path.stem.casefold() for path in root.rglob("*.md")}
        links = [link for link in _LINK.finditer(self._text) if _named(link).casefold() in names]
        if not links:
            raise Misbehaved("no note of the vault links to another one, so there is nothing to show")
        self._link = links[len(links) // 2]

    def walk(self) -> None:
        """All the steps. Raises `Misbehaved` as soon as the server does not do what it should."""
        self.open()
        self.complete()
        self.hover()
        self.backlinks()
        self.search()
        self.diagnostics()

    def open(self) -> None:
        """Start the server on the vault, wait until it knows all notes, and open one."""
        folder = {"uri": self._root.as_uri(), "name": self._root.name}
        self._client.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "capabilities": _CAPABILITIES,
                "initializationOptions": {"knapper": SETTINGS},
            },
        )
        self._client.notify("initialized", {})
        document = {"uri": self._uri, "languageId": "markdown", "version": 1, "text": self._text}
        self._client.notify("textDocument/didOpen", {"textDocument": document})
        status = self._ready()
        _heading("The vault", f"{counted(status['notes'], 'note')}, {counted(status['links'], 'link')}")

    def complete(self) -> None:
        """Type the beginning of a link at the end of the note, and accept what is offered first."""
        typed = f"See [[{_named(self._link)[:3].lower()}"
        _heading("Completion", f"{self._path.name}, typing")
        before = self._text
        self._change(f"{before}\n{typed}")
        answer = self._ask("textDocument/completion", self._position(len(self._text)))
        items = answer["items"] if isinstance(answer, dict) else answer or []
        if not items:
            raise Misbehaved(f"nothing was offered for {typed}")
        items.sort(key=lambda item: item.get("sortText") or item["label"])
        say(f"    {typed}▏")
        for line in _popup(items[:_SHOWN]):
            say(f"      {line}")
        say(f"    {_edited(typed, items[0].get('textEdit') or {})}   {faint('accepted')}")
        self._change(before)

    def hover(self) -> None:
        """Rest the mouse on a link."""
        _heading("Hover", f"on {self._link[0]}")
        answer = self._ask("textDocument/hover", self._position(self._link.start() + 3))
        contents = (answer or {}).get("contents")
        text = contents.get("value", "") if isinstance(contents, dict) else contents
        if not text:
            raise Misbehaved(f"resting on {self._link[0]} showed nothing")
        lines = [part for line in str(text).strip().split("\n") for part in textwrap.wrap(line, 96) or [""]]
        for line in lines[:_TALL]:
            say(f"    {faint('│')} {line}".rstrip())

    def backlinks(self) -> None:
        """Follow the link and ask who else links there."""
        found = self._ask("textDocument/definition", self._position(self._link.start() + 3))
        places = found if isinstance(found, list) else [found] if found else []
        if not places:
            raise Misbehaved(f"{self._link[0]} leads nowhere")
        uri = places[0].get("uri") or places[0]["targetUri"]
        items = self._items("knapper/backlinks", {"uri": uri})
        _heading("Backlinks", f"{counted(len(items), 'link')} to {_name(uri)}")
        for item in items[:_SHOWN]:
            _place(item["path"], item["range"]["start"]["line"], " ".join(item["text"].split()))

    def search(self) -> None:
        """Search the full text for what the link names."""
        query = _named(self._link)
        items = self._items("knapper/search", {"query": query, "limit": _SHOWN})
        _heading("Search", f"for {query}")
        for item in items:
            _place(item["path"], item["range"]["start"]["line"], item["snippet"])

    def diagnostics(self) -> None:
        """See what is underlined in the note."""
        published = self._client.wait_for(
            "textDocument/publishDiagnostics",
            lambda params: (
                params["uri"] == self._uri and params.get("version", self._version) >= self._version
            ),
        )
        found = published["diagnostics"]
        _heading("Diagnostics", f"{counted(len(found), 'line is', 'lines are')} underlined")
        for item in found[:_SHOWN]:
            level = _SEVERITIES.get(item.get("severity", 1), "")
            _place(self._path.name, item["range"]["start"]["line"], f"{level}: {item['message']}")

    def _ready(self) -> Any:
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            status = self._client.request("knapper/status", {})
            if status["state"] == "ready" and not status["pending"]:
                return status
            time.sleep(0.05)
        raise Misbehaved(f"the index was not ready after {_PATIENCE:.0f} s")

    def _items(self, method: str, params: dict[str, Any]) -> list[Any]:
        items = self._client.request(method, params)["items"]
        if not items:
            raise Misbehaved(f"{method} found nothing for {params}")
        return list(items)

    def _ask(self, method: str, position: dict[str, int]) -> Any:
        return self._client.request(method, {"textDocument": {"uri": self._uri}, "position": position})

    def _position(self, offset: int) -> dict[str, int]:
        return Text(self._text).position(offset)._asdict()

    def _change(self, text: str) -> None:
        self._text = text
        self._version += 1
        document = {"uri": self._uri, "version": self._version}
        self._client.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]}
        )


def configuration(params: Any) -> list[Any]:
    """What the editor answers when the server asks for its settings."""
    return [SETTINGS if item.get("section") == "knapper" else None for item in params["items"]]


def _busiest(root: Path) -> Path:
    """The note to open: the one that links most, a note at the top before one in a folder."""
    notes = [
        path
        for path in sorted(root.rglob("*.md"))
        if not any(p.startswith(".") for p in path.relative_to(root).parts)
    ]
    if not notes:
        raise Misbehaved(f"there is no note in {root}")
    return max(notes, key=lambda path: (path.parent == root, len(_LINK.findall(_read(path)))))


def _named(link: re.Match[str]) -> str:
    """The name of the note that *link* leads to: `[[Kitchen/Bread#Crust]]` gives `Bread`."""
    return str(link[1]).rpartition("/")[2].strip()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _name(uri: str) -> str:
    return unquote(urlsplit(uri).path).rpartition("/")[2].removesuffix(".md")


def _heading(title: str, about: str) -> None:
    say(f"\n{click.style(title, bold=True)}  {faint(about)}")


def _place(path: str, line: int, text: str) -> None:
    said = text if len(text) <= 100 else f"{text[:99]}…"
    say(f"    {click.style(f'{path}:{line + 1}', fg='cyan')}  {said}")


def _popup(items: Iterable[dict[str, Any]]) -> list[str]:
    """The completion list as an editor draws it: a box with labels on the left and details on the right."""
    rows = [(item["label"], _beside(item)) for item in items]
    left = max(_width(label) for label, _ in rows)
    right = max(_width(beside) for _, beside in rows)
    lines = [
        f"│ {label}{' ' * (left - _width(label))}  {faint(beside)}{' ' * (right - _width(beside))} │"
        for label, beside in rows
    ]
    edge = "─" * (left + right + 4)
    return [f"┌{edge}┐", *lines, f"└{edge}┘"]


def _beside(item: dict[str, Any]) -> str:
    details = item.get("labelDetails") or {}
    said = details.get("description") or item.get("detail") or ""
    return str(said)[:50]


def _width(text: str) -> int:
    """How many columns *text* takes in a terminal: CJK characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _edited(line: str, edit: dict[str, Any]) -> str:
    """*line* after the completion's edit, a snippet's marks taken out."""
    span = edit.get("range") or edit.get("replace")
    if not span:
        return line
    text = Text(line)
    start, end = (text.offset(Position(0, span[side]["character"])) for side in ("start", "end"))
    return line[:start] + re.sub(r"\$\d|\$\{\d:?|\}", "", edit["newText"]) + line[end:]
