"""What stands at an offset of a note. Knows one parse; must not know other notes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol, TypeVar

from knapper.markup.note import (
    Address,
    BlockId,
    Definition,
    Footnote,
    Heading,
    Link,
    Parse,
    Property,
    Tag,
)
from knapper.text.span import Span

Thing = Link | Address | Definition | BlockId | Tag | Footnote | Heading | Property


class _Spanned(Protocol):
    @property
    def span(self) -> Span: ...


_T = TypeVar("_T", bound=_Spanned)


def locate(parse: Parse, offset: int) -> Thing | None:
    """The innermost thing that a cursor at *offset* touches.

    For `# On [[N]] #tag` with the cursor in `N` it is the link, in `tag` the tag, in `On` the heading.
    Between `[[A]][[B]]` it is the second link: a cursor touches what begins behind it first.
    """
    return (
        touching(parse.links, offset)
        or touching(parse.addresses, offset)
        or touching(parse.footnotes, offset)
        or touching(parse.block_ids, offset)
        or touching(parse.tags, offset)
        or touching(parse.definitions, offset)
        or touching(parse.headings, offset)
        or touching(parse.properties, offset)
    )


def touching(things: Sequence[_T], offset: int) -> _T | None:
    """The last of *things* (ordered by their starts) that a cursor at *offset* touches.

    Of two around the cursor the later begins further in, so it is the innermost.
    """
    behind = bisect_right(things, offset, key=lambda thing: thing.span.start)
    for index in range(behind - 1, -1, -1):
        if things[index].span.end >= offset:
            return things[index]
    return None
