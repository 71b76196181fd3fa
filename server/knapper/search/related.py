"""The notes related to a note, each with why.

The note's chunks -> how like others are (`likeness`) -> what they have in common besides (`structure`, and
distinctive words) -> those above a threshold. Meaning decides; the rest only nudges. Knows the order of these
steps and their weights; must not know SQLite, editors, or where vectors come from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from knapper.base.cancel import CancelToken
from knapper.search.distinctive import MOST_WORDS, Distinct, Frequencies, distinctive
from knapper.search.likeness import Holders, Likeness, by_vectors, by_words, some_of
from knapper.search.matrix import Vectors
from knapper.search.port import Passage
from knapper.search.structure import Common, Links, Surroundings
from knapper.text.lines import Text
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath

DAILY = 0.8
"""The factor for daily notes, which touch on everything."""
ACCEPTED, ACCEPTED_BY_WORDS = 0.25, 0.25
SHORTLIST, SHORTLIST_BY_WORDS = 0.15, 0.1
"""The likeness without which nothing else counts."""
_SHORTLISTED = 6  # times as many as are wanted are looked at,
_FEWEST_SHORTLISTED = 60  # and so many at least.
_MOST_TOLD = 5
_QUOTED = 160  # characters


class NoteWords(Frequencies, Protocol):
    """What is asked of the index about chunks and words, as one server sees them."""

    def note_at(self, path: NotePath) -> int | None:
        """The number of the note at *path*."""

    def chunks_of(self, note: int) -> Sequence[int]:
        """The chunks of the note, in the order of its text."""

    def chunks_holding(self, needle: str) -> Sequence[tuple[int, int]]:
        """The chunks that hold *needle*, each with its note."""

    def unseen(self) -> Collection[int]:
        """The notes that must not be shown: unsaved ones of others, and saved ones that are unsaved here."""

    def passages(self, chunks: Sequence[int]) -> Mapping[int, Passage]:
        """What is shown of *chunks*."""


@dataclass(frozen=True, slots=True)
class Nudges:
    """What structure and common words add at most; tuned on the odd hidden links of tests/eval."""

    tags: float = 0.12
    links: float = 0.20
    words: float = 0.20
    folder: float = 0.05


NO_NUDGES = Nudges(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class RelatedOptions:
    """How to look. `hidden` notes are never shown; `daily` notes weigh `daily_weight`.

    With `lines`, the first and the last line, only that part of the note counts.
    """

    limit: int = 10
    hidden: Callable[[NotePath], bool] | None = None
    daily: Callable[[NotePath], bool] | None = None
    daily_weight: float = DAILY
    nudges: Nudges = Nudges()
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage: where it stands in its note, and how it begins."""

    place: Place
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Why:
    """Why a note is related. `by` is `meaning` or `words`; the parts add up to the score before `factor`.

    `near` is how near the two passages are and `noise` what chance alone would make it (see `Likeness`).
    """

    by: str
    here: Quoted
    there: Quoted
    near: float
    noise: float
    parts: Mapping[str, float]
    factor: float = 1.0
    linked: bool = False
    through: tuple[NotePath, ...] = ()
    tags: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RelatedNote:
    """A related note. Scores are comparable within one answer, 1 and more is as related as can be."""

    path: NotePath
    title: str
    score: float
    why: Why


@dataclass(frozen=True)
class _Source:
    """The note that others are related to."""

    path: NotePath
    note: int
    chunks: Sequence[int]
    passages: Mapping[int, Passage]
    words: tuple[Distinct, ...]
    holders: Holders

    @cached_property
    def common(self) -> list[Distinct]:
        """The most distinctive words that other notes hold too."""
        return [word for word in self.words if self.notes_holding(word) - {self.note}][:MOST_WORDS]

    def notes_holding(self, word: Distinct) -> frozenset[int]:
        """The notes that hold *word*."""
        return self._notes[word.needle]

    @cached_property
    def _notes(self) -> dict[str, frozenset[int]]:
        return {needle: frozenset(note for _, note in some) for needle, some in self.holders.items()}


