"""A search from the typed text to hits that can be shown.

query -> scope (filters, dates, what is hidden) -> chunks ranked by words -> one hit a note, with a small
bonus for more passages and for an exact title -> passages and snippets. Knows the stages and their
order; must not know SQLite or editors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from knapper.base.cancel import CancelToken
from knapper.search.above import headings_above
from knapper.search.lexical import Candidate, Found, find
from knapper.search.port import LexicalIndex, Passage
from knapper.search.query import Query, parse_query
from knapper.search.results import Hit, Results, Stage
from knapper.search.scope import Scope, scope_of
from knapper.search.snippet import snippet_of
from knapper.text.fold import search_fold
from knapper.text.lines import Text
from knapper.text.span import Place
from knapper.vault.paths import NotePath, stem_of

MORE_PASSAGES = 0.1
"""At most this part of its best passage's score may a note gain by its other passages."""
EXACT_TITLE = 0.5
"""This part of the best score is the bonus for a title or alias that is the query, word for word."""
_LOOKED_AT = 20
"""So many more notes than asked for are looked at for an exact title."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search. `hidden` says which notes are left out; `each_passage` gives more than one hit a note.

    `typing` takes the last word as one that is still being typed.
    """

    today: date
    limit: int = 20
    hidden: Callable[[NotePath], bool] | None = None
    typing: bool = False
    each_passage: bool = False


def search(
    index: LexicalIndex, text: str, options: SearchOptions, token: CancelToken | None = None
) -> Results:
    """The hits for *text*, which may be anything. Raises `Cancelled`, and what the index raises."""
    token = token or CancelToken()
    query = parse_query(text, options.today)
    if query.empty:
        return Results((), query.remarks)
    forget = token.on_cancel(index.interrupt)
    try:
        token.check()
        scope = scope_of(index, query, options.hidden)
        token.check()
        if scope.empty:
            return Results((), (*query.remarks, *scope.remarks))
        return _results(index, query, scope, options, token)
    finally:
        forget()


def _results(
    index: LexicalIndex, query: Query, scope: Scope, options: SearchOptions, token: CancelToken
) -> Results:
    found = find(index, query, scope, token, typing=options.typing)
    looked_at = options.limit + _LOOKED_AT
    best = list(found.candidates) if options.each_passage else best_of_each_note(found.candidates)
    best = _filled(index, best[:looked_at], query, scope, looked_at)
    passages = index.passages([candidate.chunk for candidate in best])
    best = [candidate for candidate in best if candidate.chunk in passages]
    _favour_exact_title(best, passages, query)
    best.sort(key=lambda candidate: -candidate.score)
    hits = _hits(index, best[: options.limit], passages, found)
    also = (f"Also searched: {', '.join(_as_written(index, found))}.",) if found.also else ()
    return Results(hits, (*query.remarks, *scope.remarks, *also))


def best_of_each_note(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The best candidate of each note, with a small bounded bonus for the note's others; best first."""
    groups: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.note, []).append(candidate)
    for rank, (best, *others) in enumerate(groups.values(), 1):
        if others and best.score > 0:
            # Each further passage halves what is left to gain.
            share = sum(other.score / best.score * 0.5**at for at, other in enumerate(others[:8], 1))
            best.trace.append(Stage("more passages", rank, MORE_PASSAGES * best.score * share))
    return sorted((group[0] for group in groups.values()), key=lambda best: -best.score)


def _filled(
    index: LexicalIndex, best: list[Candidate], query: Query, scope: Scope, limit: int
) -> list[Candidate]:
    """The hits, and behind them, latest first, what a date or a filter alone asks for."""
    notes = scope.dated if query.dates else frozenset()
    if not (query.terms or query.required) and scope.among is not None:
        notes = scope.among
    rest = notes - {candidate.note for candidate in best}
    if rest and len(best) < limit:
        for chunk, note, score in index.latest(rest, limit - len(best), scope.without):
            best.append(Candidate(chunk, note, [Stage("latest", len(best) + 1, score)]))
    return best


def _favour_exact_title(best: Sequence[Candidate], passages: Mapping[int, Passage], query: Query) -> None:
    wanted = search_fold(query.said or " ".join(dates.written for dates in query.dates))
    top = best[0].score if best else 0.0
    for rank, candidate in enumerate(best, 1):
        passage = passages[candidate.chunk]
        names = (passage.title, stem_of(passage.path), *passage.aliases)
        if wanted and any(search_fold(name) == wanted for name in names):
            candidate.trace.append(Stage("exact title", rank, EXACT_TITLE * top))


def _hits(
    index: LexicalIndex, best: Sequence[Candidate], passages: Mapping[int, Passage], found: Found
) -> tuple[Hit, ...]:
    words = index.matched_words(found.needles, [candidate.chunk for candidate in best])
    return tuple(
        _hit(candidate, passages[candidate.chunk], words.get(candidate.chunk, frozenset()))
        for candidate in best
    )


def _hit(candidate: Candidate, passage: Passage, words: frozenset[str]) -> Hit:
    snippet = snippet_of(passage.text, words)
    offset = Text(passage.text).span(snippet.place).start
    return Hit(
        path=passage.path,
        title=passage.title,
        heading=" > ".join(headings_above(passage.text, passage.headings, offset, passage.title)),
        place=_placed(snippet.place, passage),
        snippet=snippet.text,
        score=candidate.score,
        trace=tuple(candidate.trace),
    )


def _placed(place: Place, passage: Passage) -> Place:
    """*place*, which counts from the passage's first character, in the note."""
    return Place(
        place.line + passage.line,
        place.start + (0 if place.line else passage.character),
        place.end_line + passage.line,
        place.end + (0 if place.end_line else passage.character),
    )


def _as_written(index: LexicalIndex, found: Found) -> list[str]:
    """The words that were searched besides, as some note writes them: the index knows only stems."""
    chunks = [candidate.chunk for candidate in found.candidates[:20]]
    said = []
    for needle in found.also:
        words = index.matched_words([needle], chunks) if " " not in needle else {}
        written = {word for some in words.values() for word in some}
        said.append(min(written, key=lambda word: (len(word), word)) if written else needle.replace(" ", ""))
    return list(dict.fromkeys(said))
