"""Full-text ranking: chunks that hold any of the words, those that hold all of them first.

Words that no note holds are looked for by their parts or as typing slips, at a lower weight. Knows the
port and scores; must not know notes' texts or how hits are shown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from knapper.base.cancel import CancelToken
from knapper.search.port import LexicalIndex
from knapper.search.query import Query, Term
from knapper.search.results import Stage
from knapper.search.scope import Scope
from knapper.search.stopwords import STOP_WORDS
from knapper.search.typos import nearest
from knapper.text.fold import cjk_runs

DEPTH = 200
"""How many chunks each ranking gives."""
ALSO_WEIGHT = 0.4
"""What a word counts that was not typed but is near one that was."""
_MOST_UNKNOWN = 8

_WORD = re.compile(r"[^\W_]+")


@dataclass(slots=True)
class Candidate:
    """A chunk on its way to become a hit. Its score is the sum of what the stages gave it."""

    chunk: int
    note: int
    trace: list[Stage] = field(default_factory=list)

    @property
    def score(self) -> float:
        """The sum of the trace."""
        return sum(stage.score for stage in self.trace)


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, best first; the needles that found them; words that were searched besides.

    `mistyped` is the part of the query's words that no note holds and that seem to be slips of the hand;
    `by_meaning` says that their meaning had a part in their scores.
    """

    candidates: tuple[Candidate, ...] = ()
    needles: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    by_meaning: bool = False
    mistyped: float = 0.0


def find(
    index: LexicalIndex, query: Query, scope: Scope, token: CancelToken, *, typing: bool = False
) -> Found:
    """The chunks within *scope* for *query*, whose last word may be a beginning while somebody is *typing*.

    A chunk with all terms gets the best score of all on top, so it comes before every other.
    """
    needles = [term.needle for term in (*query.terms, *query.required, *scope.terms)]
    last = query.last if typing else None
    pool: dict[int, Candidate] = {}
    words = index.ranked(needles, DEPTH, among=scope.among, without=scope.without)
    _add(pool, "words", words)
    token.check()
    if len(needles) > 1 and words:
        every = index.ranked(needles, DEPTH, every=True, among=scope.among, without=scope.without)
        _add(pool, "words", [row for row in every if row[0] not in pool])
        _add(pool, "all words", [(chunk, note, words[0][2]) for chunk, note, _ in every])
        token.check()
    if last:
        typed = [*(needle for needle in needles if needle != last.needle), last.needle]
        _add(pool, "beginning", index.names_beginning(typed, DEPTH, scope.without), among=scope.among)
        token.check()
    unknown = [t for t in query.terms if t != last and not index.held(t.needle)][:_MOST_UNKNOWN]
    instead = {term: _instead(index, term) for term in unknown}
    also = [needle for needles in instead.values() for needle in needles]
    slips = sum(bool(near) and " " not in term.needle for term, near in instead.items())
    if also:
        rows = index.ranked(also, DEPTH, among=scope.among, without=scope.without)
        _add(pool, "also searched", [(chunk, note, score * ALSO_WEIGHT) for chunk, note, score in rows])
    ordered = sorted(pool.values(), key=lambda candidate: (-candidate.score, candidate.chunk))
    mistyped = slips / max(len(query.terms), 1)
    return Found(tuple(ordered), (*needles, *also), tuple(also), mistyped=mistyped)


def _add(
    pool: dict[int, Candidate],
    stage: str,
    rows: Sequence[tuple[int, int, float]],
    among: frozenset[int] | None = None,
) -> None:
    for rank, (chunk, note, score) in enumerate(rows, 1):
        if among is None or note in among:
            pool.setdefault(chunk, Candidate(chunk, note)).trace.append(Stage(stage, rank, score))


def _instead(index: LexicalIndex, term: Term) -> tuple[str, ...]:
    """What may be meant by a term that no note holds: its parts, or words one slip away.

    `结构化知` gives `结 构`, `构 化`, `化 知`; `foo/bar` gives `foo`, `bar`; `sourdouhg` gives `sourdough`.
    """
    words = _WORD.findall(term.needle)
    if len(words) == 1:
        stem, near = index.terms_near(words[0])
        return nearest(stem, near, len(words[0]))
    if all(any(cjk_runs(word)) for word in words):
        pairs = (f"{one} {other}" for one, other in pairwise(words))
        return tuple(dict.fromkeys(pairs)) if len(words) > 2 else ()
    return tuple(dict.fromkeys(word for word in words if _says_something(word)))


def _says_something(part: str) -> bool:
    """Whether a part of a word is worth a search of its own: the `11` of `DL-11` is not."""
    return any(cjk_runs(part)) or (len(part) > 1 and not part.isdigit() and part not in STOP_WORDS)
