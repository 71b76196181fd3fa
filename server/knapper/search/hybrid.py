"""The passages for a query, by words and by meaning.

Whatever is missing for the meaning, words alone answer, and the remarks say so. Knows the two sides;
must not know how notes are made of passages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from knapper.base.cancel import CancelToken
from knapper.search.fuse import DEPTH, Side, fuse
from knapper.search.lexical import Candidate, Found, find
from knapper.search.port import LexicalIndex, Meaning, Ranked
from knapper.search.query import Query
from knapper.search.results import Stage
from knapper.search.scope import Scope

Mode = Literal["hybrid", "text", "semantic"]
"""By both; by words alone; by meaning alone."""

NO_MEANING = "There is no search by meaning yet; this is full text."
NO_WORDS = "No note holds these words; these are near to them in meaning."


@dataclass(frozen=True, slots=True)
class Sides:
    """How to look: which sides, how much the meaning counts beside the words, and the meaning itself.

    Without `meaning`, `why` says why there is none; `typing` is for somebody who still types.
    """

    mode: Mode = "hybrid"
    weight: float = 1.0
    meaning: Meaning | None = None
    why: str = ""
    typing: bool = False


def gather(
    index: LexicalIndex, query: Query, scope: Scope, sides: Sides, token: CancelToken
) -> tuple[Found, tuple[str, ...]]:
    """The best passages of each side made one ranking, and what is to be said about that."""
    by_meaning, remarks = _by_meaning(index, query, scope, sides)
    token.check()
    if by_meaning is not None and sides.mode == "semantic":
        ranks = enumerate(by_meaning, 1)
        near = [Candidate(chunk, note, [Stage("meaning", rank, cos)]) for rank, (chunk, note, cos) in ranks]
        return Found(tuple(near), tuple(term.needle for term in query.terms), by_meaning=True), remarks
    found = find(index, query, scope, token, typing=sides.typing)
    if not by_meaning:
        return found, remarks
    if not found.candidates:
        remarks = (NO_WORDS, *remarks)
    words = [(candidate.chunk, candidate.note, candidate.score) for candidate in found.candidates]
    both = fuse([Side("words", words), Side("meaning", by_meaning, max(0.0, sides.weight))])
    return Found(tuple(both), found.needles, found.also, by_meaning=True), remarks


def _by_meaning(
    index: LexicalIndex, query: Query, scope: Scope, sides: Sides
) -> tuple[Ranked | None, tuple[str, ...]]:
    """The passages nearest in meaning, or None if words alone must do; and why."""
    if sides.mode == "text" or sides.typing or not query.said.strip():
        return None, ()
    if sides.meaning is None:
        why = sides.why or (NO_MEANING if sides.mode == "semantic" else "")
        return None, (why,) if why else ()
    vector, why = sides.meaning.vector(query.said)
    if vector is None:
        return None, (f"{why} This is full text.".lstrip(),)
    without = scope.without | index.unseen()
    near = sides.meaning.nearest(vector, DEPTH, scope.among, without)
    return near, (sides.meaning.remark,) if sides.meaning.remark else ()
