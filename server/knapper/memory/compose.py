"""From what a writer says to what is shown: each sentence checked, cleaned, its citations numbered anew.

What is shown is final: a sentence is held back until it has ended. Must not know how pieces travel, nor what
was asked of whom.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from knapper.memory.answer import Cited, Said
from knapper.memory.asked import FoundPassage
from knapper.memory.checks import Grounds, numbers, quotations, stands_in, telling, unfounded
from knapper.memory.cleaning import Cleaner, code_spans, inert, written_out
from knapper.memory.markers import MADE, MARKER, made, neutral, numbers_in
from knapper.memory.named import Named, named_in, together
from knapper.memory.quoting import best_quote, headings_over, place_in
from knapper.memory.sentences import Sentences, Unit
from knapper.memory.visible import CLOSE, Visible
from knapper.models.providers.ports import Citation, Text
from knapper.text.span import Span

_LEAD = re.compile(r"[\s>*+-]*(?:\d{1,3}[.)][ \t]+)?")
_BEGUN = re.compile(r"[(<][^)>\s]*\Z")
_MARK = re.compile(rf"[ \t]*{MADE.pattern}")
_NOTHING = Named()


@dataclass(frozen=True, slots=True)
class _Cites:
    """A marker at *span* of a line, or a place where the provider vouches for words *within* the passage."""

    span: Span
    numbers: tuple[int, ...]
    within: Span | None = None


class Composer:
    """One answer. *passages* are those of its prompt, the first of which it calls `[1]`.

    *has_changed* says whether a passage's note has another text by now. In the end `text` is all that was
    said, `citations` all that were made, and `unverified` the sentences of which one did not hold.
    """

    def __init__(
        self, passages: tuple[FoundPassage, ...], has_changed: Callable[[FoundPassage], bool]
    ) -> None:
        self.text = ""
        self.citations: list[Cited] = []
        self.unverified: list[str] = []
        self._passages = passages
        self._has_changed = has_changed
        self._grounds = [Grounds(one.text, f"{one.title} {one.heading} {one.path}") for one in passages]
        self._common = _common(self._grounds)
        self._named = [named_in(passage) for passage in passages]
        self._notes = replace(together(self._named), addresses=frozenset(), files=frozenset())
        self._new_numbers: dict[int, int] = {}
        self._visible, self._sentences, self._cleaner = Visible(), Sentences(), Cleaner()
        self._fed = 0
        self._vouched: list[tuple[int, Citation]] = []
        self._before = ""  # the claim of the sentence before

    def add(self, piece: Text | Citation) -> Iterator[Cited | Said]:
        """What can be shown now."""
        if isinstance(piece, Citation):
            # It follows the text that it speaks of, of which the last sentence is still held.
            self._vouched.append((self._fed + self._visible.held, piece))
            return
        yield from self._feed(self._visible.feed(piece.text))

    def end(self) -> Iterator[Cited | Said]:
        """The rest."""
        yield from self._feed(self._visible.end())
        for unit in self._sentences.end():
            yield from self._shown(unit)
        yield from self._said(self._cleaner.end())

    def left(self) -> tuple[FoundPassage, ...]:
        """The passages that are not cited."""
        return tuple(
            passage for number, passage in enumerate(self._passages, 1) if number not in self._new_numbers
        )

    def _feed(self, text: str) -> Iterator[Cited | Said]:
        self._fed += len(text)
        for unit in self._sentences.feed(text):
            yield from self._shown(unit)

    def _shown(self, unit: Unit) -> Iterator[Cited | Said]:
        cited = len(self.citations)
        shown = self._code(unit) if self._cleaner.is_code(unit) else self._sentence(unit)
        yield from self.citations[cited:]
        yield from self._said(shown)

    def _said(self, text: str) -> Iterator[Said]:
        if text:
            self.text += text
            yield Said(text)

    def _code(self, unit: Unit) -> str:
        """A line of a fence; what the provider vouches for in it is marked behind it."""
        shown = self._cleaner.clean(unit, self._allowed())
        if self._cleaner.in_fence:
            return shown
        vouched = [one for _, one in self._vouched_until(unit.span.end) if self._is_there(one)]
        marks = [self._mark(one.number, shown, one.place) for one in vouched]
        marked = "".join(dict.fromkeys(marks))
        return f"{shown.rstrip()}\n\n{written_out(marked, begins_line=True)}\n\n" if marked else shown

    def _sentence(self, unit: Unit) -> str:
        line, _, _ = unit.text.partition("\n")
        code = code_spans(line)
        marks = [found for found in MARKER.finditer(line) if not any(_meet(found, span) for span in code)]
        claim = self._claim(line, marks)
        cited = {number for found in marks for number in numbers_in(found)}
        holding, all_there = self._holding(claim, cited), True
        cites = [_Cites(Span(*found.span()), numbers_in(found)) for found in marks]
        for at, citation in self._vouched_until(unit.span.end):
            if self._is_there(citation):
                holding.add(citation.number)
                cites.append(_Cites(_behind(line, at - unit.span.start), (citation.number,), citation.place))
            else:
                all_there = False
        text = self._marked(line, cites, holding, claim)
        shown = self._cleaner.clean(replace(unit, text=text + unit.text[len(line) :]), self._allowed())
        shown = _with_all(shown, text)
        if not (all_there and cited <= holding) and (told := " ".join(_MARK.sub("", shown).split()) or claim):
            self.unverified.append(told)
        return written_out(shown, begins_line=unit.begins_line)

    def _claim(self, line: str, marks: Iterable[re.Match[str]]) -> str:
        """What *line* says; if that is nothing, as of a marker alone, what was said before."""
        said = inert(_without(line, marks), _NOTHING, begins_line=False)
        said = said[_LEAD.match(said).end() :].strip()  # type: ignore[union-attr]
        if not (telling(said) or numbers(said) or quotations(said)):
            # What was said stays as it is: many such lines must not make an ever longer claim.
            return f"{self._before} {said}".strip()
        self._before = said
        return said

    def _holding(self, claim: str, cited: Iterable[int]) -> set[int]:
        """Those of the numbers *cited* on which *claim* may rest."""
        known = {n: self._grounds[n - 1] for n in cited if 0 < n <= len(self._passages)}
        if unfounded(claim, known.values()):
            return set()
        return {number for number, ground in known.items() if ground.shares(claim, self._common)}

    def _vouched_until(self, end: int) -> list[tuple[int, Citation]]:
        now = [one for one in self._vouched if one[0] <= end]
        self._vouched = [one for one in self._vouched if one[0] > end]
        return now

    def _is_there(self, citation: Citation) -> bool:
        """Whether what the provider quotes stands where it says."""
        if not 0 < citation.number <= len(self._passages):
            return False
        sent = neutral(self._passages[citation.number - 1].text)
        return stands_in(citation.quoted, citation.place.of(sent))

    def _marked(self, line: str, cites: list[_Cites], holding: set[int], claim: str) -> str:
        """*line* with the markers that hold, in our own writing; what is marked twice in one place, once."""
        parts: list[str] = []
        at, marked = 0, set[int]()
        for one in sorted(cites, key=lambda one: (one.span.start, one.span.end)):
            before = line[at : one.span.start]
            is_again = one.within or (parts and not before.strip())
            numbers = [n for n in one.numbers if n in holding and not (is_again and n in marked)]
            new = "".join(self._mark(number, claim, one.within) for number in numbers)
            marked.update(numbers)
            if not new and len(one.span):
                before = before.rstrip(" \t")
            elif new and one.within and not f"{''.join(parts[-1:])}{before}".endswith(CLOSE):
                before += " "
            parts += [before, new]
            at = max(at, one.span.end)
            if not new and not "".join(parts).strip():
                at += len(line[at:]) - len(line[at:].lstrip(" \t"))  # The words begin the line now.
        return "".join([*parts, line[at:]])

    def _mark(self, number: int, claim: str, within: Span | None = None) -> str:
        """The marker of passage *number*, which is cited with its quotation when it first is."""
        if number not in self._new_numbers:
            self._new_numbers[number] = len(self._new_numbers) + 1
            passage = self._passages[number - 1]
            quote = best_quote(claim, passage.text, within)
            self.citations.append(
                Cited(
                    self._new_numbers[number],
                    passage,
                    quote.of(passage.text),
                    by_provider=within is not None,
                    changed=self._has_changed(passage),
                    place=place_in(passage, quote),
                    heading=headings_over(passage, quote),
                )
            )
        return made(self._new_numbers[number])

    def _allowed(self) -> Named:
        """The notes that any passage names; the addresses and pictures of those that are cited."""
        return together([self._notes, *(self._named[number - 1] for number in self._new_numbers)])


def _with_all(shown: str, text: str) -> str:
    """*shown* with the markers of *text* that went with what was taken out, such as a link."""
    kept = MADE.findall(shown)
    gone = [made(int(number)) for number in dict.fromkeys(MADE.findall(text)) if number not in kept]
    words = shown.rstrip()
    return f"{words} {''.join(gone)}{shown[len(words) :]}" if gone else shown


def _common(grounds: list[Grounds]) -> frozenset[str]:
    """What more than half of the passages say, if they are many: it ties a claim to none of them."""
    if len(grounds) < 4:
        return frozenset()
    counts = Counter(word for ground in grounds for word in ground.words)
    return frozenset(word for word, count in counts.items() if count > len(grounds) / 2)


def _meet(found: re.Match[str], span: Span) -> bool:
    return found.start() < span.end and span.start < found.end()


def _without(line: str, marks: Iterable[re.Match[str]]) -> str:
    """*line* without its markers and the blanks before them."""
    parts, at = [], 0
    for found in marks:
        parts.append(line[at : found.start()].rstrip(" \t"))
        at = found.end()
    return "".join([*parts, line[at:]])


def _behind(line: str, at: int) -> Span:
    """The point behind the words before *at*; behind the whole line if it would lie within something."""
    at = len(line[: max(at, 0)].rstrip())
    before = line[:at]
    if before.count("`") % 2 or before.count("[") > before.count("]") or _BEGUN.search(before):
        at = len(line.rstrip())
    return Span(at, at)
