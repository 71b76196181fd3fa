"""The characters of an answer as it comes, without those that nobody sees. Must not know Markdown.

Hidden characters can carry words past the reader, turn a line around, or part what should be recognised.
"""

from __future__ import annotations

import html
import re

from knapper.markup.destination import ENTITY

OPEN, CLOSE = "\ufdd0", "\ufdd1"
"""No characters at all: no text holds them, so the parts of Knapper may put them around what they make."""

# Controls, soft hyphens, zero widths, directions, tags, and selectors that select nothing.
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e0fff\ud800-\udfff]+"
)
_BREAK = re.compile(r"\r\n?")
_ODD_BLANK = re.compile("[\x0b\x0c\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"
# They belong into Persian words, Indic letters and emoji; between Latin letters they only hide something.
_STRAY_JOINER = re.compile(
    f"(?<![^\x00-\x7f{_JOINERS}])[{_JOINERS}]+|[{_JOINERS}]+(?![^\x00-\x7f{_JOINERS}])"
)
_WAITS = re.compile(f"[\r{_JOINERS}]+\\Z")  # What they are depends on what follows.


class Visible:
    r"""Takes the hidden characters out of a text in pieces; line breaks become `\n`.

    Whatever the pieces are, what `feed` and `end` give is `visible` of the whole.
    """

    def __init__(self) -> None:
        self._held = ""
        self._last = ""  # what was given out last, which a joiner may belong to

    @property
    def held(self) -> int:
        """How many characters are held back."""
        return len(self._held)

    def feed(self, text: str) -> str:
        """What can be shown now."""
        text = _HIDDEN.sub("", self._held + text)
        waits = _WAITS.search(text)
        at = waits.start() if waits else len(text)
        self._held = text[at:]
        return self._given(text[:at])

    def end(self) -> str:
        """What was held back."""
        text, self._held = self._held, ""
        return self._given(text)

    def _given(self, text: str) -> str:
        given = _seen(self._last + text)[len(self._last) :]
        self._last = given[-1:] or self._last
        return given


def visible(text: str) -> str:
    r"""*text* without hidden characters: `a\u200bb\r\n` gives `ab\n`."""
    return _seen(_HIDDEN.sub("", text))


def without_hidden_entities(text: str) -> str:
    """*text* without hidden characters that are spelled out: `a&#x200b;b` gives `ab`; `&amp;` stays."""

    def kept(found: re.Match[str]) -> str:
        return found[0] if visible(html.unescape(found[0])) else ""

    return ENTITY.sub(kept, text) if "&" in text else text


def _seen(text: str) -> str:
    if text.isascii() and "\r" not in text and "\x0b" not in text and "\x0c" not in text:
        return text
    return _STRAY_JOINER.sub("", _ODD_BLANK.sub(" ", _BREAK.sub("\n", text)))
