"""What may leave this machine, decided on the texts as they are at this moment.

Knows passages, and what of a text is private. Must not know where anything is sent, or how passages are
found.
"""

from __future__ import annotations

from functools import lru_cache

from knapper.memory.asked import FoundPassage, Memory, Origin
from knapper.memory.excerpt import Source
from knapper.memory.privacy import private_spans
from knapper.memory.quotable import stripped
from knapper.text.lines import Text
from knapper.text.span import Span


def sendable(passage: FoundPassage, memory: Memory) -> FoundPassage | None:
    """The part of *passage* that may be sent, by the text that the note has now; None if none may.

    Of several parts it is the longest. Its `text` is what stands at its `place` of the text with its
    `digest`, and no heading over it is private. Words that do not stand in the note any more are not sent.
    """
    content = memory.text_of(passage.path)
    if content is None or memory.hidden(passage.path):
        return None
    source = Source(passage.path, content)
    span = found_again(passage, source)
    parts = public_parts(source, span, passage.score) if span else []
    return max(parts, key=lambda part: len(part.text)) if parts else None


def still_public(passage: FoundPassage, memory: Memory) -> bool:
    """Whether what was sent once may be sent again: nothing of *passage* has become private since.

    Of a note that keeps nothing private it does not matter that the words have changed.
    """
    content = memory.text_of(passage.path)
    return content is not None and not memory.hidden(passage.path) and not has_private(passage, content)


def has_private(passage: FoundPassage, content: str) -> bool:
    """Whether any of *passage* is private in *content*.

    So it is if its words are gone from a note that keeps others private.
    """
    source = Source(passage.path, content)
    if not _private(source):
        return False
    span = found_again(passage, source)
    return span is None or public_spans(source, span) != [stripped(content, span)]


def selected(origin: Origin, memory: Memory) -> FoundPassage | None:
    """What a question was selected in, as a passage; the whole line if nothing is selected there."""
    content = memory.text_of(origin.path)
    if content is None:
        return None
    source = Source(origin.path, content)
    span = source.text.span(origin.place)
    return source.passage(span if len(span) else source.text.line_span(source.text.line_of(span.start)))


def public_parts(source: Source, span: Span, score: float = 0.0) -> list[FoundPassage]:
    """What of *span* may be sent, in pieces without blanks around them."""
    return [public_passage(source, part, score) for part in public_spans(source, span)]


def public_spans(source: Source, span: Span) -> list[Span]:
    """What of *span* is not private, in pieces without blanks around them."""
    parts = []
    at = span.start
    for private in (*_private(source), Span(span.end, span.end)):
        parts.append(stripped(source.content, Span(at, max(at, min(private.start, span.end)))))
        at = max(at, private.end)
    return [part for part in parts if len(part)]


def public_passage(source: Source, span: Span, score: float = 0.0) -> FoundPassage:
    """The passage at a *span* that is not private, without the private headings over it."""
    return source.passage(span, score, without=_private(source))


@lru_cache(maxsize=64)
def _private(source: Source) -> tuple[Span, ...]:
    return private_spans(source.content, source.parse)


def found_again(passage: FoundPassage, source: Source) -> Span | None:
    """Where the words of *passage* stand in *source*; of several places the nearest to the old one."""
    words, content = passage.text, source.content
    old = source.text.span(passage.place)
    if old.of(content) == words:
        return old
    starts = [content.rfind(words, 0, old.start + len(words)), content.find(words, old.start)]
    starts = [start for start in starts if start >= 0 and words]
    if not starts:
        return None
    start = min(starts, key=lambda start: abs(start - old.start))
    return Span(start, start + len(words))


def is_private(origin: Origin, memory: Memory) -> bool:
    """Whether any of the text that a question was selected in is private, or cannot be looked at any more."""
    content = memory.text_of(origin.path)
    if content is None or memory.hidden(origin.path):
        return True
    here = Text(content).span(origin.place)
    for private in private_spans(content):
        if private == Span(0, len(content)) or (private.start < here.end and here.start < private.end):
            return True
        if not len(here) and private.holds(here.start):
            return True
    return False
