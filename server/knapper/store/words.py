"""Words and chunks of single notes, asked of an index: what `search.related` needs of it.

Adds to the full text how many chunks hold a word, and which ones. Knows the tables and FTS5; must not know
what makes notes related.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from knapper.store.lexical import LexicalReader, State
from knapper.store.match import phrase
from knapper.vault.paths import NotePath

_NOTE = "SELECT id FROM note WHERE path = ? AND server IN ('', ?) ORDER BY server DESC LIMIT 1"
_NOTES = "SELECT id, path FROM note WHERE id NOT IN (SELECT value FROM json_each(?)) ORDER BY path"
_DIGESTS = "SELECT path, digest FROM file WHERE digest IS NOT NULL"
_BEGINNINGS = """
    SELECT note, coalesce(note.title, note.name), text FROM chunk JOIN note ON note.id = chunk.note
    WHERE note IN (SELECT value FROM json_each(?)) AND ord < ? ORDER BY note, ord"""
_HOLDERS = "SELECT rowid FROM chunk_search WHERE chunk_search MATCH ? ORDER BY rowid"
_OWNERS = "SELECT id, note FROM chunk WHERE note NOT IN (SELECT value FROM json_each(?))"
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM chunk_search WHERE chunk_search MATCH ? LIMIT ?)"
_FREQUENCIES = "SELECT term, doc FROM chunk_term WHERE term IN (SELECT value FROM json_each(?))"


class WordReader(LexicalReader):
    """The full text, with the words of single notes, as the server *server* sees it."""

    def __init__(self, connection: sqlite3.Connection, server: str = "") -> None:
        super().__init__(connection, server)
        self._owners: tuple[State, dict[int, int]] | None = None

    def chunk_count(self) -> int:
        """How many chunks there are, about: unsaved ones count too."""
        return int(self._rows("SELECT count(*) FROM chunk")[0][0])

    def note_at(self, path: NotePath) -> int | None:
        """The number of the note at *path*, the unsaved one if there is one."""
        rows = self._rows(_NOTE, path, self._server)
        return int(rows[0][0]) if rows else None

    def chunks_of(self, note: int) -> list[int]:
        """The chunks of the note, in the order of its text."""
        return [chunk for (chunk,) in self._rows("SELECT id FROM chunk WHERE note = ? ORDER BY ord", note)]

    def notes(self) -> list[tuple[int, NotePath]]:
        """The notes, by path, each with its number."""
        return self._rows(_NOTES, self._unseen_notes())

    def digests(self) -> dict[NotePath, str]:
        """A digest of what was read of each saved file, by path."""
        return dict(self._rows(_DIGESTS))

    def beginnings(self, notes: Sequence[int], chunks: int) -> list[tuple[int, str, str]]:
        """The first *chunks* of each of *notes*, in the order of the text: the note, its title, the text."""
        return self._rows(_BEGINNINGS, json.dumps(list(notes)), chunks)

    def chunks_holding(self, needle: str) -> list[tuple[int, int]]:
        """The chunks that hold *needle*, each with its note."""
        owners = self._owners_of_chunks()
        return [
            (chunk, owners[chunk]) for (chunk,) in self._rows(_HOLDERS, phrase(needle)) if chunk in owners
        ]

    def _owners_of_chunks(self) -> dict[int, int]:
        """The note of each chunk that this server sees, read once: going from row to row is slow."""
        state = self._state()
        if self._owners is None or self._owners[0] != state:
            self._owners = (state, dict(self._rows(_OWNERS, self._unseen_notes())))
        return self._owners[1]

    def frequencies(self, needles: Sequence[str], most: int | None = None) -> dict[str, int]:
        """How many chunks hold each needle, as it is stemmed; those of unsaved texts count too.

        Counting stops at *most*, which is much faster for words that thousands of chunks hold.
        """
        counted = self._counted(needles) if most is None else {}
        for needle in needles:
            if needle not in counted:
                limit = -1 if most is None else most  # -1: no limit.
                counted[needle] = int(self._rows(_COUNT, phrase(needle), limit)[0][0])
        return counted

    def _counted(self, needles: Sequence[str]) -> dict[str, int]:
        """The frequencies of those needles that are one word."""
        words = [needle for needle in needles if " " not in needle]
        stems = self.stems_of(words)
        held = dict(self._rows(_FREQUENCIES, json.dumps(list(set(stems.values())))))
        return {word: int(held.get(stem, 0)) for word, stem in stems.items()}

    def stems_of(self, words: Sequence[str]) -> dict[str, str]:
        """Each of *words* as the index would store it: `loaves` gives `loav`."""
        memory = self._indexed(enumerate(words))
        return {words[at]: term for term, at in memory.execute("SELECT term, doc FROM instance")}