def related(
    path: NotePath,
    index: NoteWords,
    links: Links,
    vectors: Vectors | None = None,
    options: RelatedOptions | None = None,
    token: CancelToken | None = None,
) -> tuple[RelatedNote, ...]:
    """The notes related to the note at *path*, best first; by words if none of its chunks has a vector.

    Empty for a note that is empty or unknown. Raises `Cancelled`, and what the index raises.
    """
    options, token = options or RelatedOptions(), token or CancelToken()
    source = _source(path, index, options)
    if source is None:
        return ()
    token.check()
    alike, by = _alike(source, index, vectors, max(_FEWEST_SHORTLISTED, _SHORTLISTED * options.limit))
    token.check()
    least = SHORTLIST if by == "meaning" else SHORTLIST_BY_WORDS
    shortlist = [likeness for likeness in alike if likeness.score >= least]
    found = _shown(source, index, shortlist, options)
    surroundings = Surroundings(links, path)
    token.check()
    every = [
        _related(source, likeness, passage, surroundings.common(passage.path), (by, options))
        for likeness, passage in found
    ]
    accepted = ACCEPTED if by == "meaning" else ACCEPTED_BY_WORDS
    good = [item for item in every if item.score >= accepted]
    return tuple(sorted(good, key=lambda item: (-item.score, item.path))[: options.limit])


def _source(path: NotePath, index: NoteWords, options: RelatedOptions) -> _Source | None:
    """The note with its chunks and words; None if there is nothing to go by."""
    note = index.note_at(path)
    if note is None:
        return None
    passages = index.passages(index.chunks_of(note))
    chunks = [chunk for chunk in index.chunks_of(note) if _counts(passages[chunk], options)]
    if not chunks:
        return None
    chunks = some_of(chunks)
    title = "" if options.lines else passages[chunks[0]].title
    words = distinctive(title, [passages[chunk].text for chunk in chunks], index)
    holders = {word.needle: index.chunks_holding(word.needle) for word in words}
    return _Source(path, note, chunks, passages, words, holders)


def _counts(passage: Passage, options: RelatedOptions) -> bool:
    if not passage.text.strip():
        return False
    if options.lines is None:
        return True
    first, last = options.lines
    return passage.line <= last and passage.line + passage.text.count("\n") >= first


def _alike(
    source: _Source, index: NoteWords, vectors: Vectors | None, most: int
) -> tuple[list[Likeness], str]:
    without = {source.note, *index.unseen()}
    if vectors is not None and len(vectors.rows_of(source.chunks)):
        return by_vectors(vectors, source.chunks, without, most), "meaning"
    return by_words(source.words, source.holders, source.chunks, without, most), "words"


def _shown(
    source: _Source, index: NoteWords, shortlist: Sequence[Likeness], options: RelatedOptions
) -> list[tuple[Likeness, Passage]]:
    """The best of the shortlist that may be shown, each with its best passage."""
    passages = index.passages([likeness.target for likeness in shortlist])
    found = [
        (likeness, passages[likeness.target])
        for likeness in shortlist
        if likeness.target in passages and passages[likeness.target].path != source.path
    ]
    hidden = options.hidden
    return [pair for pair in found if not (hidden and hidden(pair[1].path))]


def _related(
    source: _Source,
    likeness: Likeness,
    passage: Passage,
    common: Common,
    way: tuple[str, RelatedOptions],
) -> RelatedNote:
    by, options = way
    nudges = options.nudges
    shared = [word for word in source.common if likeness.note in source.notes_holding(word)]
    weight = sum(word.weight for word in source.words[:MOST_WORDS])
    parts = {
        by: likeness.score,
        "tags": nudges.tags * common.tags,
        "links": nudges.links * common.links,
        "words in common": nudges.words * min(sum(word.weight for word in shared) / max(weight, 1e-9), 1),
        "folder": nudges.folder * common.folder,
    }
    factor = options.daily_weight if options.daily and options.daily(passage.path) else 1.0
    why = Why(
        by=by,
        here=_quoted(source.passages[likeness.source]),
        there=_quoted(passage),
        near=likeness.near,
        noise=likeness.noise,
        parts={name: part for name, part in parts.items() if part},
        factor=factor,
        linked=common.direct,
        through=common.through[:_MOST_TOLD],
        tags=common.shared_tags,
        words=tuple(word.said for word in shared[:_MOST_TOLD]),
    )
    return RelatedNote(passage.path, passage.title, sum(parts.values()) * factor, why)


def _quoted(passage: Passage) -> Quoted:
    text = Text(passage.text)
    end = text.place(Span(len(passage.text), len(passage.text)))
    place = Place(
        passage.line,
        passage.character,
        passage.line + end.line,
        end.start + (0 if end.line else passage.character),
    )
    said = " ".join(passage.text.split())
    if len(said) > _QUOTED:
        said = said[:_QUOTED].rpartition(" ")[0] or said[:_QUOTED]
        said += "…"
    return Quoted(place, " > ".join(passage.headings), said)
