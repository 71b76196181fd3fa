"""Texts made alike for comparing: letter case, accents and widths gone.

Two foldings: `search_fold` for the full text, which also parts what a tokenizer would leave in one piece;
`name_fold` for matching names as they are typed, which keeps the order and number of words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

# Letters that are written without blanks between words: Han, kana, Hangul. Their blocks, not their
# category, because the marks in between (々, ー) belong to the words. The rare planes have a pattern of
# their own: a class that leaves the first plane is searched thirty times slower.
_CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u303a\u3040-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
)
_RARE_CJK = "\U0001aff0-\U000323af"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_RARE_CJK_RUN = re.compile(f"[{_RARE_CJK}]+")
_ANY_CJK_RUN = re.compile(f"[{_CJK}{_RARE_CJK}]+")
_FROM_CJK_ON = re.compile("[\u2e80-\U000323af]")
# Accents and points. Not the vowel signs of Indic scripts, without which nothing could be told apart, nor
# the marks that make other letters of kana.
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f]+"
)
_TO_COMPOSE = re.compile("[\u1100-\u11ff]+|[\u3040-\u30ff][\u3099\u309a]+")
_MAY_COMPOSE = re.compile("[\u1100-\u11ff\u3099\u309a]")  # Looks through a text four times as fast.
# Folding looks at no more than the characters beside each other that are not ASCII, and those are few in most
# texts and the same ones again and again.
_BEYOND_ASCII = re.compile("[^\x00-\x7f]+")
_SHORT = 16

# Also the second of `HTMLParser`, not that of `PDFs`. Begins with the capital, or it is three times slower.
_HUMP = re.compile(r"[A-Z](?:(?<=[a-z0-9][A-Z])|(?<=[A-Z][A-Z])[a-z]{2})")
_WORD_BEFORE = re.compile(r"[A-Za-z0-9]*$")
_WORD_AFTER = re.compile(r"[A-Za-z0-9]{0,64}")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_MAX_WORD = 64  # A longer run of letters is no identifier.


def search_fold(text: str) -> str:
    """*text* as the full-text index holds it and as queries are asked.

    `Straße` gives `strasse`, `ёлка` gives `елка`; CJK characters stand apart (`日本` gives ` 日 本 `),
    so that two of them are found as a phrase; the parts of `getUserId` follow it: `getuserid get user id`. Of
    `snake_case` and `self-hosted` the tokenizer finds the parts by itself.
    """
    text = _part_humps(text)
    if text.isascii():
        return text.lower()
    return _BEYOND_ASCII.sub(_fold_run, text).casefold()


def name_fold(text: str) -> str:
    """*text* for matching names without accents and letter case: `Café Ω` gives `cafe ω`."""
    if text.isascii():
        return text.lower()
    return _strip_marks(text).casefold()


def cjk_runs(text: str) -> Iterator[tuple[int, int]]:
    """Where Han, kana and Hangul stand in *text*, as offsets: `ab日本c` gives (2, 4)."""
    if text.isascii():
        return
    first = _FROM_CJK_ON.search(text)
    if first is None:
        return
    for run in _cjk_runs_in(text).finditer(text, first.start()):
        yield run.span()


def _fold_run(run: re.Match[str]) -> str:
    beyond = run[0]
    return _folded_short(beyond) if len(beyond) <= _SHORT else _folded(beyond)


def _folded(beyond: str) -> str:
    stripped = _strip_marks(beyond)
    return _cjk_runs_in(stripped).sub(_apart, stripped)


_folded_short = lru_cache(maxsize=4096)(_folded)


def _cjk_runs_in(text: str) -> re.Pattern[str]:
    return _ANY_CJK_RUN if _RARE_CJK_RUN.search(text) else _CJK_RUN


def _apart(run: re.Match[str]) -> str:
    return f" {' '.join(run[0])} "


def _strip_marks(text: str) -> str:
    text = _MARKS.sub("", unicodedata.normalize("NFKD", text))
    # NFKD took the syllables of Hangul and the voiced kana apart, which are letters of their own.
    if _MAY_COMPOSE.search(text) is None:
        return text
    return _TO_COMPOSE.sub(lambda run: unicodedata.normalize("NFC", run[0]), text)


def _part_humps(text: str) -> str:
    hump = _HUMP.search(text)
    if hump is None:
        return text
    parts: list[str] = []
    at = 0
    while hump is not None:
        before = _WORD_BEFORE.search(text, max(at, hump.start() - _MAX_WORD), hump.start())
        after = _WORD_AFTER.match(text, hump.start())
        assert before is not None
        assert after is not None
        word = text[before.start() : after.end()]
        pieces = [piece for piece in _PART.findall(word) if len(piece) > 1]
        parts += (text[at : after.end()], " ", " ".join(pieces), " ")
        at = after.end()
        hump = _HUMP.search(text, at)
    parts.append(text[at:])
    return "".join(parts)
