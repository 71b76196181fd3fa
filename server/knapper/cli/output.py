"""What is printed, and how: JSON for programs, coloured lines for people on a terminal.

Texts and names of notes come from anybody. Whatever stands in them, nothing that is printed here commands a
terminal, but for colours.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any

import click

from knapper.text.span import Place

# Controls, marks that turn a line around, separators of lines, halves of surrogate pairs.
_COMMANDS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_COLOUR = re.compile("(\x1b\\[(?:[012]|3[1-7])m)")


def harmless(text: str) -> str:
    r"""*text* without what would command a terminal: `a\x1b[2Jb` gives `a�[2Jb`."""
    return _COMMANDS.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def print_json(value: Any) -> None:
    """Print *value* as one JSON document. A list has one item a line, so that `grep` works on it."""
    if isinstance(value, list):
        lines = ",\n".join(_json(item) for item in value)
        click.echo(f"[\n{lines}\n]" if lines else "[]")
    else:
        click.echo(_json(value, indent=2))


def say(text: str = "") -> None:
    """Print one line; colours vanish where nobody sees them."""
    click.echo(_painted(text))


def remark(text: str) -> None:
    """Tell the person something beside the result."""
    click.echo(click.style(harmless(text), dim=True), err=True)


def remarks(texts: Iterable[str]) -> None:
    """Tell the person several things."""
    for text in texts:
        remark(text)


def where(path: str, line: int | None = None) -> str:
    """A place as compilers write it, so that terminals make it a link: `Bread.md:12`; *line* from 0."""
    shown = click.style(" ".join(harmless(path).split("\n")), fg="cyan")
    return shown + ("" if line is None else click.style(f":{line + 1}", fg="yellow"))


def faint(text: str) -> str:
    """*text* for what matters less."""
    return click.style(harmless(text), dim=True)


def counted(count: int, one: str, many: str = "") -> str:
    """`1 link`, `3 links`, `2,000 notes`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def range_of(place: Place) -> dict[str, dict[str, int]]:
    """*place* as the protocol's range."""
    return {
        "start": {"line": place.line, "character": place.start},
        "end": {"line": place.end_line, "character": place.end},
    }


def _painted(text: str) -> str:
    """*text* with its colours, and otherwise harmless."""
    parts = _COLOUR.split(text)
    return "".join(part if at % 2 else harmless(part) for at, part in enumerate(parts))


def _json(value: Any, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    text = _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)  # Only within strings there are any.
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        # A terminal of another encoding.
        return json.dumps(value, indent=indent)
    return text
