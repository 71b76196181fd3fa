"""Links that a text could have: to notes that it names, and then to notes that it is near to.

Must not know editors, nor how related notes are found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from knapper.search.distinctive import Frequencies, idf
from knapper.search.naming import Named, Naming
from knapper.search.related import RelatedNote
from knapper.text.fold import search_fold
from knapper.text.lines import Text
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath

ALIAS, AMBIGUOUS = 0.9, 0.8
"""What an alias is worth beside a title, and a name that several notes have beside one of its own."""
NEAR = 0.5
"""The best that a note can be worth which is not named, so that names come first."""


@dataclass(frozen=True, slots=True)
class Writing:
    """The text of a note, where links are looked for: `within` it, outside of what is `taken`.

    `taken` are the stretches with links, code and the like, merged and in order; `linked` are the notes that
    it links to already.
    """

    path: NotePath
    text: Text
    within: Span
    taken: Sequence[Span] = ()
    linked: frozenset[NotePath] = frozenset()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A link that could stand at `place`, where `text` stands now. `by` is `title`, `alias` or `meaning`."""

    place: Place
    text: str
    path: NotePath
    score: float
    by: str


def suggest_links(
    writing: Writing, naming: Naming, words: Frequencies, near: Sequence[RelatedNote] = (), limit: int = 20
) -> tuple[Suggestion, ...]:
    """The links that *writing* could have, best first: one for each note, at the first place that names it.

    *near* are the notes related to this part of it. A name of one common word is worth little.
    """
    done = set(writing.linked) | {writing.path}
    found: list[Suggestion] = []
    for one in (*_named(writing, naming, words), *_near(writing, near)):
        if one.path not in done:
            done.add(one.path)
            found.append(one)
    found.sort(key=lambda one: (one.by == "meaning", -one.score, one.place.line, one.place.start, one.path))
    return tuple(found[:limit])


def _named(writing: Writing, naming: Naming, words: Frequencies) -> Iterator[Suggestion]:
    content = writing.text.content
    mentions = [
        (mention.span, [named for named in mention.notes if named.path != writing.path])
        for mention in naming.mentions(content, writing.within, writing.taken)
    ]
    names = {named.name for _, some in mentions for named in some}
    needles = {name: " ".join(search_fold(name).split()) for name in names}
    held = words.frequencies([needle for needle in needles.values() if needle])
    total = words.chunk_count()
    for span, some in mentions:
        if some:
            rarity = idf(held.get(needles[some[0].name], 0), total) / idf(0, total)
            score = (NEAR + (1 - NEAR) * rarity) * (AMBIGUOUS if len(some) > 1 else 1)
            yield _suggestion(writing, span, some[0], score)


def _suggestion(writing: Writing, span: Span, named: Named, score: float) -> Suggestion:
    return Suggestion(
        place=writing.text.place(span),
        text=span.of(writing.text.content),
        path=named.path,
        score=score * (ALIAS if named.is_alias else 1),
        by="alias" if named.is_alias else "title",
    )


def _near(writing: Writing, near: Sequence[RelatedNote]) -> Iterator[Suggestion]:
    for note in near:
        here = note.why.here
        span = writing.text.span(here.place)
        if span.end > writing.within.start and span.start < writing.within.end:
            yield Suggestion(here.place, here.text, note.path, NEAR * min(note.score, 1.0), "meaning")
