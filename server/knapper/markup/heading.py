"""The text of headings: as a reader sees it, as a link writes it, and as links are compared with it.

Knows which characters Obsidian leaves out; must not know notes or links between them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from knapper.markup.destination import ENTITY
from knapper.markup.note import Link

_BLANKS = re.compile(r"[ \t\r\n\xa0]+")
# Obsidian takes these for blanks when it compares; emphasis is no blank, or `a**b**` would be two words.
_COMPARED_AS_BLANK = re.compile(r"[!\"#$%&()+,.:;<>?@^{|}/\[\]\\\r\n]")
# A link may also be written as the heading's source is: `#_Why_ **now**` leads to `## _Why_ **now**`.
_COMPARED_AS_NOTHING = re.compile(r"[*`~=]|(?<![^\W_])_+|_+(?![^\W_])")
_NOT_IN_LINK = re.compile(r"[:#|^\\\r\n]|%%|\[\[|\]\]")
_MARKUP = re.compile(
    r"\\([!-/:-@\[-`{-~])"  # an escaped character
    r"|(?<!\s)\*+|\*+(?!\s)"  # emphasis, but not in `2 * 3`
    r"|(?<![^\W_])_+|_+(?![^\W_])"  # but not in `snake_case`
    r"|~~+|==+"
)


def strip_heading(text: str) -> str:
    """What of a heading counts when a link is compared with it, letter case aside.

    `Minecraft: The Game` and `Minecraft The Game` are equal, `It’s` and `Its` are not.
    """
    text = _COMPARED_AS_NOTHING.sub("", text)
    return _BLANKS.sub(" ", _COMPARED_AS_BLANK.sub(" ", text)).strip()


def linkable_heading(text: str) -> str:
    """A heading as a link writes it: `Minecraft: The Game` gives `Minecraft The Game`."""
    return _BLANKS.sub(" ", _NOT_IN_LINK.sub(" ", text)).strip()


def shown_link(link: Link) -> str:
    """What a reader sees of a link: `[[N|d]]` shows `d`, `[[N#A#B]]` shows `N > A > B`."""
    if link.display is not None:
        return plain(link.display) if link.markdown else link.display
    parts = [link.target, *(link.subpath or "").split("#")]
    return " > ".join(part for part in parts if part)


def plain(text: str, pieces: Iterable[tuple[int, int, str]] = ()) -> str:
    """*text* as a reader sees it: emphasis gone, escapes undone, each piece (start, end, shown) replaced.

    `**Bold** and snake_case` gives `Bold and snake_case`.
    """
    marks = [(match.start(), match.end(), match[1] or "") for match in _MARKUP.finditer(text)]
    shown: list[str] = []
    at = 0
    # Where pieces overlap, the one that begins first counts; of two that begin together, the longer.
    for start, end, instead in sorted([*pieces, *marks], key=lambda piece: (piece[0], -piece[1])):
        if start >= at:
            shown += (text[at:start], instead)
            at = end
    shown.append(text[at:])
    result = "".join(shown)
    if "&" in result:
        result = ENTITY.sub(lambda match: html.unescape(match[0]), result)
    return _BLANKS.sub(" ", result).strip()
