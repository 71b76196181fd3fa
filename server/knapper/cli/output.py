"""What is printed, and how: JSON for programs, coloured lines for people on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

import click

from knapper.text.span import Place


def print_json(value: Any) -> None:
    """Print *value* as one JSON document. A list has one item a line, so that `grep` works on it."""
    if isinstance(value, list):
        lines = ",\n".join(_json(item) for item in value)
        click.echo(f"[\n{lines}\n]" if lines else "[]")
    else:
        click.echo(_json(value, indent=2))


def say(text: str = "") -> None:
    """Print one line; colours vanish where nobody sees them."""
    click.echo(text)


def remark(text: str) -> None:
    """Tell the person something beside the result."""
    click.echo(click.style(text, dim=True), err=True)


def remarks(texts: Iterable[str]) -> None:
    """Tell the person several things."""
    for text in texts:
        remark(text)


def where(path: str, line: int | None = None) -> str:
    """A place as compilers write it, so that terminals make it a link: `Bread.md:12`; *line* from 0."""
    return click.style(path, fg="cyan") + ("" if line is None else click.style(f":{line + 1}", fg="yellow"))


def faint(text: str) -> str:
    """*text* for what matters less."""
    return click.style(text, dim=True)


def counted(count: int, one: str, many: str = "") -> str:
    """`1 link`, `3 links`, `2,000 notes`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def range_of(place: Place) -> dict[str, dict[str, int]]:
    """*place* as the protocol's range."""
    return {
        "start": {"line": place.line, "character": place.start},
        "end": {"line": place.end_line, "character": place.end},
    }


def _json(value: Any, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        # A terminal of another encoding, or a file name that is no text.
        return json.dumps(value, indent=indent)
    return text
