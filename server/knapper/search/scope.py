"""Which notes a query may find at all: filters, phrases, dates, and what is hidden.

Everything is sets of notes; the ranking then never sees the others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from knapper.search.port import LexicalIndex
from knapper.search.query import Filter, Query, Term, term_of
from knapper.vault.paths import NotePath, key, stem_of

_SAID = {"tag": "has the tag {}", "path": "has “{}” in its path", "title": "has “{}” in its title"}


@dataclass(frozen=True, slots=True)
class Scope:
    """`among` are the only notes to be found (None: all), `without` those never to be.

    `dated` are the notes found for a date in the query, `terms` what must be searched as text besides.
    """

    among: frozenset[int] | None = None
    without: frozenset[int] = frozenset()
    dated: frozenset[int] = frozenset()
    terms: tuple[Term, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether no note can be found."""
        return self.among is not None and not self.among - self.without


def scope_of(index: LexicalIndex, query: Query, hidden: Callable[[NotePath], bool] | None) -> Scope:
    """The notes that *query* narrows to, less those of which *hidden* is true."""
    without = index.notes_where(hidden) if hidden else frozenset()
    among: frozenset[int] | None = None
    remarks: list[str] = []
    wanted = [(_SAID[f.field].format(f.value), f.negated, _notes_of(index, f)) for f in query.filters]
    wanted += [(f"holds “{term.said}”", False, index.notes_holding(term.needle)) for term in query.required]
    wanted += [("", True, index.notes_holding(term.needle)) for term in query.excluded]
    for said, negated, notes in wanted:
        if negated:
            without |= notes
            continue
        among = notes if among is None else among & notes
        if not notes - without:
            remarks.append(f"No note {said}.")
    return _with_dates(index, query, Scope(among, without, remarks=tuple(remarks)))


def _notes_of(index: LexicalIndex, wanted: Filter) -> frozenset[int]:
    if wanted.field == "tag":
        return index.notes_tagged(wanted.value)
    if wanted.field == "path":
        return index.notes_where(_path_test(wanted.value))
    name = key(wanted.value)
    notes = index.notes_where(lambda path: name in key(stem_of(path)))
    term = term_of(wanted.value)
    return notes | index.notes_holding(term.needle, in_title=True) if term else notes


def _path_test(value: str) -> Callable[[NotePath], bool]:
    """`Projects/` is a whole folder name, anything else a part of the path; letter case aside."""
    part = key(value)
    if part.endswith("/"):
        whole = "/" + part.lstrip("/")
        return lambda path: whole in "/" + key(path)
    return lambda path: part in "/" + key(path)


def _with_dates(index: LexicalIndex, query: Query, scope: Scope) -> Scope:
    """The scope narrowed to the query's dates: notes of those days, and notes that write the date.

    If there is none, the words are text like any others: `yesterday` is also a song.
    """
    if not query.dates:
        return scope
    dated: frozenset[int] = frozenset()
    terms = []
    for dates in query.dates:
        dated |= index.notes_dated(dates.first, dates.last)
        if dates.literal and (literal := term_of(dates.literal)):
            dated |= index.notes_holding(literal.needle)
            terms.append(literal)
    inside = (dated if scope.among is None else dated & scope.among) - scope.without
    if inside:
        return Scope(inside, scope.without, inside, tuple(terms), scope.remarks)
    said = [term for dates in query.dates if (term := term_of(dates.written))]
    remarks = [f"No note is of “{dates.written}”; it was searched as text." for dates in query.dates]
    return Scope(scope.among, scope.without, terms=tuple(said), remarks=(*scope.remarks, *remarks))
