"""What is embedded of each chunk of one index: the text, its hash, and the lines that are left out.

Knows the rows of the index and `search.passage`; must not know models. Works in short steps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection

from knapper.search.boilerplate import LineCounts
from knapper.search.passage import embedded_text, written_date
from knapper.store.embedding_writer import EmbeddingWriter, Source

_NOTES, _CHUNKS = 100, 200
"""How much one step looks at: some ten milliseconds."""


class Passages:
    """The texts of the index behind *rows*, without the boilerplate that it remembers."""

    def __init__(self, rows: EmbeddingWriter) -> None:
        self._rows = rows
        self._known = _read(rows.meta("boilerplate"))
        self._counted_at = rows.meta("boilerplate_pass")
        self._counting: _Counting | None = None
        self._stale_after: int | None = None  # looking for passages that are others now, from this chunk on

    def text_of(self, source: Source) -> str:
        """What stands for the chunk in a model; empty if it says nothing of its own."""
        dated = written_date(source.name, source.dates)
        return embedded_text(source.title, source.headings, dated, source.text, self._known or frozenset())

    def step(self, fingerprint: str) -> bool:
        """Learn the boilerplate after a whole pass, and drop vectors of texts that are others for it.

        Whether there is more to do at once. An edit never leads to work here.
        """
        if self._counting is not None:
            self._count(self._counting)
        elif self._stale_after is not None:
            self._drop_stale(fingerprint, self._stale_after)
        elif (passed := self._rows.meta("passed")) != self._counted_at:
            notes = self._rows.notes()
            if self._is_news(notes):
                self._counting = _Counting(passed, notes)
            else:
                self._counted_at = passed
        else:
            return False
        return True

    def _is_news(self, notes: int) -> bool:
        """Counting every line of a vault is no small work: once, and when a tenth of the notes is new."""
        counted = self._rows.meta("boilerplate_notes")
        return self._known is None or abs(notes - int(counted or 0)) > max(notes // 10, 5)

    def _count(self, counting: _Counting) -> None:
        found = self._rows.texts_of_notes(counting.after, _NOTES)
        for note, texts in found:
            counting.lines.add(texts)
            counting.after = note
        if not found:
            self._counting = None
            self._learned(counting)

    def _learned(self, counting: _Counting) -> None:
        before = self._known
        now = counting.lines.boilerplate(before or frozenset())
        self._counted_at = counting.passed
        self._rows.set_meta(boilerplate=json.dumps(sorted(now)), boilerplate_notes=str(counting.notes))
        self._known = now
        if now != (before or frozenset()):
            self._stale_after = 0

    def _drop_stale(self, fingerprint: str, after: int) -> None:
        found = self._rows.hashes(fingerprint, after, _CHUNKS)
        known = dict(found)
        stale = [
            source.chunk
            for source in self._rows.sources(list(known))
            if hash_of(self.text_of(source)) != known[source.chunk]
        ]
        if stale:
            self._rows.drop(fingerprint, stale)
        self._stale_after = found[-1][0] if found else None


class _Counting:
    """Counting the lines of all notes."""

    def __init__(self, passed: str | None, notes: int) -> None:
        self.passed = passed
        self.notes = notes
        self.after = 0
        self.lines = LineCounts()


def hash_of(text: str) -> str:
    """The name of a text in the cache of vectors."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _read(text: str | None) -> Collection[str] | None:
    """The lines in a JSON list, or None if they have never been counted."""
    if text is None:
        return None
    try:
        return frozenset(str(line) for line in json.loads(text))
    except (ValueError, TypeError):
        return None
