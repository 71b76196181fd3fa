"""The inside of `[[target#subpath|display]]`.

Knows how the three parts are told apart; must not know where such brackets count.
"""

from __future__ import annotations

from knapper.markup.note import Link, LinkKind
from knapper.text.span import Span


def read_wikilink(kind: LinkKind, content: str, whole: Span, base: int, **flags: bool) -> Link | None:
    r"""The link that stands at *whole* in *content*, or None if it names nothing (`[[ ]]`, `[[|x]]`).

    The first bar starts the display (in tables it is written `\|`, which is understood everywhere), the
    first `#` before it the subpath: `[[A#B|C#D]]` has the target `A`, subpath `B` and display `C#D`.
    *content* begins at *base* of the note; *flags* are those of `Link`.
    """
    start, end = whole.start + (3 if content[whole.start] == "!" else 2), whole.end - 2
    bar = content.find("|", start, end)
    left = end
    if bar >= 0:
        left = bar - 1 if bar > start and content[bar - 1] == "\\" else bar
    mark = content.find("#", start, left)
    target, target_span = _part(content, start, left if mark < 0 else mark, base)
    subpath, subpath_span = _part(content, mark + 1, left, base) if mark >= 0 else (None, None)
    if target in ("", "/") and not subpath:
        return None
    display, display_span = _part(content, bar + 1, end, base) if bar >= 0 else (None, None)
    if display is not None and "\\" in display:
        display = display.replace("\\|", "|")
    return Link(
        kind,
        whole.shift(base),
        target,
        target_span,
        subpath,
        subpath_span,
        display,
        display_span,
        **flags,
    )


def _part(content: str, start: int, end: int, base: int) -> tuple[str, Span]:
    """The part between *start* and *end* without the blanks around it."""
    piece = content[start:end]
    start += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    start = min(start, end)
    return piece, Span(base + start, base + start + len(piece))
