"""The passages that a search finds, in the texts of the notes as they are now.

The index says where; the text itself is always the note's own of this moment. Knows the search and chunks;
must not know what may be sent or how many passages are wanted.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from knapper.base.cancel import CancelToken
from knapper.markup.chunk import chunk
from knapper.memory.asked import Memory
from knapper.memory.excerpt import Source
from knapper.memory.scoping import Scoped
from knapper.search.pipeline import SearchOptions, search
from knapper.search.results import Hit
from knapper.text.span import Span
from knapper.vault.paths import NotePath

DEPTH = 40
"""So many passages are looked at."""
_MOST = 0.6


@dataclass(frozen=True, slots=True)
class Located:
    """A passage in its note's text. `offset` is where the words stand that it was found by.

    If it `is_part`, something was left out of it, and how near it is by meaning says nothing of the rest.
    """

    source: Source
    span: Span
    offset: int
    score: float = 0.0
    is_part: bool = False


@dataclass
class Finder:
    """One question's look into the notes; each note is read once."""

    memory: Memory
    scope: Scoped
    token: CancelToken
    _sources: dict[NotePath, Source | None] = field(default_factory=dict)

    def found(self, query: str, without: Collection[NotePath] = ()) -> tuple[list[Located], tuple[str, ...]]:
        """The passages for *query*, best first, none of notes *without*; and what the search has to say."""

        def hidden(path: NotePath) -> bool:
            return path in without or self.scope.hidden(path)

        options = SearchOptions(self.memory.today, limit=DEPTH, hidden=hidden, each_passage=True)
        results = search(self.memory.index, query, options, self.token, self.memory.aids)
        located = filter(None, map(self._of_hit, results.hits))
        return list({(it.source.path, it.span): it for it in located}.values()), results.remarks

    def first(self, notes: int) -> list[Located]:
        """The first passages of the latest notes of the scope; of a single note all passages."""
        rows = self.memory.index.latest(self.scope.notes, notes)
        passages = self.memory.index.passages([first for first, _, _ in rows])
        sources = filter(
            None, (self.source(passages[first].path) for first, _, _ in rows if first in passages)
        )
        every = [[Located(it, span, span.start) for span in _spans(it)] for it in sources]
        return every[0] if len(self.scope.notes) == 1 and every else [spans[0] for spans in every if spans]

    def source(self, path: NotePath) -> Source | None:
        """The note as it is now; None if it is gone."""
        self.token.check()
        if path not in self._sources:
            content = self.memory.text_of(path)
            self._sources[path] = Source(path, content) if content is not None else None
        return self._sources[path]

    def _of_hit(self, hit: Hit) -> Located | None:
        source = self.source(hit.path)
        if source is None:
            return None
        offset = source.text.span(hit.place).start
        located = _holding(source, offset, hit.snippet.strip("…"))
        return Located(source, located.span, located.offset, hit.score) if located else None


def _holding(source: Source, offset: int, words: str) -> Located | None:
    """The chunk at *offset* if it holds *words*, else the nearest one that does, or most of them.

    The note may have changed since it was indexed.
    """
    spans = sorted(_spans(source), key=lambda span: (not span.holds(offset), abs(span.start - offset)))
    for span in spans:
        if words in _one_line(span.of(source.content)):
            return Located(source, span, offset if span.holds(offset) else span.start)
    wanted = frozenset(words.split())
    shared = {span: len(wanted.intersection(span.of(source.content).split())) for span in spans}
    best = max(spans, key=shared.__getitem__, default=None)
    return Located(source, best, best.start) if best and shared[best] >= _MOST * len(wanted) else None


@lru_cache(maxsize=64)
def _spans(source: Source) -> Sequence[Span]:
    return [piece.span for piece in chunk(source.content, source.parse, source.title)]


def _one_line(text: str) -> str:
    return " ".join(text.split())
