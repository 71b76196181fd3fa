"""The marks by which an answer points at passages, `[2]`; and how those that stand in notes are told apart.

Must not know whether a mark is right.
"""

from __future__ import annotations

import re

from knapper.memory.visible import CLOSE, OPEN

MARKER = re.compile(
    r"\[{1,2}\^?(\d{1,3}(?:[ \t]*[,;&–-][ \t]*\^?\d{1,3})*+)\]{1,2}|【(\d{1,3})(?:[†:][^】\n]{0,40})?】"
)
"""Also as models write it: `[1, 2]`, `[[1]]`, `[^1]`, `[1-3]`, `【1】`."""
MADE = re.compile(f"{OPEN}(\\d+){CLOSE}")
"""A marker of ours, that has been checked and has its number in the answer."""
_PART = re.compile(r"(\d{1,3})(?:\s*[–-]\s*\^?(\d{1,3}))?")
_MOST = 20

_BRACKETS = str.maketrans("[]【】", "⟦⟧⟦⟧")
_SOURCES = re.compile(
    r"^((?:[^\w\n]|_)*+(?:sources?|references?|citations?|quellen|источники)(?:[^\w\n:]|_)*+):",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r"<(?=/?notes-)", re.IGNORECASE)
_TAGS = re.compile("[\U000e0000-\U000e007f\ufdd0\ufdd1]")


def numbers_in(found: re.Match[str]) -> tuple[int, ...]:
    """The numbers that a `MARKER` names, each once: `[1, 3-5]` gives 1, 3, 4, 5."""
    numbers: list[int] = []
    for first, last in _PART.findall(found[1] or found[2]):
        numbers += range(int(first), int(last) + 1) if last else [int(first)]
    return tuple(dict.fromkeys(numbers[:_MOST]))


def made(number: int) -> str:
    """A marker that stays as it is whatever is done to the text around it."""
    return f"{OPEN}{number}{CLOSE}"


def neutral(text: str) -> str:
    """*text* of a note so that it cannot be taken for ours: one character for each, so that spans stay right.

    `As in [1].` gives `As in ⟦1⟧.`, a line `Sources: …` has another colon, and no line ends the quotation.
    """
    text = MARKER.sub(lambda found: found[0].translate(_BRACKETS), text)
    text = _SOURCES.sub(r"\1∶", text)
    return _TAGS.sub("\ufffd", _FENCE.sub("‹", text))
