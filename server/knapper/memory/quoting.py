"""The words of a passage on which a claim rests, and where they stand. Knows texts; must not know answers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from knapper.markup.parse import parse
from knapper.memory.asked import FoundPassage
from knapper.memory.checks import Grounds, numbers, quotations
from knapper.text.lines import Text
from knapper.text.span import Place, Span

LONGEST = 300
_SENTENCE = re.compile(r"[^\n]*?(?:[.!?…]+[\"'”’»)*_]*(?=\s)|[。！？]+[」』）”]*|(?=\n)|\Z)")
_LEAD = re.compile(r"[ \t]*(?:(?:[>*+-]|#{1,6}|\d{1,3}[.)])[ \t]+|\[[ xX]\][ \t]+)*")


def best_quote(claim: str, text: str, within: Span | None = None) -> Span:
    """The sentence of *text* that supports *claim* best, as a span of it; the first of several as good.

    Of what *claim* quotes itself it is the sentence that holds that. Only what lies *within* is looked at.
    """
    sentences = list(_sentences(text, within or Span(0, len(text))))
    if not sentences:
        return Span(0, min(len(text), LONGEST))
    counted = {form for forms in numbers(claim) for form in forms}
    quoted = quotations(claim)

    def support(span: Span) -> float:
        grounds = Grounds(span.of(text))
        _, shared = grounds.shared(claim)
        held = sum(grounds.holds(words) for words in quoted)
        return 4.0 * held + 1.5 * len(counted & grounds.numbers) + len(shared)

    return _shortened(max(sentences, key=support), text)


def place_in(passage: FoundPassage, span: Span) -> Place:
    """Where *span* of the passage's text stands in its note."""
    line, start, end_line, end = Text(passage.text).place(span)
    first = passage.place
    return Place(
        first.line + line,
        start + (first.start if line == 0 else 0),
        first.line + end_line,
        end + (first.start if end_line == 0 else 0),
    )


def headings_over(passage: FoundPassage, span: Span) -> str:
    """The path of headings above *span* of the passage's text: `Baking > Starter`.

    Those of the passage, then those in it whose sections hold the span, as a passage may be of several.
    """
    outer = [part for part in (passage.heading,) if part]
    inner = [found.text for found in parse(passage.text).headings if found.section.covers(span)]
    if not outer and inner and inner[0].casefold() == passage.title.casefold():
        inner = inner[1:]  # It only repeats the title.
    for shared in range(len(inner), 0, -1):
        path = " > ".join(inner[:shared])
        if passage.heading == path or passage.heading.endswith(f" > {path}"):
            inner = inner[shared:]  # The passage begins with headings that it stands under.
            break
    return " > ".join([*outer, *inner])


def _sentences(text: str, within: Span) -> Iterator[Span]:
    at = within.start
    while at < within.end:
        found = _SENTENCE.match(text, at, within.end)
        end = found.end() if found else within.end
        lead = _LEAD.match(text, at, end)
        start = lead.end() if lead else at
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end_of_words = start + len(piece.strip())
        if re.search(r"\w", piece):
            yield Span(start, end_of_words)
        at = max(end, at + 1)


def _shortened(span: Span, text: str) -> Span:
    if len(span) <= LONGEST:
        return span
    cut = text.rfind(" ", span.start + LONGEST // 2, span.start + LONGEST)
    return Span(span.start, cut if cut > 0 else span.start + LONGEST)
