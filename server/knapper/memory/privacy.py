"""What of a note's text its writer keeps private: the whole of it, or sections.

Knows one text. Must not know what is done with it. Where a text can be read in two ways, the reading that
keeps more of it private holds: to send too little costs a sentence of an answer, to send too much cannot be
taken back.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from knapper.markup.frontmatter import find_frontmatter
from knapper.markup.note import Heading, Parse, Property
from knapper.markup.parse import parse
from knapper.text.lines import Text
from knapper.text.span import Span

_MARKER = re.compile(r"%%\s*private\s*%%", re.IGNORECASE)

# With a blank line before them, or never closed, properties are none to Obsidian. Their writer meant them.
_OPENING = re.compile(r"[\s\ufeff\u200b]*+-{3,}[ \t]*+(?:\r\n?|\n)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))(?:-{3,}|\.{3})[ \t]*+(?:[\r\n]|\Z)")
_PROPERTY = re.compile(
    r"""(?:\A|(?<=[\r\n{,]))(?:[^\S\r\n]|[>-])*+["']?(private|ai)["']?[ \t]*+[:=：][ \t]*+([^\r\n,}#]*)""",
    re.IGNORECASE,
)
_NO = frozenset(("false", "no", "off", "n", "0"))
_REFUSING = frozenset((*_NO, "", "none", "never", "null", "~"))

_CONTAINERS = frozenset(("list", "quote", "callout"))
_CLOSED_FENCE = re.compile(r"[\r\n][ \t>]*+(?:`{3,}|~{3,})[ \t]*+\Z")
_LINE_END = re.compile(r"[\r\n]")
_SURE_UNDERLINE = re.compile(r"(?:-{4,}|={3,})[ \t]*+\Z")


def private_spans(text: str, parsed: Parse | None = None) -> tuple[Span, ...]:
    r"""What of *text* is private, in order and not touching; all of it for a private note.

    `# A\n\n## B\n\nyes\n\n%%private%%\nno\n\n### C\n\nno\n\n## D\n\nyes` is private from the marker's line to
    `## D`. A marker above the first heading makes the rest of the note private. *parsed* is the parse of
    *text*, if there is one.
    """
    parsed = parsed or parse(text)
    if is_private_note(text, parsed):
        return (Span(0, len(text)),)
    spans: list[Span] = []
    for span in _sections(text, parsed):
        if spans and span.start <= spans[-1].end:
            spans[-1] = Span(spans[-1].start, max(span.end, spans[-1].end))
        else:
            spans.append(span)
    return tuple(spans)


def is_private_note(text: str, parsed: Parse) -> bool:
    """Whether a property says so, or a line among the properties that YAML reads otherwise or not at all."""
    return any(map(_keeps_private, parsed.properties)) or any(
        _means_private(name, value.strip(" \t\"'[]")) for name, value in _PROPERTY.findall(_head(text))
    )


def _head(text: str) -> str:
    """What was meant as properties: all of the text, if nothing closes them."""
    found = find_frontmatter(text)
    if found is not None:
        return found[0].of(text)
    opening = _OPENING.match(text)
    if opening is None:
        return ""
    closing = _CLOSING.search(text, opening.end())
    return text[opening.end() : closing.start() if closing else len(text)]


def _keeps_private(prop: Property) -> bool:
    return any(_means_private(prop.name, value) for value in prop.values or ("",))


def _means_private(name: str, value: str) -> bool:
    """`private` with anything but a clear no, `ai` with a no; either of them without a value."""
    name, value = name.strip().casefold(), value.strip().casefold()
    return (name == "private" and value not in _NO) or (name == "ai" and value in _REFUSING)


def _sections(text: str, parsed: Parse) -> Iterator[Span]:
    """What each marker keeps private: from its line to the next heading that is not below the one above it.

    While a fence is open, which code and which headings there are is anybody's guess: then every marker
    counts, and to the end.
    """
    lines = Text(text)
    fences, code_spans = _fences(text, parsed), _code_spans(text, parsed)
    sure = all(_CLOSED_FENCE.search(span.of(text)) for span in fences)
    headings = list(_outline(text, parsed)) if sure else []
    for marker in _MARKER.finditer(text):
        code = _is_within(marker.start(), fences) or _is_within(marker.start(), code_spans)
        if not (sure and code):
            yield _section(lines, headings, marker.start())


def _section(lines: Text, headings: list[Heading], offset: int) -> Span:
    start = lines.line_span(lines.line_of(offset)).start
    at = bisect_right(headings, offset, key=lambda heading: heading.span.start)
    level = headings[at - 1].level if at else 0
    if at and offset < headings[at - 1].span.end:
        start = headings[at - 1].span.start  # Written in the heading itself, which may be of two lines.
    ends = (headings[i].span.start for i in range(at, len(headings)) if headings[i].level <= level)
    return Span(start, next(ends, len(lines)))


def _fences(text: str, parsed: Parse) -> list[Span]:
    """Code between fences. What is only indented may be a marker in a list, indented too far."""
    return [r.span for r in parsed.regions if r.kind == "code" and text[r.span.start] in "`~"]


def _code_spans(text: str, parsed: Parse) -> list[Span]:
    """The code spans of one line; two stray backticks on two lines are no code."""
    spans = [region.span for region in parsed.regions if region.kind == "code-span"]
    return [span for span in spans if not _LINE_END.search(span.of(text))]


def _is_within(offset: int, spans: list[Span]) -> bool:
    """Whether *offset* lies in one of *spans*, which are in order and apart."""
    at = bisect_right(spans, offset, key=lambda span: span.start) - 1
    return at >= 0 and offset < spans[at].end


def _outline(text: str, parsed: Parse) -> Iterator[Heading]:
    """The headings that part the note for certain.

    Not those in lists, quotations, callouts and footnotes, nor a line above `---`, which may be meant as a
    line across the page.
    """
    inside = [region.span for region in parsed.regions if region.kind in _CONTAINERS]
    inside += [note.body for note in parsed.footnotes if note.body]
    inside.sort()
    end = at = 0
    for heading in parsed.headings:
        while at < len(inside) and inside[at].start <= heading.span.start:
            end = max(end, inside[at].end)
            at += 1
        written = heading.span.of(text)
        if heading.span.start >= end and (written[:1] == "#" or _SURE_UNDERLINE.search(written)):
            yield heading
