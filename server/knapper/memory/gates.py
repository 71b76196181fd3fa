"""What of a note may leave this machine, by its text as it is now: private notes and private sections.

Knows texts. Must not know where anything is sent, or how passages are found. Where a text can be read in two
ways, the reading that keeps more of it private holds.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from knapper.markup.note import Heading, Parse, Property
from knapper.markup.parse import parse
from knapper.memory.asked import FoundPassage, Memory, Origin
from knapper.memory.excerpt import Source
from knapper.text.lines import Text
from knapper.text.span import Span

# A byte order mark, blanks and empty lines before the properties keep Obsidian from reading them, not us.
_OPENING = re.compile(r"[\s\ufeff\u200b]*+-{3,}[ \t]*+(?:\r\n?|\n)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))(?:-{3,}|\.{3})[ \t]*+(?:[\r\n]|\Z)")
_LINE = re.compile(
    r"""(?:\A|(?<=[\r\n{,]))[\s>-]*+(["']?)(private|ai)\1[ \t]*+[:=][ \t]*+([^\r\n,}#]*)""",
    re.IGNORECASE,
)
_NO = frozenset(("false", "no", "off", "n", "0"))
_REFUSED = frozenset((*_NO, "", "none", "never", "null", "~"))
_MARKER = re.compile(r"%%\s*private\s*%%", re.IGNORECASE)


def private_spans(text: str) -> tuple[Span, ...]:
    r"""What of a note's *text* is private, in order and not touching; all of it for a private note.

    `# A\n\n## B\n\nyes\n\n%%private%%\nno\n\n### C\n\nno\n\n## D\n\nyes` is private from the line of the marker
    to `## D`. A marker above the first heading makes the rest of the note private.
    """
    return _private_spans(text, None)


def public_parts(source: Source, span: Span) -> list[Span]:
    """What of *span* is not private, in pieces without blanks around them."""
    parts = []
    at = span.start
    for private in (*_private_spans(source.content, source.parse), Span(span.end, span.end)):
        parts.append(_stripped(source.content, at, min(private.start, span.end)))
        at = max(at, private.end)
    return [part for part in parts if len(part)]


def sendable(passage: FoundPassage, memory: Memory) -> FoundPassage | None:
    """The part of *passage* that may be sent, by the text that the note has at this moment; None if none may.

    Its `text` is always what stands at its `place` of the text with its `digest`. Of several parts it is the
    longest. A passage whose words do not stand in the note any more is not sent.
    """
    content = memory.text_of(passage.path)
    if content is None or memory.hidden(passage.path):
        return None
    source = Source(passage.path, content)
    span = found_again(passage, source)
    parts = public_parts(source, span) if span else []
    if not parts:
        return None
    return source.passage(max(parts, key=len), passage.score)


def found_again(passage: FoundPassage, source: Source) -> Span | None:
    """Where the words of *passage* stand in the text of *source*; of several places the nearest to the old."""
    old = source.text.span(passage.place)
    if old.of(source.content) == passage.text:
        return old
    before = source.content.rfind(passage.text, 0, old.start + len(passage.text))
    behind = source.content.find(passage.text, old.start)
    starts = [start for start in (before, behind) if start >= 0]
    if not starts or not passage.text:
        return None
    start = min(starts, key=lambda start: abs(start - old.start))
    return Span(start, start + len(passage.text))


def is_private(origin: Origin, memory: Memory) -> bool:
    """Whether any of the text that a question was selected in is private, or cannot be looked at any more."""
    content = memory.text_of(origin.path)
    if content is None or memory.hidden(origin.path):
        return True
    here = Text(content).span(origin.place)
    return any(span.start <= here.end and here.start < span.end for span in private_spans(content))


def _private_spans(text: str, parsed: Parse | None) -> tuple[Span, ...]:
    parsed = parsed or parse(text)
    if _is_private_note(text, parsed):
        return (Span(0, len(text)),)
    spans: list[Span] = []
    outer = _outer_headings(parsed)
    lines = Text(text)
    for marker in _MARKER.finditer(text):
        if _in_code(text, parsed, marker.start()):
            continue
        span = _section_from(lines, outer, marker.start())
        if spans and span.start <= spans[-1].end:
            spans[-1] = Span(spans[-1].start, max(span.end, spans[-1].end))
        else:
            spans.append(span)
    return tuple(spans)


def _is_private_note(text: str, parsed: Parse) -> bool:
    """Whether a property says so, or a line that was meant as one and that YAML reads otherwise or not."""
    if any(_withholds(prop) for prop in parsed.properties):
        return True
    opening = _OPENING.match(text)
    if opening is None:
        return False
    closing = _CLOSING.search(text, opening.end())
    head = text[opening.end() : closing.start() if closing else len(text)]
    return any(_says_private(name, value.strip(" \t\"'[]")) for _, name, value in _LINE.findall(head))


def _withholds(prop: Property) -> bool:
    values = prop.values or ("",)
    return any(_says_private(prop.name, value) for value in values)


def _says_private(name: str, value: str) -> bool:
    """`private` with anything but a clear no, an empty value too; `ai` with a no or an empty value."""
    name, value = name.strip().casefold(), value.strip().casefold()
    return (name == "private" and value not in _NO) or (name == "ai" and value in _REFUSED)


def _outer_headings(parsed: Parse) -> list[Heading]:
    """The headings that are in no list, quotation or callout: only these are a note's outline for sure."""
    outer: list[Heading] = []
    end = 0
    blocks = [r.span for r in parsed.regions if r.kind in ("list", "quote", "callout", "comment", "html")]
    for heading in parsed.headings:
        while blocks and blocks[0].start <= heading.span.start:
            end = max(end, blocks.pop(0).end)
        if heading.span.start >= end:
            outer.append(heading)
    return outer


def _in_code(text: str, parsed: Parse, offset: int) -> bool:
    """Whether a marker stands in a code span or between fences; what is only indented may be meant."""
    for region in parsed.regions:
        if region.span.start > offset:
            break
        if offset < region.span.end and (
            region.kind == "code-span" or (region.kind == "code" and text[region.span.start] in "`~")
        ):
            return True
    return False


def _section_from(lines: Text, headings: list[Heading], offset: int) -> Span:
    """From the line of *offset* to the next heading that is not below the one over it."""
    start = lines.line_span(lines.line_of(offset)).start
    at = bisect_right(headings, offset, key=lambda heading: heading.span.start)
    level = 0
    if at:
        level = headings[at - 1].level
        if offset < headings[at - 1].span.end:
            start = headings[at - 1].span.start
    ends = (heading.span.start for heading in headings[at:] if heading.level <= level)
    return Span(start, next(ends, len(lines)))


def _stripped(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return Span(start, max(start, start + len(piece.strip())))
