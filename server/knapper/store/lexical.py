"""Full text asked of an index: the search port (`search.port.LexicalIndex`) over one connection.

Shows a server its own unsaved rows instead of the saved ones. Knows the tables and FTS5; must not know
queries, how hits are put in order, or how they are shown. Belongs to its connection's thread; only
`interrupt` may be called from another.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from knapper.store.connection import snapshot
from knapper.store.errors import in_words
from knapper.store.match import any_of, every_of, every_of_with_beginning, in_columns, phrase
from knapper.vault.paths import NotePath, key

Ranked = list[tuple[int, int, float]]
"""Chunk, its note, score; best first."""

# A word weighs most in the title, then in aliases, tags, headings and body. The plus before a rowid keeps
# SQLite from asking the full text once for each row of a list. Not by `rank`: FTS5 then sorts all rows in
# a statement of its own before it gives the first, which takes half as long again.
_RANKED = """
    SELECT found.id, chunk.note, -found.score FROM (
        SELECT rowid AS id, bm25(chunk_search, 8, 6, 3, 3, 1) AS score FROM chunk_search
        WHERE chunk_search MATCH ? {narrow} ORDER BY score LIMIT ?
    ) AS found JOIN chunk ON chunk.id = found.id ORDER BY found.score, found.id"""
_CHUNKS_OF = "(SELECT id FROM chunk WHERE note IN (SELECT value FROM json_each(?)))"
_NAMES = """
    SELECT rowid, -rank FROM name_search
    WHERE name_search MATCH ? AND rank MATCH 'bm25(4, 3, 1)'
        AND +rowid NOT IN (SELECT value FROM json_each(?)) AND +rowid NOT IN (SELECT value FROM json_each(?))
    ORDER BY rank LIMIT ?"""
_HOLDING = """
    SELECT DISTINCT note FROM chunk
    WHERE id IN (SELECT rowid FROM chunk_search WHERE chunk_search MATCH ?)"""
_TAGGED = "SELECT DISTINCT note FROM tag WHERE tag_key = ? OR (tag_key >= ? AND tag_key < ?)"
_PASSAGES = """
    SELECT chunk.id, note.path, coalesce(note.title, note.name), chunk.above, chunk.text,
        chunk.line, chunk.character, (SELECT json_group_array(alias) FROM alias WHERE alias.note = note.id)
    FROM chunk JOIN note ON note.id = chunk.note WHERE chunk.id IN (SELECT value FROM json_each(?))"""
_FIRST_CHUNKS = """
    SELECT note, id, min(ord) FROM chunk WHERE note IN (SELECT value FROM json_each(?)) GROUP BY note"""
_BODIES = "SELECT id, body FROM chunk WHERE id IN (SELECT value FROM json_each(?))"
_MATCHED = "SELECT rowid, highlight(word, 0, char(2), char(3)) FROM word WHERE word MATCH ?"
_TERMS = "SELECT term FROM chunk_term WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?"
_UNSEEN = """
    SELECT id FROM note WHERE server NOT IN ('', ?1)
    UNION ALL SELECT id FROM note
    WHERE server = '' AND ?1 <> '' AND path IN (SELECT path FROM note WHERE server = ?1)"""
_DATES = """
    SELECT id, name, modified,
        (SELECT "values" FROM property WHERE property.note = note.id AND lower(property.name) = 'date'),
        (SELECT "values" FROM property WHERE property.note = note.id AND lower(property.name) = 'created')
    FROM note"""
_SOME_DATES = _DATES + " WHERE id IN (SELECT value FROM json_each(?))"  # noqa: S608 -- Our own words.

_FACTS = """
    SELECT note.id, note.path, note.name, note.modified,
        (SELECT json_group_array(tag_key) FROM tag WHERE tag.note = note.id),
        (SELECT json_group_object(lower(property.name), json("values")) FROM property
            WHERE property.note = note.id
                AND lower(property.name) IN ('date', 'created', 'importance', 'pinned'))
    FROM note WHERE id IN (SELECT value FROM json_each(?))"""

_TOKENIZER = "porter unicode61 remove_diacritics 2"
_ISO_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_MARKED = re.compile("\x02([^\x03]*)\x03")
_WORD = re.compile(r"[^\W_]+")
_NEAR_TERMS = 400
State = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChunkPassage:
    """A chunk with what is shown of it, as written. `line` and `character` are where it begins."""

    path: NotePath
    title: str
    aliases: tuple[str, ...]
    headings: tuple[str, ...]
    text: str
    line: int
    character: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What says how much a note matters: its date, tags, `importance` and `pinned`."""

    path: NotePath
    day: date
    tags: frozenset[str]
    importance: float | None
    pinned: bool


