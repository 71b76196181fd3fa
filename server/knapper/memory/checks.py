"""Whether a claim may rest on a passage: its quotations stand there, its numbers, enough of its words.

A check of words, not of truth: it finds the citation that has nothing to do with its sentence, the quotation
that nobody wrote, the number from elsewhere. Must not know where claims come from.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from knapper.memory.words import are_forms, content_words, stem
from knapper.text.fold import cjk_runs, name_fold

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,'’]\d{3})+")
_QUOTED = re.compile(
    r"“([^“”\n]+)[”“]|„([^„“”\n]+)[“”]|«([^«»\n]+)»|「([^「」\n]+)」|『([^『』\n]+)』|(?<!\d)\"([^\"\n]+)\""
)
_ELISION = re.compile(r"\s*\[?(?:…|\.\.\.+)\]?\s*|\s*\[[^\[\]]{1,40}\]\s*")
_UNSEEN = re.compile(r"\]\([^()\s]*\)|(?<=\[\[)[^\[\]|\n]*\||[*_`~]+")
_COUNTED = dict(
    zip("one two three four five six seven eight nine ten eleven twelve".split(), range(1, 13), strict=True)  # noqa: SIM905 -- Counted more easily so.
)
_ENOUGH = 0.3
_LONG = 4
"""Letters of a stem. Shorter words join others in most languages, and are no ground for anything alone."""


@dataclass(frozen=True)
class Grounds:
    """What a claim may rest on: the text of a passage and the names above it."""

    text: str = field(repr=False)
    names: str = field(default="", repr=False)

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of the words in the text that say something."""
        return frozenset(telling(self.text))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers, as `numbers` gives them, and those up to twelve that are written as words."""
        said = f"{self.names} {self.text}"
        found = {form for forms in numbers(said) for form in forms}
        return frozenset(found | {str(_COUNTED[word]) for word in _words(said) if word in _COUNTED})

    def holds(self, quotation: str) -> bool:
        """Whether the words of *quotation* stand here in this order; where it has `…` there may be more."""
        parts = [_bare(part) for part in _ELISION.split(quotation)]
        return any(
            _in_order(parts, _bare(text)) for text in (self.text, _UNSEEN.sub("", self.text), self.names)
        )

    def shared(self, claim: str, common: Collection[str] = ()) -> tuple[set[str], set[str]]:
        """The stems of what *claim* says that are not *common*, and those of them that are said here."""
        every = telling(claim)
        wanted = every - set(common) or every
        return wanted, {word for word in wanted if _said(word, self._by_start)}

    def shares(self, claim: str, common: Collection[str] = ()) -> bool:
        """Whether enough of what *claim* says is said here; what is *common* to many tells nothing."""
        wanted, said = self.shared(claim, common)
        named = {word for word in wanted - said if _said(word, self._by_start_of_name)}
        exact = [self.holds(quoted) for quoted in quotations(claim)]
        exact += [bool(forms & self.numbers) for forms in numbers(claim)]
        of, held = len(wanted) + len(exact), len(said | named) + sum(exact)
        if of == 1:
            return held == 1
        long = {word for word in wanted if _is_long(word)} or wanted
        few = 1 if of < 4 else 2
        return (bool(said & long) or any(exact)) and held >= (few if of < 7 else math.ceil(_ENOUGH * of))

    @cached_property
    def _by_start(self) -> dict[str, list[str]]:
        return _by_start(self.words)

    @cached_property
    def _by_start_of_name(self) -> dict[str, list[str]]:
        return _by_start(telling(self.names))


def telling(text: str) -> set[str]:
    """The stems of the words of *text* that say something; numbers are looked at elsewhere."""
    return {stem(word) for word in content_words(text) if not word[0].isdigit()}


def stands_in(quoted: str, text: str) -> bool:
    """Whether the letters of *quoted* stand in *text* in one run, whatever stands between words."""
    return "".join(_words(quoted)) in "".join(_words(text))


def quotations(claim: str) -> tuple[str, ...]:
    """What stands in quotation marks: `He “said so”.` gives `said so`. A mark behind a number is inches."""
    found = (next(filter(None, match.groups())) for match in _QUOTED.finditer(claim))
    return tuple(quoted for quoted in found if _WORD.search(quoted))


def numbers(claim: str) -> tuple[frozenset[str], ...]:
    """The numbers in *claim*, each in the forms it may have: `1,500` gives {`1500`, `1.500`}."""
    return tuple(frozenset(_forms(one)) for found in _NUMBER.finditer(claim) for one in _parted(found[0]))


def unfounded(claim: str, grounds: Iterable[Grounds]) -> bool:
    """Whether *claim* quotes or counts what stands in none of its *grounds*."""
    every = list(grounds)
    said = {number for one in every for number in one.numbers}
    if any(not forms & said for forms in numbers(claim)):
        return True
    return any(not any(one.holds(quoted) for one in every) for quoted in quotations(claim))


def _words(text: str) -> list[str]:
    return _WORD.findall(name_fold(text))


def _is_long(stem_: str) -> bool:
    return len(stem_) >= (_LONG if stem_.isascii() else _LONG - 1)


def _by_start(words: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(word[:3], []).append(word)
    return found


def _said(word: str, by_start: dict[str, list[str]]) -> bool:
    return any(are_forms(word, other) for other in by_start.get(word[:3], ()))


def _parted(number: str) -> list[str]:
    """The parts of a date, `7.5.2024`; any other number is one."""
    parts = re.split(r"[.,'’]", number)
    return parts if len(parts) > 2 and not _THOUSANDS.fullmatch(number) else [number]


def _forms(number: str) -> Iterable[str]:
    number = "".join(
        str(unicodedata.digit(character)) if character.isdigit() else character for character in number
    )
    if _THOUSANDS.fullmatch(number):
        yield re.sub(r"\D", "", number).lstrip("0") or "0"
    whole, *rest = re.split(r"[.,'’]", number)
    yield ".".join([whole.lstrip("0") or "0", *rest])


def _bare(text: str) -> str:
    """*text* as words with one blank between: `**Fold** it!` gives ` fold it `."""
    return f" {' '.join(_words(text))} "


def _in_order(parts: list[str], text: str) -> bool:
    at = 0
    for part in parts:
        if not part.strip():
            continue
        wanted = part.strip() if any(cjk_runs(part)) else part
        at = text.find(wanted, at)
        if at < 0:
            return False
        at += len(wanted) - 1
    return True
