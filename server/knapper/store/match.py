"""The MATCH expressions of FTS5, made so that no text can be read as syntax.

A needle is folded text whose words must stand together. Knows FTS5's grammar; must not know tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def phrase(needle: str) -> str:
    """*needle* as an FTS5 string, its double quotes doubled: `say "hi` gives `"say ""hi"`.

    What SQLite cannot be handed (a NUL ends an expression, a lone surrogate has no UTF-8) becomes a blank.
    """
    clean = needle.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return '"' + clean.replace('"', '""') + '"'


def any_of(needles: Iterable[str]) -> str:
    """Rows that hold one of *needles*."""
    return " OR ".join(map(phrase, needles))


def every_of(needles: Iterable[str]) -> str:
    """Rows that hold all *needles*."""
    return " AND ".join(map(phrase, needles))


def every_of_with_beginning(needles: Sequence[str]) -> str:
    """Rows that hold all *needles*; the last one's last word may go on: `"meeting" AND "no" *`."""
    return f"{every_of(needles)} *"


def in_columns(columns: Sequence[str], expression: str) -> str:
    """*expression*, looked for in *columns* only."""
    return f"{{{' '.join(columns)}}} : ({expression})"