class LexicalReader:
    """The full text of the index behind *connection*, as the server *server* sees it."""

    def __init__(self, connection: sqlite3.Connection, server: str = "") -> None:
        self._db = connection
        self._server = server
        self._unseen: tuple[State, str] | None = None
        # The last test is mostly the same: which notes are hidden.
        self._tested: tuple[State, Callable[[NotePath], bool], frozenset[int]] | None = None
        self._days: tuple[State, list[tuple[int, date]]] | None = None
        self._stems: sqlite3.Connection | None = None

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """What is asked inside is answered from one state of the index; may stand within another."""
        if self._db.in_transaction:
            yield
        else:
            with in_words(), snapshot(self._db):
                yield

    def ranked(
        self,
        needles: Sequence[str],
        limit: int,
        *,
        every: bool = False,
        among: Collection[int] | None = None,
        without: Collection[int] = (),
    ) -> Ranked:
        """The best chunks that hold any (or `every`) needle."""
        if not needles:
            return []
        narrow, values = self._narrowing(among, without)
        expression = every_of(needles) if every else any_of(needles)
        return self._rows(_RANKED.format(narrow=narrow), expression, *values, limit)

    def held(self, needle: str) -> bool:
        """Whether any chunk holds *needle*."""
        return bool(
            self._rows("SELECT 1 FROM chunk_search WHERE chunk_search MATCH ? LIMIT 1", phrase(needle))
        )

    def names_beginning(self, needles: Sequence[str], limit: int, without: Collection[int] = ()) -> Ranked:
        """Notes whose title, aliases or headings hold all *needles*, the last one as a beginning.

        Each comes as its first chunk, itself and a score, best first.
        """
        unseen = self._unseen_notes()
        expression = every_of_with_beginning(needles)
        return self._first_chunks(self._rows(_NAMES, expression, unseen, json.dumps(list(without)), limit))

    def notes_holding(self, needle: str, *, in_title: bool = False) -> frozenset[int]:
        """The notes that hold *needle*, anywhere or in their title or aliases."""
        expression = in_columns(("title", "aliases"), phrase(needle)) if in_title else phrase(needle)
        return self._notes(_HOLDING, expression)

    def notes_tagged(self, tag: str) -> frozenset[int]:
        """The notes with *tag* or a tag nested in it, letter case aside."""
        wanted = key(tag)
        return self._notes(_TAGGED, wanted, f"{wanted}/", f"{wanted}0")  # `0` is the character behind `/`.

    def notes_dated(self, first: date, last: date) -> frozenset[int]:
        """The notes whose date lies from *first* to *last*."""
        state = self._state()
        if self._days is None or self._days[0] != state:
            self._days = (state, self._dates(self._rows(_DATES)))
        return frozenset(note for note, day in self._days[1] if first <= day <= last)

    def notes_where(self, test: Callable[[NotePath], bool]) -> frozenset[int]:
        """The notes whose path passes *test*."""
        state = self._state()
        if self._tested is None or self._tested[:2] != (state, test):
            rows = self._rows("SELECT id, path FROM note")
            self._tested = (state, test, frozenset(note for note, path in rows if test(path)))
        return self._tested[2]

    def latest(self, notes: Collection[int], limit: int, without: Collection[int] = ()) -> Ranked:
        """The first chunk of each of *notes*, the latest note first; the score is 0."""
        left = set(notes).difference(json.loads(self._unseen_notes()), without)
        dated = self._dates(self._rows(_SOME_DATES, json.dumps(list(left))))
        dated.sort(key=lambda row: (row[1], row[0]), reverse=True)
        return self._first_chunks([(note, 0.0) for note, _ in dated[:limit]])

    def passages(self, chunks: Sequence[int]) -> dict[int, ChunkPassage]:
        """What is shown of *chunks*."""
        rows = self._rows(_PASSAGES, json.dumps(list(chunks)))
        return {
            chunk: ChunkPassage(
                path=path,
                title=title,
                aliases=tuple(json.loads(aliases)),
                headings=tuple(above.split("\n")) if above else (),
                text=text,
                line=line,
                character=character,
            )
            for chunk, path, title, above, text, line, character, aliases in rows
        }

    def facts(self, notes: Collection[int]) -> dict[int, Facts]:
        """What says how much *notes* matter."""
        rows = self._rows(_FACTS, json.dumps(list(notes)))
        return {note: _facts(NotePath(path), *rest) for note, path, *rest in rows}

    def unseen(self) -> frozenset[int]:
        """The notes that must not be seen: others' unsaved ones, and saved ones under an own unsaved one."""
        return frozenset(json.loads(self._unseen_notes()))

    def matched_words(self, needles: Sequence[str], chunks: Sequence[int]) -> dict[int, frozenset[str]]:
        """The folded words by which each of *chunks* was found, as they stand in its text."""
        if not needles:
            return {}
        bodies = self._rows(_BODIES, json.dumps(list(chunks)))
        # A few texts in a table in memory are highlighted ten times as fast as these rows in the large one.
        marked = dict(self._indexed(bodies).execute(_MATCHED, (any_of(needles),)))
        words = {
            chunk: (word for piece in _MARKED.findall(text) for word in _WORD.findall(piece))
            for chunk, text in marked.items()
        }
        return {chunk: frozenset(words.get(chunk, ())) for chunk in chunks}

    def terms_near(self, word: str) -> tuple[str, list[str]]:
        """The stem of *word* as the index stores it, and indexed stems that look somewhat like it.

        Those begin with the same letter, share a trigram and differ in length by two at most:
        `sourdouhg` has `sourdough` near.
        """
        stem = self._stem(word)
        trigrams = _trigrams(stem)
        first, length = stem[:1], len(stem)
        near: list[tuple[int, str]] = []
        for (term,) in self._rows(_TERMS, first, first + "\U0010ffff", length - 2, length + 2):
            if shared := len(trigrams & _trigrams(term)):
                near.append((-shared, term))
        return stem, [term for _, term in sorted(near)[:_NEAR_TERMS]]

    def interrupt(self) -> None:
        """Stop the statement that runs, from another thread; it raises `Cancelled`."""
        self._db.interrupt()

    def _rows(self, statement: str, *values: object) -> list[Any]:
        with in_words():
            return self._db.execute(statement, values).fetchall()

    def _notes(self, statement: str, *values: object) -> frozenset[int]:
        return frozenset(note for (note,) in self._rows(statement, *values))

    def _narrowing(self, among: Collection[int] | None, without: Collection[int]) -> tuple[str, list[str]]:
        """SQL that keeps only chunks that may be seen and are asked for, and its values."""
        parts, values = [], []
        for notes in (self._unseen_notes(), json.dumps(list(without))):
            if notes != "[]":
                parts.append(f"AND +rowid NOT IN {_CHUNKS_OF}")
                values.append(notes)
        if among is not None:
            parts.append(f"AND +rowid IN {_CHUNKS_OF}")
            values.append(json.dumps(list(among)))
        return " ".join(parts), values

    def _unseen_notes(self) -> str:
        """The rows of `note` that this server must not see, as a JSON list."""
        state = self._state()
        if self._unseen is None or self._unseen[0] != state:
            unseen = self._notes(_UNSEEN, self._server)
            self._unseen = (state, json.dumps(list(unseen)))
        return self._unseen[1]

    def _state(self) -> State:
        """What changes with every commit, of this connection or of another."""
        return self._rows("PRAGMA data_version")[0][0], self._db.total_changes

    def _first_chunks(self, notes: Sequence[tuple[int, float]]) -> Ranked:
        rows = self._rows(_FIRST_CHUNKS, json.dumps([note for note, _ in notes]))
        first = {note: chunk for note, chunk, _ in rows}
        return [(first[note], note, score) for note, score in notes if note in first]

    def _dates(self, rows: Sequence[Any]) -> list[tuple[int, date]]:
        return [(note, note_date(name, when, made, modified)) for note, name, modified, when, made in rows]

    def _stem(self, word: str) -> str:
        """The stem under which the index would store *word*, found by indexing it in a table in memory."""
        row = self._indexed([(1, word)]).execute("SELECT term FROM stem").fetchone()
        return str(row[0]) if row else word

    def _indexed(self, texts: Iterable[tuple[int, str]]) -> sqlite3.Connection:
        """A database in memory whose table `word` holds *texts* by number, stemmed as in the index."""
        if self._stems is None:
            self._stems = sqlite3.connect(":memory:", check_same_thread=False)
            self._stems.execute(f"CREATE VIRTUAL TABLE word USING fts5 (text, tokenize='{_TOKENIZER}')")
            self._stems.execute("CREATE VIRTUAL TABLE stem USING fts5vocab ('word', 'row')")
            self._stems.execute("CREATE VIRTUAL TABLE instance USING fts5vocab ('word', 'instance')")
        self._stems.execute("DELETE FROM word")
        self._stems.executemany("INSERT INTO word (rowid, text) VALUES (?, ?)", texts)
        return self._stems


