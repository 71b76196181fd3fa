"""What the documents say is so: settings, commands, methods, and where their links lead."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

from knapper.base.settings import BY_NAME
from knapper.cli.main import COMMANDS
from knapper.lsp import custom
from tests import settings_tables as tables

PROJECT = Path(__file__).parents[1]
DOCUMENTS = [
    path
    for path in sorted(PROJECT.rglob("*.md"))
    if not {"node_modules", ".venv", ".editors", "vault", ".pytest_cache"} & set(path.parts)
]
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def test_the_readme_tells_every_setting() -> None:
    """`python -m tests.settings_tables` writes the table anew."""
    assert tables.table_in_readme() == tables.readme_table()


def test_the_vs_code_extension_mirrors_every_setting() -> None:
    """`python -m tests.settings_tables` writes them anew."""
    assert tables.properties_in_extension() == tables.vscode_properties()


def test_the_readme_names_every_command() -> None:
    text = _read("README.md")
    missing = [name for name in COMMANDS if f"knapper {name}" not in text and f"`{name}`" not in text]
    assert missing == []


def test_the_protocol_document_has_every_method_and_command() -> None:
    text = _read("server/PROTOCOL.md")
    missing = [name for name in (*custom.REQUESTS, *custom.COMMANDS) if f"`{name}`" not in text]
    assert missing == []


def test_the_changelog_knows_the_version() -> None:
    version = re.search(r'^version = "(.+)"$', _read("pyproject.toml"), re.MULTILINE)
    assert version
    assert f"## {version[1]}" in _read("CHANGELOG.md")
    assert json.loads(_read("editors/vscode/package.json"))["version"] == version[1]


def test_the_server_command_of_the_extension_is_the_persons_alone() -> None:
    package = json.loads(_read("editors/vscode/package.json"))
    properties = package["contributes"]["configuration"]["properties"]
    alone = {name for name, setting in BY_NAME.items() if setting.personal}
    machine = {name.removeprefix("knapper.") for name, p in properties.items() if p["scope"] == "machine"}
    assert machine == alone | {"server.command"}


def test_every_command_of_the_extension_is_the_clients_own() -> None:
    """The server's command ids are registered by the client itself; a second registration would fail."""
    package = json.loads(_read("editors/vscode/package.json"))
    names = [command["command"] for command in package["contributes"]["commands"]]
    assert [name for name in names if not name.startswith("knapper.view.")] == []


def test_links_between_documents_lead_somewhere() -> None:
    broken = [
        f"{path.relative_to(PROJECT)}: {target}"
        for path in DOCUMENTS
        for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", path.read_text(encoding="utf-8")))
        if not target.startswith(("http:", "https:")) and not _leads_somewhere(path, target)
    ]
    assert broken == []


def _read(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


def _leads_somewhere(source: Path, target: str) -> bool:
    name, _, anchor = unquote(target).partition("#")
    path = (source.parent / name).resolve() if name else source
    if not path.exists():
        return False
    return not anchor or anchor in _anchors(path)


def _anchors(path: Path) -> set[str]:
    """The headings as the web pages that show them name them: `Set-up, please` gives `set-up-please`."""
    headings = re.findall(r"^#+ +(.+?) *$", FENCE.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
