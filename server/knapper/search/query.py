"""What a person typed into a search, understood. A query is text, never syntax: nothing is an error.

Understood are `"phrases"`, `-not`, `tag:`, `path:`, `title:` and dates; whatever does not read as one of
them is taken literally. Knows how words are folded; must not know how an index is asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from knapper.search.dates import LONGEST, Dates, read_dates
from knapper.search.stopwords import STOP_WORDS
from knapper.text.fold import search_fold

MOST_TERMS = 64
"""More words than this make a search slower and no better."""
_MOST_CHARACTERS = 20_000
_MOST_OF_A_WORD = 200
_MOST_PLAIN_WORDS = 20
"""With more words outside of quotation marks than this a query is prose, and nobody means every quotation."""

_PART = re.compile(
    r"""
    (?P<minus>-)?
    (?:(?P<field>tag|path|title):)?
    (?: "(?P<straight>[^"]*)" | “(?P<curly>[^”]*)” | (?P<bare>\S+) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
_NO_QUOTES = str.maketrans('"“”', "   ")
_AROUND = ".,;:!?()[]{}'\"“”‘’«»*_~`"


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for: `said` is how it was typed, `needle` what is looked for.

    A needle is folded text whose words must stand together: `DL-11` has `dl-11`, found as `dl 11`.
    """

    said: str
    needle: str


@dataclass(frozen=True, slots=True)
class Filter:
    """`tag:project` has the field `tag` and the value `project`; `-tag:project` is negated."""

    field: str
    value: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A query, taken apart. Terms are ranked by; all else narrows.

    `required` are the phrases, `excluded` what no note found may hold. `last` is the last word as it
    stands, even if it is a stop word: somebody may still be typing it. `said` are the words and phrases
    as typed.
    """

    terms: tuple[Term, ...] = ()
    required: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()
    filters: tuple[Filter, ...] = ()
    dates: tuple[Dates, ...] = ()
    said: str = ""
    last: Term | None = None
    remarks: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not (self.terms or self.required or self.filters or self.dates)


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    written: str
    minus: bool
    field: str | None
    quoted: bool


def parse_query(text: str, today: date) -> Query:
    """*text* as a query on the day *today*; never fails.

    `"sour dough" -rye tag:bread last week` requires the phrase, leaves out notes with `rye`, narrows to
    a tag and to the days of the last week. In a pasted paragraph quotation marks narrow nothing.
    """
    written = _written(text[:_MOST_CHARACTERS])
    parts, dates = _take_dates(written, today)
    filters = [found for found in map(_filter_of, parts) if found]
    plain = [part for part in map(_literal, parts) if not part.field]
    required = _terms(part.text for part in plain if part.quoted and not part.minus)
    excluded = _terms(part.text for part in plain if part.minus)
    said = _terms(part.text for part in plain if not part.quoted and not part.minus)
    terms = _without_stop_words(said) or (() if required or filters or dates else said)
    if excluded and not (terms or required or filters or dates):
        terms, excluded = excluded, ()  # Nothing but `-verbose`: then that is what is looked for.
    return Query(
        terms=terms[:MOST_TERMS],
        required=required[:MOST_TERMS],
        excluded=excluded[:MOST_TERMS],
        filters=tuple(filters[:MOST_TERMS]),
        dates=tuple(dates[:MOST_TERMS]),
        said=" ".join(part.text for part in plain if not part.minus),
        last=_last(written, plain) if not text[-1:].isspace() else None,
        remarks=tuple(_remarks(text, terms, required, filters, dates)),
    )


def term_of(said: str) -> Term | None:
    """The term for a word or phrase as typed, or None if it holds no letter or digit."""
    folded = search_fold(said[:_MOST_OF_A_WORD]).strip()
    return Term(said, folded) if _WORD.search(folded) else None


def _written(text: str) -> list[_Part]:
    """The parts of *text*; in prose that was pasted quotation marks and dashes are only that."""
    parts = list(_parts(text))
    plain = sum(not part.quoted and not part.minus for part in parts)
    if plain <= _MOST_PLAIN_WORDS or plain == len(parts):
        return parts
    return [replace(part, minus=False) for part in _parts(text.translate(_NO_QUOTES))]


def _parts(text: str) -> Iterator[_Part]:
    for match in _PART.finditer(text):
        quoted = match["straight"] if match["straight"] is not None else match["curly"]
        yield _Part(
            text=match["bare"] if quoted is None else quoted,
            written=match[0],
            minus=bool(match["minus"]),
            field=match["field"].lower() if match["field"] else None,
            quoted=quoted is not None,
        )


def _take_dates(parts: list[_Part], today: date) -> tuple[list[_Part], list[Dates]]:
    """The parts that are no dates, and the dates; the longest way to read a date wins."""
    rest: list[_Part] = []
    dates: list[Dates] = []
    at = 0
    while at < len(parts):
        for width in range(LONGEST, 0, -1):
            here = parts[at : at + width]
            if len(here) < width or any(part.minus or part.field or part.quoted for part in here):
                continue
            found = read_dates(" ".join(part.text.strip(_AROUND) for part in here), today)
            if found:
                dates.append(found)
                at += width
                break
        else:
            rest.append(parts[at])
            at += 1
    return rest, dates


def _filter_of(part: _Part) -> Filter | None:
    if part.field is None:
        return None
    value = part.text.strip()
    if part.field == "tag":
        value = value.lstrip("#").rstrip("/")
    return Filter(part.field, value, part.minus) if _WORD.search(value) else None


def _literal(part: _Part) -> _Part:
    """A part whose field says nothing (`tag:##`) is text, all of it."""
    return (
        part
        if _filter_of(part)
        else replace(part, text=part.written if part.field else part.text, field=None)
    )


def _last(written: list[_Part], plain: list[_Part]) -> Term | None:
    """The last word, unless something else than a plain word stands last."""
    if not written or written[-1] not in plain or written[-1].minus or written[-1].quoted:
        return None
    return term_of(written[-1].text)


def _terms(texts: Iterable[str]) -> tuple[Term, ...]:
    """A term for each different text that holds a word, in order."""
    found: dict[str, Term] = {}
    for text in texts:
        if term := term_of(text):
            found.setdefault(term.needle, term)
    return tuple(found.values())


def _without_stop_words(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(t for t in terms if not all(word in STOP_WORDS for word in _WORD.findall(t.needle)))


def _remarks(
    text: str,
    terms: tuple[Term, ...],
    required: tuple[Term, ...],
    filters: list[Filter],
    dates: list[Dates],
) -> Iterator[str]:
    if not text.strip():
        yield "Type what to look for."
    elif not (terms or required or filters or dates):
        yield "There is no letter or digit to look for."
    if len(text) > _MOST_CHARACTERS or len(terms) > MOST_TERMS:
        yield f"The query is very long: only its first {MOST_TERMS} different words were searched."
    for found in dates:
        if found.first == found.last:
            days = found.first.isoformat()
        else:
            days = f"{found.first.isoformat()} to {found.last.isoformat()}"
        if found.written != days:
            yield f"“{found.written}” was read as {days}."
