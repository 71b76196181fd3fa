"""What may leave this machine, decided on the texts as they are at this moment.

Knows passages, and what of a text is private. Must not know where anything is sent, or how passages are
found.
"""

from __future__ import annotations

from knapper.memory.asked import FoundPassage, Memory, Origin
from knapper.memory.excerpt import Source
from knapper.memory.privacy import private_spans
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


def public_parts(source: Source, span: Span, score: float = 0.0) -> list[FoundPassage]:
    """What of *span* may be sent, in pieces without blanks around them."""
    private = private_spans(source.content, source.parse)
    parts = []
    at = span.start
    for hidden in (*private, Span(span.end, span.end)):
        part = source.stripped(Span(at, max(at, min(hidden.start, span.end))))
        at = max(at, hidden.end)
        if len(part):
            parts.append(source.passage(part, score, without=private))
    return parts


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
