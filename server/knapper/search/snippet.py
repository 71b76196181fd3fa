"""The few words of a passage that show why it was found, from the text as written.

Knows texts and folded words; must not know how the passage was found.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from knapper.text.fold import cjk_runs, search_fold
from knapper.text.lines import Text
from knapper.text.span import Place, Span

WIDTH = 200
"""How long a snippet is, about, in characters."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FOLDED_WORD = re.compile(r"[^\W_]+")
_HEADING = re.compile(r"#{1,6}[ \t][^\r\n]*[\r\n]+")
_LEAD = 40
_LONGEST = 2 * WIDTH

_Match = tuple[Span, str]


@dataclass(frozen=True, slots=True)
class Snippet:
    """`text` is one line; `place` are the matched words it is about, in the passage's own lines."""

    text: str
    place: Place


def snippet_of(passage: str, words: Collection[str]) -> Snippet:
    """The stretch of *passage* with the most different *words* (folded), and where its matches stand.

    The place is that of the matches in one line of the stretch, the one with the most different words.
    With no match in the passage (the title was found, say) the snippet is the passage's beginning and the
    place its first line's start.
    """
    best = _densest(_matches(passage, frozenset(words)))
    if not best:
        return Snippet(_cut(passage, Span(0, 0)), Place(0, 0, 0, 0))
    text = Text(passage)
    lines: dict[int, list[_Match]] = {}
    for match in best:
        lines.setdefault(text.line_of(match[0].start), []).append(match)
    line = max(lines.values(), key=lambda found: len({word for _, word in found}))
    place = text.place(Span(line[0][0].start, line[-1][0].end))
    return Snippet(_cut(passage, Span(best[0][0].start, best[-1][0].end)), place)


def _matches(passage: str, words: frozenset[str]) -> list[_Match]:
    """Where the words stand, in order; each with the word it matches."""
    found: list[_Match] = []
    if not words:
        return found
    for match in _WORD.finditer(passage):
        for start, end, folded in _parts(match[0]):
            for word in folded:
                if word in words:
                    found.append((Span(match.start() + start, match.start() + end), word))
                    break
    return found


@lru_cache(maxsize=8192)  # The passages of one search share most of their words.
def _parts(written: str) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """What of a word matches by itself, and how it is folded: the whole, or each character if it is CJK."""
    if any(cjk_runs(written)):
        return tuple((at, at + 1, _folded_words(written[at])) for at in range(len(written)))
    return ((0, len(written), _folded_words(written)),)


def _folded_words(written: str) -> tuple[str, ...]:
    return tuple(_FOLDED_WORD.findall(search_fold(written)))


def _densest(matches: list[_Match]) -> list[_Match]:
    """The matches of the window with the most different words, then the most matches; the first such."""
    best: tuple[int, int] = (0, 0)
    chosen: list[_Match] = []
    start = 0
    counts: dict[str, int] = {}
    for end, (span, word) in enumerate(matches):
        counts[word] = counts.get(word, 0) + 1
        while span.end - matches[start][0].start > WIDTH - _LEAD and start < end:
            leaving = matches[start][1]
            counts[leaving] -= 1
            if not counts[leaving]:
                del counts[leaving]
            start += 1
        value = (len(counts), end - start)
        if value > best or not chosen:
            best, chosen = value, matches[start : end + 1]
    return chosen


def _cut(passage: str, around: Span) -> str:
    """About WIDTH characters around *around*, cut between words, blanks and line breaks made one blank."""
    start = _start(passage, around.start)
    end = min(len(passage), max(start + WIDTH, min(around.end, start + _LONGEST)))
    if end < len(passage):
        blank = max(passage.rfind(" ", around.end, end), passage.rfind("\n", around.end, end))
        end = blank if blank > 0 else end
    text = " ".join(passage[start:end].split())
    before = _HEADING.sub("", passage[:start]).strip()
    return f"{'…' if before else ''}{text}{'…' if passage[end:].strip() else ''}"


def _start(passage: str, match: int) -> int:
    """Where a snippet that shows *match* begins: at its line, its sentence, or a few words before.

    Headings right before it are left out: a hit names them anyway.
    """
    low = max(0, match - _LEAD)
    start = _break_before(passage, low, match) if low else 0
    while (heading := _HEADING.match(passage, start)) and heading.end() <= match:
        start = heading.end()
    return start


def _break_before(passage: str, low: int, match: int) -> int:
    line = max(passage.rfind("\n", low, match), passage.rfind("\r", low, match)) + 1
    if line:
        return line
    sentence = max(passage.rfind(mark, low, match) for mark in (". ", "? ", "! "))
    if sentence >= 0:
        return sentence + 2
    blank = passage.find(" ", low, match)
    return blank + 1 if blank >= 0 else low
