"""Writing the vectors of an index: what has none yet, what there is to embed, and the vectors.

A connection of its own, so that it sees by `data_version` when notes were written. Used by the owner's main
thread only. Must not know models, nor how the text to embed is put together.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from knapper.store.connection import connect, immediate
from knapper.store.embeddings import KEPT_GONE
from knapper.store.errors import in_words
from knapper.vault.paths import NotePath

_MISSING = """
    SELECT chunk.id, note.path FROM chunk JOIN note ON note.id = chunk.note
    WHERE NOT EXISTS (SELECT 1 FROM embedding WHERE embedding.chunk = chunk.id AND fingerprint = ?)
    ORDER BY note.server = '', note.modified DESC, note.id, chunk.ord"""
_SOURCES = """
    SELECT chunk.id, chunk.digest, chunk.title, note.name, coalesce(note.title, note.name), above, text,
        (SELECT "values" FROM property WHERE property.note = note.id AND lower(property.name) = 'date'),
        (SELECT "values" FROM property WHERE property.note = note.id AND lower(property.name) = 'created')
    FROM chunk JOIN note ON note.id = chunk.note
    WHERE chunk.id IN (SELECT value FROM json_each(?)) ORDER BY chunk.id"""
_PUT = """
    INSERT INTO embedding (chunk, fingerprint, window, hash, vector, problem) SELECT ?, ?, ?, ?, ?, ?
    WHERE EXISTS (SELECT 1 FROM chunk WHERE id = ? AND digest = ? AND title = ?)
    ON CONFLICT (chunk, fingerprint, window) DO NOTHING"""


class Source(NamedTuple):
    """A chunk with all that its embedded text is made of."""

    chunk: int
    digest: str
    folded_title: str  # with the digest: tells whether the row is still the same
    name: str
    title: str
    headings: tuple[str, ...]
    text: str
    dates: tuple[str, ...]  # what the properties `date` and `created` say


class EmbeddingRow(NamedTuple):
    """What has become of one chunk: vectors, none because there is nothing to embed, or a problem."""

    source: Source
    hash: str
    vectors: Sequence[bytes] = ()
    problem: str | None = None


class Tally(NamedTuple):
    """How many chunks there are, how many have been seen to, and how many of the rest have failed."""

    chunks: int
    done: int
    failed: int


class EmbeddingWriter:
    """The vectors of the index *database*."""

    def __init__(self, database: Path) -> None:
        """Raise a `StoreError` if there is no such index."""
        self._db: sqlite3.Connection = connect(database)

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def data_version(self) -> int:
        """A number that changes when anybody else has committed."""
        with in_words():
            return int(self._db.execute("PRAGMA data_version").fetchone()[0])

    def meta(self, key: str) -> str | None:
        """A fact about the index, as text."""
        with in_words():
            row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None or row[0] is None else str(row[0])

    def set_meta(self, **facts: str) -> None:
        """Remember facts about the index."""
        with self._commit():
            self._set_meta(facts)

    # --- what there is to do ---

    def missing(self, fingerprint: str) -> list[tuple[int, NotePath]]:
        """The chunks without vectors in this set, with their notes: unsaved ones first, then the latest."""
        with in_words():
            return [(chunk, NotePath(path)) for chunk, path in self._db.execute(_MISSING, (fingerprint,))]

    def sources(self, chunks: Collection[int]) -> list[Source]:
        """What the embedded texts of these chunks are made of; chunks that are gone are left out."""
        with in_words():
            rows = self._db.execute(_SOURCES, (json.dumps(list(chunks)),)).fetchall()
        return [
            Source(
                chunk, digest, folded, name, title,
                tuple(heading for heading in above.split("\n") if heading),
                text, (*_scalars(dated), *_scalars(created)),
            )
            for chunk, digest, folded, name, title, above, text, dated, created in rows
        ]  # fmt: skip

    def texts_of_notes(self, after: int, most: int) -> list[tuple[int, list[str]]]:
        """The chunks' texts of the next saved notes whose numbers are above *after*, by note."""
        with in_words():
            rows = self._db.execute(
                "SELECT note, text FROM chunk WHERE note IN"
                " (SELECT id FROM note WHERE id > ? AND server = '' ORDER BY id LIMIT ?) ORDER BY note",
                (after, most),
            )
            found: dict[int, list[str]] = {}
            for note, text in rows:
                found.setdefault(note, []).append(text)
        return list(found.items())

    def notes(self) -> int:
        """How many saved notes there are."""
        with in_words():
            return int(self._db.execute("SELECT count(*) FROM note WHERE server = ''").fetchone()[0])

    def chunks(self) -> int:
        """How many chunks there are."""
        with in_words():
            return int(self._db.execute("SELECT count(*) FROM chunk").fetchone()[0])

    def hashes(self, fingerprint: str, after: int, most: int) -> list[tuple[int, str]]:
        """The next chunks above *after* that are in the set, each with the hash of what was embedded."""
        with in_words():
            return self._db.execute(
                "SELECT chunk, hash FROM embedding WHERE chunk > ? AND fingerprint = ? AND window = 0"
                " ORDER BY chunk LIMIT ?",
                (after, fingerprint, most),
            ).fetchall()

    def tally(self, fingerprint: str) -> Tally:
        """How far the set is."""
        with in_words():
            rows = self._db.execute(
                "SELECT problem IS NOT NULL, count(*) FROM embedding WHERE fingerprint = ? AND window = 0"
                " GROUP BY 1",
                (fingerprint,),
            )
            by_problem = dict(rows.fetchall())
        return Tally(self.chunks(), by_problem.get(0, 0), by_problem.get(1, 0))

    # --- writing ---

    def put(self, fingerprint: str, rows: Iterable[EmbeddingRow]) -> None:
        """Write what has become of chunks; of one that was changed meanwhile nothing is written."""
        values = [
            (
                it.chunk,
                fingerprint,
                window,
                row.hash,
                vector,
                row.problem,
                it.chunk,
                it.digest,
                it.folded_title,
            )
            for row in rows
            for it in (row.source,)
            for window, vector in enumerate(row.vectors or (None,))
        ]
        if values:
            with self._commit():
                self._db.executemany(_PUT, values)

    def drop(self, fingerprint: str, chunks: Collection[int]) -> None:
        """Forget the vectors of these chunks in the set: they are to be made again."""
        with self._commit():
            self._db.execute(
                "DELETE FROM embedding WHERE fingerprint = ? AND chunk IN (SELECT value FROM json_each(?))",
                (fingerprint, json.dumps(list(chunks))),
            )

    def retry_failed(self, fingerprint: str) -> None:
        """Let what failed be tried again."""
        with self._commit():
            self._db.execute(
                "DELETE FROM embedding WHERE fingerprint = ? AND problem IS NOT NULL", (fingerprint,)
            )

    def serve(self, fingerprint: str, **facts: str) -> None:
        """From now on this set is the one that is used; all others are dropped."""
        with self._commit():
            self._set_meta({"serving": fingerprint, **facts})
            self._db.execute("DELETE FROM embedding WHERE fingerprint <> ?", (fingerprint,))
            self._db.execute(
                "DELETE FROM embedding_gone WHERE id <= (SELECT max(id) FROM embedding_gone) - ?",
                (KEPT_GONE,),
            )

    def _set_meta(self, facts: dict[str, str]) -> None:
        self._db.executemany(
            "INSERT INTO meta (key, value) VALUES (?, ?)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            facts.items(),
        )

    @contextmanager
    def _commit(self) -> Iterator[None]:
        with in_words(), immediate(self._db):
            yield


def _scalars(values: str | None) -> list[str]:
    return [str(value) for value in json.loads(values)] if values else []