def _trigrams(word: str) -> set[str]:
    """The trigrams of *word*, its ends marked: `oven` has `^ov`, `ove`, `ven`, `en$`."""
    marked = f"^{word}$"
    return {marked[at : at + 3] for at in range(len(marked) - 2)}


def _facts(path: NotePath, name: str, modified: float, tags: str, properties: str) -> Facts:
    said: dict[str, list[Any]] = json.loads(properties)
    dated, created = (json.dumps(said[of]) if of in said else None for of in ("date", "created"))
    return Facts(
        path=path,
        day=note_date(name, dated, created, modified),
        tags=frozenset(json.loads(tags)),
        importance=_number(said.get("importance")),
        pinned=[str(value).lower() for value in said.get("pinned", ())] == ["true"],
    )


def _number(values: Sequence[Any] | None) -> float | None:
    """`["7"]` gives 7; a list of several, a text or `nan` is no number."""
    try:
        number = float(str(values[0])) if values and len(values) == 1 else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def note_date(name: str, dated: str | None, created: str | None, modified: float) -> date:
    """A note's date: a daily note's name, else its property `date`, else `created`, else the file's time.

    The properties come as the index holds them, a JSON list of scalars: `["2024-05-01"]`.
    """
    for text in (name, dated, created):
        if match := _ISO_DATE.search(text or ""):
            try:
                return date(*map(int, match.groups()))
            except ValueError:  # `2024-13-01` is no date.
                continue
    return datetime.fromtimestamp(modified, tz=UTC).astimezone().date()
