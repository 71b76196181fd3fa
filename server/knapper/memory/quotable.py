"""What of a note can be quoted by itself: sentences, items of lists, tables.

Knows texts as people write notes; must not know questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from knapper.text.span import Span

_LINE = re.compile(r"[^\r\n]*+(?:\r\n|\r|\n|\Z)")
_OWN = re.compile(
    r"""[ \t>]*+(?:
        (?P<heading>\#{1,6}[ \t])
        | (?P<fence>`{3}|~{3}|\$\$)
        | (?P<row>\|)
        | (?P<item>
            (?:[-+*]|\d{1,9}[.)])[ \t]++(?:\[.\][ \t]++)? | \[\^[^\]\s]++\]:[ \t]*+ | \[!\w++\][-+]?[ \t]*+
        )
    )""",
    re.VERBOSE,
)
_QUOTED = re.compile(r"[ \t>]*+")
_RULE = re.compile(r"[ \t]*+(?:-{3,}|\*{3,}|_{3,}|={3,}|%%(?:[^%]*+%%)?)[ \t]*+\Z")
_SENTENCE_END = re.compile(r"[.!?…]['\"”’»)\]*_]*+(?=\s)|[。！？；][”’」』）】]*+")
# A full stop behind these ends no sentence: `z. B.`, `Dr.`, `3.`, initials.
_NO_END = re.compile(
    r"(?<!\w)(?:\w|\d{1,3}|Dr|Mr|Mrs|Ms|St|No|Nr|vs|etc|bzw|ca|e\.g|i\.e|cf|approx|pp|fig|vol|т\.д|т\.п|др)\.\Z",
    re.IGNORECASE,
)
_NAMES = {"text": "sentence", "item": "item", "row": "table", "fence": "code"}


class Quotable(NamedTuple):
    """A piece that stands by itself. Kinds: `sentence`, `item`, `table`, `heading`, `code`."""

    span: Span
    kind: str


def quotables(text: str, within: Span) -> Iterator[Quotable]:
    r"""The pieces of *within*, in order, without marks of lists and the blanks around them.

    `## Oven\n\nHeat it. Wait.\n\n- two hours` gives the heading `## Oven`, the sentences `Heat it.` and
    `Wait.`, and the item `two hours`.
    """
    for kind, block in _blocks(text, within):
        if kind == "sentence":
            yield from (Quotable(span, kind) for span in _sentences(text, block))
        elif len(span := stripped(text, block)):
            yield Quotable(span, kind)


def clipped(text: str, span: Span, around: int, longest: int) -> Span:
    """The part of *span* with *around* in it of at most *longest* characters, whole pieces if it can be.

    As much as fits before *around* comes along only if all behind it does.
    """
    if len(span) <= longest:
        return span
    spans = [piece.span for piece in quotables(text, span)]
    at = max((i for i, it in enumerate(spans) if it.start <= around), default=0)
    if not spans or len(spans[at]) > longest:
        start = max(span.start, min(around, span.end - longest))
        return stripped(text, Span(start, start + longest))
    first = last = at
    while last + 1 < len(spans) and spans[last + 1].end - spans[first].start <= longest:
        last += 1
    while first > 0 and spans[last].end - spans[first - 1].start <= longest:
        first -= 1
    return Span(spans[first].start, spans[last].end)


def stripped(text: str, span: Span) -> Span:
    """*span* without the blanks at its ends."""
    piece = span.of(text)
    start = span.start + len(piece) - len(piece.lstrip())
    return Span(start, max(start, span.start + len(piece.rstrip())))


def _blocks(text: str, within: Span) -> Iterator[tuple[str, Span]]:
    """Paragraphs as `sentence`, and what is no prose; an item goes on until the next one or an empty line."""
    kind, start, at = "", within.start, within.start
    while at < within.end:
        line = _LINE.match(text, at, within.end)
        assert line is not None
        own = _OWN.match(text, at, within.end)
        begins = (own.lastgroup or "") if own else ""
        bare = line[0].strip()
        ends = begins or not bare or _RULE.match(bare)
        if kind == "fence":
            if begins == "fence":
                yield "code", Span(start, line.end())
                kind = ""
        elif begins == kind == "row":
            pass
        elif ends or kind == "row":
            if kind:
                yield _NAMES[kind], Span(start, at)
            kind = begins or ("" if ends else "text")
            start = own.end() if own and begins == "item" else at
            if begins == "heading":
                yield "heading", Span(at, line.end())
                kind = ""
        elif not kind:
            quoted = _QUOTED.match(text, at, within.end)
            kind, start = "text", quoted.end() if quoted else at
        at = line.end()
    if kind:
        yield _NAMES[kind], Span(start, within.end)


def _sentences(text: str, block: Span) -> Iterator[Span]:
    at = block.start
    for match in _SENTENCE_END.finditer(text, block.start, block.end):
        if not _NO_END.search(text, max(at, match.end() - 8), match.end()):
            yield stripped(text, Span(at, match.end()))
            at = match.end()
    rest = stripped(text, Span(at, block.end))
    if len(rest):
        yield rest
