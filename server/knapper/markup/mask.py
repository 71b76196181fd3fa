"""What hides the text at a cursor: whether a link can be typed there at all."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter

from knapper.markup.note import Parse

_INLINE = frozenset(("code-span", "math-span"))
_BLOCKS = frozenset(("code", "math", "frontmatter"))
_OTHER_LEAVES = frozenset(("paragraph", "table"))


def opaque_at(parse: Parse, offset: int) -> str | None:
    """The kind of the region around a cursor at *offset* in which nothing is read, or None.

    Kinds: `code`, `code-span`, `math`, `math-span`, `html`, `frontmatter`. A cursor before or behind a span
    is outside; one at the end of an open fence is inside.
    """
    regions = parse.regions
    for index in reversed(range(bisect_left(regions, offset, key=attrgetter("span.start")))):
        kind, end = regions[index].kind, regions[index].span.end
        if kind in _INLINE and offset < end:
            return kind
        if kind == "html" and offset < end:
            return kind
        if kind in _BLOCKS:
            inside = offset < end if kind == "frontmatter" else offset <= end
            return kind if inside else None
        if kind in _OTHER_LEAVES:
            return None  # Such a block lies in no opaque one, and what is opaque in it begins behind it.
    return None
