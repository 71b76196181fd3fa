"""The outline of a note: its headings, each with the headings below it."""

from __future__ import annotations

from knapper.ide.open_note import OpenNote
from knapper.ide.results import Symbol
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Heading
from knapper.vault.paths import NotePath


def document_symbols(snap: Snapshot, path: NotePath) -> tuple[Symbol, ...]:
    """The outline of the note at *path*. A skipped level is no gap: `###` right below `#` is its child."""
    opened = snap.document(path)
    if opened is None:
        return ()
    roots: list[Symbol] = []
    waiting: list[
        tuple[Heading, list[Symbol]]
    ] = []  # the headings around the current one, and their children
    for heading in opened.parse.headings:
        _close(opened, waiting, roots, heading.level)
        waiting.append((heading, []))
    _close(opened, waiting, roots, 1)
    return tuple(roots)


def _close(
    opened: OpenNote, waiting: list[tuple[Heading, list[Symbol]]], roots: list[Symbol], level: int
) -> None:
    """Turn the headings of this *level* and below into symbols of what is around them."""
    while waiting and waiting[-1][0].level >= level:
        heading, children = waiting.pop()
        symbol = Symbol(
            name=heading.text.strip() or "#" * heading.level,  # A symbol must have a name.
            detail=f"H{heading.level}",
            kind="heading",
            place=opened.place(heading.section),
            selection=opened.place(heading.span),
            children=tuple(children),
        )
        (waiting[-1][1] if waiting else roots).append(symbol)
