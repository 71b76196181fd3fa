"""The rows of many notes, gathered and then written with one statement a table.

Chunks go through a temporary table: the full text's triggers open a savepoint for every statement, and
each savepoint makes FTS5 write what it has gathered. One statement for a whole batch costs as much as no
triggers at all; one a row cost 1.7 times as much. Must not know of transactions or states.
"""

from __future__ import annotations

import json
import sqlite3

from knapper.store.rows import ChunkRow, Entry, FileState
from knapper.store.schema import CHILDREN
from knapper.vault.note import Note
from knapper.vault.paths import NotePath, key, stem_of

_INSERTS = {
    "note": (
        "INSERT INTO note (id, path, server, name, title, modified, size, seq)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (path, server) DO UPDATE SET title = excluded.title, modified = excluded.modified,"
        " size = excluded.size, seq = excluded.seq"
    ),
    "file": "UPDATE file SET digest = ?, size = ?, mtime_ns = ?, inode = ? WHERE path = ?",
    "alias": "INSERT INTO alias VALUES (?, ?, ?)",
    "heading": "INSERT INTO heading VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "block": "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "tag": "INSERT INTO tag VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "link": "INSERT INTO link VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "property": "INSERT INTO property VALUES (?, ?, ?, ?, ?)",
    "name_search": "INSERT INTO name_search (rowid, title, aliases, headings) VALUES (?, ?, ?, ?)",
}
_CHUNK = ", ".join(("note", "ord", *ChunkRow._fields))
_STAGE = f"CREATE TEMP TABLE IF NOT EXISTS stage ({_CHUNK})"
_TO_STAGE = f"INSERT INTO temp.stage VALUES ({', '.join('?' * (2 + len(ChunkRow._fields)))})"  # noqa: S608
_FROM_STAGE = f"INSERT INTO main.chunk ({_CHUNK}) SELECT {_CHUNK} FROM temp.stage ORDER BY rowid"  # noqa: S608
# S608 here and below: the names are our own.


class Staging:
    """Rows on their way into one connection's index."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._rows: dict[str, list[tuple[object, ...]]] = {}
        self._chunks: list[tuple[object, ...]] = []
        self._notes: set[int] = set()
        self._staged = False
        connection.execute(_STAGE)
        self.clear()

    def clear(self) -> None:
        """Forget what was gathered for a transaction that came to nothing."""
        self._forget()
        self._staged = False
        self._notes = set()

    def _forget(self) -> None:
        self._rows = {table: [] for table in _INSERTS}
        self._chunks = []

    def drop(self, note: int) -> None:
        """Delete all rows that belong to the note with this number."""
        if note in self._notes:
            self.flush()
        for table in CHILDREN:
            self._connection.execute(f"DELETE FROM {table} WHERE note = ?", (note,))  # noqa: S608
        self._connection.execute("DELETE FROM name_search WHERE rowid = ?", (note,))

    def add_file(self, path: NotePath, digest: str, state: FileState) -> None:
        """Gather what the file of a note looked like when it was read."""
        self._rows["file"].append((digest, *state, path))

    def add(self, note: int, entry: Entry, server: str, seq: int) -> None:
        """Gather the rows of a note; of an unsaved one only what searching needs."""
        self._notes.add(note)
        rows, it = self._rows, entry.note
        rows["note"].append((note, it.path, server, stem_of(it.path), it.title, it.modified, it.size, seq))
        rows["alias"].extend((note, ord_, alias) for ord_, alias in enumerate(it.aliases))
        rows["tag"].extend(
            (note, ord_, tag.name, key(tag.name), tag.in_properties, *tag.place)
            for ord_, tag in enumerate(it.tags)
        )
        rows["property"].extend(
            (note, ord_, prop.name, prop.kind, json.dumps(prop.values, ensure_ascii=False))
            for ord_, prop in enumerate(it.properties)
        )
        rows["name_search"].append((note, *entry.names))
        self._chunks.extend((note, ord_, *chunk) for ord_, chunk in enumerate(entry.chunks))
        if not server:
            self._add_places(note, it, entry)

    def _add_places(self, note: int, it: Note, entry: Entry) -> None:
        self._rows["heading"].extend(
            (note, ord_, heading.level, heading.text, *heading.place, heading.section_end)
            for ord_, heading in enumerate(it.headings)
        )
        self._rows["block"].extend(
            (note, ord_, block.id, block.text, *block.place, *block.block)
            for ord_, block in enumerate(it.blocks)
        )
        self._rows["link"].extend(
            (
                note, ord_, link.kind.value, link.text, link.target, link.subpath, link.display,
                link.markdown, *link.place, link.context, *resolved,
            )
            for ord_, (link, resolved) in enumerate(zip(it.links, entry.resolved, strict=True))
        )  # fmt: skip

    def flush_notes(self) -> None:
        """Write the notes themselves, so that they can be looked up."""
        if self._rows["note"]:
            self._connection.executemany(_INSERTS["note"], self._rows["note"])
            self._rows["note"] = []

    def flush_rows(self) -> None:
        """Write what was gathered, all but the full text."""
        for table, rows in self._rows.items():
            if rows:
                self._connection.executemany(_INSERTS[table], rows)
        self._connection.executemany(_TO_STAGE, self._chunks)
        self._staged |= bool(self._chunks)
        self._forget()

    def flush(self) -> None:
        """Write what was gathered."""
        self.flush_rows()
        if self._staged:
            self._connection.execute(_FROM_STAGE)
            self._connection.execute("DELETE FROM temp.stage")
        self._staged = False
        self._notes = set()
