"""The headings above a place in a passage: those above the passage, then those inside of it.

Small sections share a passage, so what the index says of a passage holds for its beginning only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from knapper.markup.parse import parse

_MAY_HOLD_HEADING = re.compile(r"^ {0,3}(?:#{1,6}[ \t]|=+[ \t]*$|-+[ \t]*$)", re.MULTILINE)
_LONGEST = 8_000
"""A longer passage is one table or one piece of code, which holds no headings."""


def headings_above(passage: str, above: Sequence[str], offset: int, title: str) -> tuple[str, ...]:
    """The headings above *offset* of *passage*, outermost first; *above* are those of the passage.

    A first one that only repeats the note's *title* is left out.
    """
    path = [*above]  # The heading with which the passage begins is among these.
    if offset < len(passage) <= _LONGEST and _MAY_HOLD_HEADING.search(passage, 1):
        found = parse(passage).headings
        inside = [heading for heading in found if heading.section.start <= offset < heading.section.end]
        if inside and inside[0].text in path:
            path = path[: path.index(inside[0].text)]
        path += [heading.text for heading in inside]
    return tuple(path[1:] if path and path[0] == title else path)
