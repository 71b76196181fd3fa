"""A question that was selected in a note is no answer to itself, though it has all the words and comes first.

Knows texts. Who types a question that a note writes as well may want what stands below it: that is let be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from knapper.memory.asked import Origin
from knapper.memory.finding import Located
from knapper.memory.quotable import quotables
from knapper.memory.words import content_words, stem
from knapper.text.span import Span


def around_origin(
    found: Sequence[Located], origin: Origin | None, words: Collection[str]
) -> Sequence[Located]:
    """*found* without what was selected at *origin*; last what is left around it and holds one of *words*.

    Only sentences and the like of which at least half was selected are left out: of `When do I sow? Beans are
    sown late.` with the first sentence selected the second is left, with `sow` selected all.
    """
    if origin is None:
        return found
    parts = [part for one in found for part in _parts(one, origin)]
    stems = {stem(word) for word in words}
    holding = [one for one in parts if one.is_part and stems & _stems(one)]
    return [*(one for one in parts if not one.is_part), *holding]


def _stems(located: Located) -> set[str]:
    return {stem(word) for word in content_words(located.span.of(located.source.content))}


def _parts(located: Located, origin: Origin) -> Iterator[Located]:
    """*located* in the parts around what was selected; itself if that is elsewhere."""
    if origin.path != located.source.path:
        yield located
        return
    content, selected = located.source.content, located.source.text.span(origin.place)
    pieces = [span for span, _ in quotables(content, located.span)]
    asking = [span for span in pieces if _is_within(span, selected)]
    if not asking:
        yield located
        return
    at = located.span.start
    for gap in (*asking, Span(located.span.end, located.span.end)):
        left = [span for span in pieces if at <= span.start and span.end <= gap.start]
        if left:
            span = Span(left[0].start, left[-1].end)
            offset = min(max(located.offset, span.start), span.end)
            yield replace(located, span=span, offset=offset, is_part=True)
        at = gap.end


def _is_within(span: Span, selected: Span) -> bool:
    shared = min(span.end, selected.end) - max(span.start, selected.start)
    return shared > 0 and 2 * shared >= len(span)
