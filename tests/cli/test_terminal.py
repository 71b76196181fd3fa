"""Names and texts of notes come from anybody, and command no terminal, whatever is printed of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from knapper.cli.main import knapper

HOSTILE = "\x1b[2J\x1b]0;pwned\x07\x1b]8;;e\x07\x9b31m\u202eDoor\u2066\x7f\x08"
NOTES = {
    f"Zinc {HOSTILE}.md": f"# Zinc {HOSTILE}\n\nThe zinc {HOSTILE} melts [[Oven {HOSTILE}]] [[Tin]].\n",
    "Two\nlines.md": "The zinc roof of [[Tin]].\n",
    "Tin.md": f"---\ntags: [metal]\n---\n# Tin\n\n## Use {HOSTILE}\n\nTin and zinc. [[Zinc {HOSTILE}]] ^b\n",
    ".obsidian/app.json": "{}",
}
COMMANDS = [
    ["search", "zinc"],
    ["ask", "what", "melts", "zinc"],
    ["ask", "--note", f"No {HOSTILE}", "zinc"],
    ["ask", "--folder", f"No {HOSTILE}", "zinc"],
    ["backlinks", "Tin"],
    ["backlinks", f"None {HOSTILE}"],
    ["links", "Tin"],
    ["unresolved"],
    ["related", "Tin"],
    ["orphans"],
    ["graph"],
    ["clusters"],
    ["status"],
]
COMMANDING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
COLOUR = re.compile(r"\x1b\[[\d;]{1,4}m")


@pytest.fixture
def hostile(vault: Path) -> Path:
    for name, text in NOTES.items():
        (vault / name).write_text(text, encoding="utf-8")
    return vault


def run(vault: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    monkeypatch.chdir(vault)
    result = CliRunner().invoke(knapper, list(arguments), color=True)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.mark.parametrize("command", COMMANDS, ids=range(len(COMMANDS)))
def test_what_notes_hold_commands_no_terminal(
    command: list[str], hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run(hostile, monkeypatch, *command)

    assert COMMANDING.findall(COLOUR.sub("", result.output)) == []


def test_a_name_of_two_lines_is_printed_on_one(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Two lines.md" in run(hostile, monkeypatch, "backlinks", "Tin").output


@pytest.mark.parametrize("command", [["search", "zinc"], ["ask", "what", "melts", "zinc"]])
def test_json_has_every_character_and_commands_nothing(
    command: list[str], hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = run(hostile, monkeypatch, *command, "--json").stdout

    assert COMMANDING.findall(printed) == []
    assert any(HOSTILE in text for text in _texts(json.loads(printed)))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _texts(one)]
