"""Notes read back from an index, equal to those that were written.

Knows how `vault.note.Note` lies in the tables; must not know of states or of searching.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from knapper.markup.note import LinkKind
from knapper.text.span import Place
from knapper.vault.note import Note, NoteBlock, NoteHeading, NoteLink, NoteProperty, NoteTag
from knapper.vault.paths import NotePath

T = TypeVar("T")
_Row = tuple[Any, ...]
_KINDS = {kind.value: kind for kind in LinkKind}


def read_notes(connection: sqlite3.Connection, since: int | None = None) -> tuple[Note, ...]:
    """The saved notes, by path; with *since* only those that changed after that state."""
    which = "server = ''" if since is None else "server = '' AND seq > ?"
    values = () if since is None else (since,)
    children = _Children(connection, which, values)
    aliases = children.of("alias", "alias", lambda row: row[1])
    headings = children.of("heading", "level, text, line, start, end_line, stop, section_end", _heading)
    blocks = children.of(
        "block",
        "id, text, line, start, end_line, stop, block_line, block_start, block_end_line, block_stop",
        _block,
    )
    tags = children.of("tag", "tag, line, start, end_line, stop, in_properties", _tag)
    links = children.of(
        "link",
        "kind, text, target, subpath, display, markdown, line, start, end_line, stop, context",
        _link,
    )
    properties = children.of("property", 'name, kind, "values"', _property)
    rows = connection.execute(
        f"SELECT id, path, title, modified, size FROM note WHERE {which} ORDER BY path",  # noqa: S608 -- Our own words.
        values,
    )
    none: tuple[()] = ()
    return tuple(
        Note(
            NotePath(path),
            title,
            tuple(aliases.get(id_, none)),
            tuple(headings.get(id_, none)),
            tuple(blocks.get(id_, none)),
            tuple(tags.get(id_, none)),
            tuple(links.get(id_, none)),
            tuple(properties.get(id_, none)),
            modified,
            size,
        )
        for id_, path, title, modified, size in rows
    )


class _Children:
    """What belongs to the wanted notes, by the number of the note."""

    def __init__(self, connection: sqlite3.Connection, which: str, values: tuple[int, ...]) -> None:
        self._connection = connection
        # All rows are read where all notes are wanted: those of unsaved notes are few and find no taker.
        self._where = f"WHERE note IN (SELECT id FROM note WHERE {which})" if values else ""  # noqa: S608 -- The same.
        self._values = values

    def of(self, table: str, columns: str, make: Callable[[_Row], T]) -> dict[int, list[T]]:
        """*make* of every row of *table*; the row begins with the number of its note."""
        found: dict[int, list[T]] = {}
        rows = self._connection.execute(
            f"SELECT note, {columns} FROM {table} {self._where} ORDER BY note, ord",  # noqa: S608 -- The same.
            self._values,
        )
        last, things = -1, list[T]()
        for row in rows:
            if row[0] != last:
                last, things = row[0], []
                found[last] = things
            things.append(make(row))
        return found


def _heading(row: _Row) -> NoteHeading:
    return NoteHeading(row[1], row[2], Place._make(row[3:7]), row[7])


def _block(row: _Row) -> NoteBlock:
    return NoteBlock(row[1], Place._make(row[3:7]), Place._make(row[7:11]), row[2])


def _tag(row: _Row) -> NoteTag:
    return NoteTag(sys.intern(row[1]), Place._make(row[2:6]), bool(row[6]))


def _link(row: _Row) -> NoteLink:
    _, kind, text, target, subpath, display, markdown, line, start, end_line, end, context = row
    place = Place(line, start, end_line, end)
    # Thousands of links have one target: they share its text, as those of `note_of` do.
    return NoteLink(_KINDS[kind], text, sys.intern(target), subpath, display, bool(markdown), place, context)


def _property(row: _Row) -> NoteProperty:
    return NoteProperty(sys.intern(row[1]), sys.intern(row[2]), tuple(json.loads(row[3])))
