"""From a question to the passages that may hold its answer, and whether they do.

question -> what is searched (`wording`), and where (`scoping`) -> passages in the texts of now (`finding`) ->
what may be sent (`gates`) -> as many as there is room for -> whether they answer (`answerable`). Knows these
steps; must not know who writes the answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from knapper.base.cancel import CancelToken
from knapper.markup.measure import Measure
from knapper.memory.answerable import Judge, asking_once
from knapper.memory.asked import Evidence, FoundPassage, Memory, Origin, Question, Scope
from knapper.memory.finding import DEPTH, Finder, Located
from knapper.memory.gates import public_passage, public_spans
from knapper.memory.pointing import around_origin
from knapper.memory.quotable import clipped, quotables
from knapper.memory.scoping import Scoped, scoped
from knapper.memory.wording import Asked, understood
from knapper.search.hybrid import NO_WORDS
from knapper.search.pipeline import ALSO_SEARCHED
from knapper.search.query import parse_query
from knapper.search.scope import scope_of
from knapper.text.span import Span
from knapper.vault.paths import NotePath

MOST_NOTES = 8
MOST_PASSAGES = 12
MOST_OF_A_NOTE = 4
"""So many passages of one note at most, unless the question is about one note."""
LONGEST = 1400
"""How many characters a passage has at most."""

NOTHING_NAMED = "The question names nothing that could be looked for in the notes."
NOT_OF_THAT_TIME = "Nothing of that time answers; notes of any time were looked at."
_OF_SEARCHES = (NO_WORDS, ALSO_SEARCHED)
"""Remarks on which words a search found: whether these answer is for the judge to say."""
_MARKS = 16  # tokens that a passage costs besides its text and names


def gather(
    question: Question,
    memory: Memory,
    *,
    sending: bool,
    room: int | None = None,
    token: CancelToken | None = None,
) -> Evidence:
    """The passages for an answer, best first. Raises `Cancelled`, and what the index raises.

    If they are *sending* what is found, the passages hold nothing private. Together they take at most *room*
    tokens; whether they answer is judged before that.
    """
    token = token or CancelToken()
    scope = scoped(question.scope, memory)
    if scope.empty:
        return Evidence(remarks=(scope.empty,))
    asked = understood(question.text, question.turns, memory.today)
    memory = replace(memory, aids=asking_once(memory.aids))
    gathering = _Gathering(memory, scope, asked, sending, Finder(memory, scope, token), question.origin)
    answers, found = gathering.found(is_narrow=question.scope != Scope())
    passages = _chosen(found, MOST_PASSAGES if len(scope.notes) == 1 else MOST_OF_A_NOTE)
    # What is far down would not have been sent either.
    withheld = sum(one.is_cut for one in found[:MOST_PASSAGES])
    remarks = (*gathering.remarks, *((_withheld(withheld),) if withheld else ()))
    return Evidence(_fitting(passages, room), answers, withheld, tuple(dict.fromkeys(remarks)))


@dataclass(frozen=True, slots=True)
class _Read:
    """A located passage as it may be used: whole, or in those parts that are not private if it `is_cut`."""

    located: Located
    passages: tuple[FoundPassage, ...]
    is_cut: bool = False


@dataclass
class _Gathering:
    """One question on its way to its evidence."""

    memory: Memory
    scope: Scoped
    asked: Asked
    sending: bool
    finder: Finder
    origin: Origin | None = None
    remarks: list[str] = field(default_factory=list)

    def found(self, *, is_narrow: bool) -> tuple[bool, list[_Read]]:
        """Whether there is an answer, and what was looked at. Of a narrow scope everything may be asked."""
        query = parse_query(self.asked.query, self.memory.today)
        is_dated = bool(query.dates and scope_of(self.memory.index, query, self.scope.hidden).dated)
        if not (self.asked.words or is_dated):
            if not is_narrow:
                self.remarks.append(NOTHING_NAMED)
                return False, []
            found = self._read(self.finder.first(MOST_NOTES))
            return any(one.passages for one in found), found
        found = self._searched(self.asked.query)
        if not self.asked.words:
            return any(one.passages for one in found), found
        judge = Judge(self.memory, self.scope, self.asked, query.said)
        answers = _answered(judge, found)
        if is_dated and not answers:
            undated = self._searched(self.asked.undated)
            if _answered(judge, undated):
                self.remarks.append(NOT_OF_THAT_TIME)
                return True, undated
        return answers, found

    def _searched(self, query: str) -> list[_Read]:
        located, remarks = self.finder.found(query)
        self.remarks += [remark for remark in remarks if not remark.startswith(_OF_SEARCHES)]
        found = self._read(located)
        private = {one.located.source.path for one in found if not one.passages}
        if private and len(located) >= DEPTH:
            # Private notes must not keep public ones from being looked at.
            known = {(one.source.path, one.span) for one in located}
            more, _ = self.finder.found(query, private)
            found += self._read([one for one in more if (one.source.path, one.span) not in known])
        return found

    def _read(self, found: Sequence[Located]) -> list[_Read]:
        found = around_origin(found, self.origin, self.asked.words)
        return [self._public(one) if self.sending else _whole(one) for one in found]

    def _public(self, one: Located) -> _Read:
        source = one.source
        parts = public_spans(source, one.span)
        if parts == [one.span]:
            return _whole(one)
        said = [part for part in parts if any(it.kind != "heading" for it in quotables(source.content, part))]
        passages = (public_passage(source, _clipped(one, part), one.score) for part in said)
        return _Read(one, tuple(passages), is_cut=True)


def _whole(one: Located) -> _Read:
    return _Read(one, (one.source.passage(_clipped(one, one.span), one.score),))


def _clipped(one: Located, span: Span) -> Span:
    return clipped(one.source.content, span, one.offset, LONGEST)


def _answered(judge: Judge, found: Sequence[_Read]) -> bool:
    # How near a passage is says nothing of what is left of it when its private part is cut away.
    return any(
        judge.answers(passage, None if one.is_cut or one.located.is_part else one.located)
        for one in found
        for passage in one.passages
    )


def _chosen(found: Sequence[_Read], most_of_a_note: int) -> list[FoundPassage]:
    """The best passages, of few enough notes."""
    taken: Counter[NotePath] = Counter()
    chosen: list[FoundPassage] = []
    for passage in (passage for one in found for passage in one.passages):
        room = taken[passage.path] < most_of_a_note and (taken[passage.path] or len(+taken) < MOST_NOTES)
        if room and len(chosen) < MOST_PASSAGES:
            taken[passage.path] += 1
            chosen.append(passage)
    return chosen


def _fitting(passages: Sequence[FoundPassage], room: int | None) -> tuple[FoundPassage, ...]:
    """Those that fit into *room* tokens, the best first."""
    return tuple(passages if room is None else _within(passages, room))


def _within(passages: Sequence[FoundPassage], room: int) -> Iterator[FoundPassage]:
    for passage in passages:
        cost = _tokens(passage.text) + _tokens(passage.title + passage.heading) + _MARKS
        if cost <= room:
            room -= cost
            yield passage


def _tokens(text: str) -> int:
    return Measure(text).tokens(Span(0, len(text)))


def _withheld(count: int) -> str:
    if count == 1:
        return "One passage is private, or a part of it, and was not used."
    return f"{count} passages are private, or parts of them, and were not used."
