"""A search from the typed text to hits that can be shown.

query -> scope (filters, dates, what is hidden) -> passages ranked by words and meaning -> one hit a note,
with a small bonus for more passages and for an exact title -> a second look by the reranker -> salience ->
passages and snippets. Knows the stages and their order; must not know SQLite, models or editors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from knapper.base.cancel import CancelToken
from knapper.search.above import headings_above
from knapper.search.hybrid import DRAWN, Mode, Sides, gather
from knapper.search.lexical import Candidate, Found
from knapper.search.order import reranked, weighed
from knapper.search.port import LexicalIndex, Meaning, Passage, Reranker
from knapper.search.query import Query, parse_query
from knapper.search.results import Hit, Results, Stage
from knapper.search.salience import Salience
from knapper.search.scope import Scope, scope_of
from knapper.search.snippet import snippet_of
from knapper.text.fold import search_fold
from knapper.text.lines import Text
from knapper.text.span import Place
from knapper.vault.paths import NotePath, stem_of

MORE_PASSAGES = 0.1
"""At most this part of its best passage's score may a note gain by its other passages."""
OF_BOTH = 0.3
"""So much of that where words and meaning are fused: ranks make scores that lie close together.

With the whole of it a note that both sides have first stood behind one that both have fourth, for its many
passages. MRR@10 of 46 names with a slip in the example vault .85 to .89; the other queries there the same.
"""
EXACT_TITLE = 0.5
"""This part of the best score is the bonus for a title or alias that is the query, word for word."""
ALSO_SEARCHED = "Also searched: "
"""Begins the remark that names the words which typing mistakes may have meant."""
_LOOKED_AT = 20
"""So many more notes than asked for are looked at for an exact title, the reranker and salience."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search. `hidden` says which notes are left out; `each_passage` gives more than one hit a note.

    `typing` takes the last word as one that is still being typed. `meaning_weight` is how much the meaning
    counts beside the words. `explain` adds remarks on what did not need to be done. `drawn` and
    `more_passages` are options so that they can be measured.
    """

    today: date
    limit: int = 20
    hidden: Callable[[NotePath], bool] | None = None
    typing: bool = False
    each_passage: bool = False
    mode: Mode = "hybrid"
    meaning_weight: float = 1.0
    drawn: float = DRAWN
    more_passages: float = MORE_PASSAGES
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Aids:
    """What a search may use besides the words; each may be missing. `why` says why there is no meaning."""

    meaning: Meaning | None = None
    reranker: Reranker | None = None
    salience: Salience | None = None
    why: str = ""


NO_AIDS = Aids()


def search(
    index: LexicalIndex,
    text: str,
    options: SearchOptions,
    token: CancelToken | None = None,
    aids: Aids = NO_AIDS,
) -> Results:
    """The hits for *text*, which may be anything. Raises `Cancelled`, and what the index raises."""
    token = token or CancelToken()
    query = parse_query(text, options.today)
    if query.empty:
        return Results((), query.remarks)
    with index.one_state():
        forget = token.on_cancel(index.interrupt)
        try:
            token.check()
            scope = scope_of(index, query, options.hidden)
            token.check()
            if scope.empty:
                return Results((), (*query.remarks, *scope.remarks))
            return _Search(index, query, scope, options, aids, token).results()
        finally:
            forget()


@dataclass(frozen=True, slots=True)
class _Search:
    """One search on its way."""

    index: LexicalIndex
    query: Query
    scope: Scope
    options: SearchOptions
    aids: Aids
    token: CancelToken

    def results(self) -> Results:
        """All stages, one after the other."""
        index, options = self.index, self.options
        found, remarks = gather(index, self.query, self.scope, self._sides(), self.token)
        looked_at = options.limit + _LOOKED_AT
        best = list(found.candidates)
        if not options.each_passage:
            fused = found.by_meaning and options.mode == "hybrid"
            best = best_of_each_note(best, options.more_passages * (OF_BOTH if fused else 1))
        best = _filled(index, best[:looked_at], self.query, self.scope, looked_at)
        passages = index.passages([candidate.chunk for candidate in best])
        best = [candidate for candidate in best if candidate.chunk in passages]
        exact = _favour_exact_title(best, passages, self.query)
        best.sort(key=lambda candidate: -candidate.score)
        self.token.check()
        best, said = self._second_look(best, passages, exact)
        if self.aids.salience:
            best = weighed(index, best, self.aids.salience, by_meaning=found.by_meaning)
        hits = _hits(index, best[: options.limit], passages, found)
        also = (f"{ALSO_SEARCHED}{', '.join(_as_written(index, found))}.",) if found.also else ()
        return Results(hits, (*self.query.remarks, *self.scope.remarks, *also, *remarks, *said))

    def _sides(self) -> Sides:
        options = self.options
        return Sides(
            mode=options.mode,
            weight=options.meaning_weight,
            drawn=options.drawn,
            meaning=self.aids.meaning,
            why=self.aids.why,
            typing=options.typing,
        )

    def _second_look(
        self, best: list[Candidate], passages: Mapping[int, Passage], exact: frozenset[int]
    ) -> tuple[list[Candidate], tuple[str, ...]]:
        """The hits as the reranker has them, and a remark if it should have looked and could not."""
        options, reranker = self.options, self.aids.reranker
        if reranker is None or options.mode == "text" or options.typing or not self.query.said.strip():
            return best, ()
        if best and best[0].chunk in exact:
            said = "The reranker was not asked: the first hit has the query as its name."
            return best, (said,) if options.explain else ()
        best, trouble = reranked(best, passages, self.query.said, reranker)
        self.token.check()
        return best, (trouble,) if trouble else ()


def best_of_each_note(
    candidates: Sequence[Candidate], more_passages: float = MORE_PASSAGES
) -> list[Candidate]:
    """The best candidate of each note, with a small bounded bonus for the note's others; best first."""
    groups: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.note, []).append(candidate)
    for rank, (best, *others) in enumerate(groups.values(), 1):
        if others and best.score > 0 and more_passages:
            # Each further passage halves what is left to gain.
            share = sum(max(0, other.score / best.score) * 0.5**at for at, other in enumerate(others[:8], 1))
            best.trace.append(Stage("more passages", rank, more_passages * best.score * share))
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


def _favour_exact_title(
    best: Sequence[Candidate], passages: Mapping[int, Passage], query: Query
) -> frozenset[int]:
    """Give the notes that have the query as a name a bonus; their chunks."""
    wanted = search_fold(query.said or " ".join(dates.written for dates in query.dates))
    top = best[0].score if best else 0.0
    exact = set()
    for rank, candidate in enumerate(best, 1):
        passage = passages[candidate.chunk]
        names = (passage.title, stem_of(passage.path), *passage.aliases)
        if wanted and any(search_fold(name) == wanted for name in names):
            candidate.trace.append(Stage("exact title", rank, EXACT_TITLE * top))
            exact.add(candidate.chunk)
    return frozenset(exact)


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
