"""The notes related to a note, each with why.

The note's chunks -> how like others are in meaning (`likeness`) and words (`evidence`) -> what they have in
common besides (`structure`, and words anywhere in the note) -> those above a threshold. Passages decide; the
rest only nudges. Knows the order of these steps and their weights; must not know SQLite, editors, or where
vectors come from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Protocol

from knapper.base.cancel import CancelToken
from knapper.search.distinctive import MOST_WORDS, Distinct, Frequencies, distinctive
from knapper.search.evidence import Corpus, Holders, by_words
from knapper.search.likeness import Likeness, by_vectors, some_of
from knapper.search.matrix import Vectors
from knapper.search.port import Passage
from knapper.search.structure import Common, Links, Surroundings
from knapper.text.lines import Text
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath

DAILY = 0.8
"""The factor for daily notes, which touch on everything."""
ACCEPTED, ACCEPTED_BY_WORDS = 0.3, 0.15
SHORTLIST, SHORTLIST_BY_WORDS = 0.15, 0.05
"""The likeness without which nothing else counts."""
BESIDE_MEANING = 1.0
"""What the evidence of words counts beside meaning: a model may not know the language, or the names."""
_SHORTLISTED = 6  # times as many as are wanted are looked at,
_FEWEST_SHORTLISTED = 60  # and so many at least.
_MOST_TOLD = 5
_QUOTED = 160  # characters


class NoteWords(Frequencies, Protocol):
    """What is asked of the index about chunks and words, as one server sees them."""

    def one_state(self) -> AbstractContextManager[None]:
        """What is asked inside is answered from one state of the index: the numbers hold."""

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
    """What structure and words anywhere in a note add at most; tuned on odd hidden links (tests/eval)."""

    tags: float = 0.12
    links: float = 0.20
    words: float = 0.20
    folder: float = 0.05


NO_NUDGES = Nudges(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class RelatedOptions:
    """How to look. `hidden` notes are never shown; `daily` notes weigh `daily_weight`.

    With `lines`, the first and the last line, only that part of the note counts. `evidence` is what words in
    a passage count beside its meaning: an option so that it can be measured.
    """

    limit: int = 10
    hidden: Callable[[NotePath], bool] | None = None
    daily: Callable[[NotePath], bool] | None = None
    daily_weight: float = DAILY
    nudges: Nudges = Nudges()
    evidence: float = BESIDE_MEANING
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage: where it stands in its note, and how it begins."""

    place: Place
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Why:
    """Why a note is related; the parts add up to the score before `factor`.

    `by` says what is told of the two passages, `meaning` if that is known and else `words`: `near` is how
    near they are and `noise` what chance alone would make it (see `Likeness`).
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
    def common(self) -> list[tuple[Distinct, frozenset[int]]]:
        """The most distinctive words that other notes hold too, and these notes."""
        held = ((word, frozenset(note for _, note in self.holders[word.needle])) for word in self.words)
        return list(islice((pair for pair in held if pair[1] - {self.note}), MOST_WORDS))

    def is_held(self, word: Distinct, note: int) -> bool:
        """Whether *note* holds *word*."""
        return any(owner == note for _, owner in self.holders[word.needle])


@dataclass(frozen=True, slots=True)
class _Alike:
    """A note that is like the source, by its meaning, its words or both."""

    score: float
    by: str
    told: Likeness
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Scored:
    """A note on its way to be shown."""

    alike: _Alike
    passage: Passage
    common: Common
    parts: Mapping[str, float]
    factor: float

    @property
    def score(self) -> float:
        return sum(self.parts.values()) * self.factor


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
    with index.one_state():
        source = _source(path, index, options)
        return _related(source, index, links, vectors, options, token) if source else ()


def _related(
    source: _Source,
    index: NoteWords,
    links: Links,
    vectors: Vectors | None,
    options: RelatedOptions,
    token: CancelToken,
) -> tuple[RelatedNote, ...]:
    token.check()
    has_meaning = vectors is not None and len(vectors.rows_of(source.chunks)) > 0
    alike = _alike(source, index, vectors if has_meaning else None, options)
    token.check()
    least = SHORTLIST if has_meaning else SHORTLIST_BY_WORDS
    found = _shown(source, index, [one for one in alike if one.score >= least], options)
    surroundings = Surroundings(links, source.path)
    token.check()
    every = [
        _scored(source, one, passage, surroundings.common(passage.path), options) for one, passage in found
    ]
    accepted = ACCEPTED if has_meaning else ACCEPTED_BY_WORDS
    good = [one for one in every if one.score >= accepted]
    best = sorted(good, key=lambda one: (-one.score, one.passage.path))[: options.limit]
    return tuple(_told(source, one) for one in best)


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
    source: _Source, index: NoteWords, vectors: Vectors | None, options: RelatedOptions
) -> list[_Alike]:
    """The notes most like the source, best first."""
    most = max(_FEWEST_SHORTLISTED, _SHORTLISTED * options.limit)
    without = {source.note, *index.unseen()}
    worded: Sequence[Likeness] = ()
    if vectors is None or options.evidence:
        corpus = Corpus(index.chunk_count(), lambda chunks: _lengths(index, chunks), without)
        worded = by_words(source.words, source.holders, source.chunks, corpus, most)
    if vectors is None:
        return [_Alike(one.score, "words", one, {"words": one.score}) for one in worded]
    meant = {one.note: one for one in by_vectors(vectors, source.chunks, without, 2 * most)}
    parts = {note: {"meaning": one.score} for note, one in meant.items()}
    for one in worded:
        parts.setdefault(one.note, {})["words"] = options.evidence * one.score
    told = {one.note: one for one in worded} | meant
    alike = [
        _Alike(sum(some.values()), "meaning" if note in meant else "words", told[note], some)
        for note, some in parts.items()
    ]
    return sorted(alike, key=lambda one: (-one.score, one.told.note))[:most]


def _lengths(index: NoteWords, chunks: Sequence[int]) -> dict[int, int]:
    return {chunk: len(passage.text) for chunk, passage in index.passages(chunks).items()}


def _shown(
    source: _Source, index: NoteWords, shortlist: Sequence[_Alike], options: RelatedOptions
) -> list[tuple[_Alike, Passage]]:
    """The best of the shortlist that may be shown, each with its best passage."""
    passages = index.passages([one.told.target for one in shortlist])
    found = [
        (one, passages[one.told.target])
        for one in shortlist
        if one.told.target in passages and passages[one.told.target].path != source.path
    ]
    hidden = options.hidden
    return [pair for pair in found if not (hidden and hidden(pair[1].path))]


def _scored(
    source: _Source, alike: _Alike, passage: Passage, common: Common, options: RelatedOptions
) -> _Scored:
    nudges = options.nudges
    shared = [word for word, notes in source.common if alike.told.note in notes]
    weight = sum(word.weight for word in source.words[:MOST_WORDS])
    parts = {
        **alike.parts,
        "tags": nudges.tags * common.tags,
        "links": nudges.links * common.links,
        "words in common": nudges.words * min(sum(word.weight for word in shared) / max(weight, 1e-9), 1),
        "folder": nudges.folder * common.folder,
    }
    factor = options.daily_weight if options.daily and options.daily(passage.path) else 1.0
    return _Scored(alike, passage, common, parts, factor)


def _told(source: _Source, scored: _Scored) -> RelatedNote:
    """The related note, with the passages quoted: of those that are shown only, for it takes time."""
    told, passage, common = scored.alike.told, scored.passage, scored.common
    shared = (word for word in source.words if source.is_held(word, told.note))
    why = Why(
        by=scored.alike.by,
        here=_quoted(source.passages[told.source]),
        there=_quoted(passage),
        near=told.near,
        noise=told.noise,
        parts={name: part for name, part in scored.parts.items() if part},
        factor=scored.factor,
        linked=common.direct,
        through=common.through[:_MOST_TOLD],
        tags=common.shared_tags,
        words=tuple(word.said for word in islice(shared, _MOST_TOLD)),
    )
    return RelatedNote(passage.path, passage.title, scored.score, why)


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
