"""The words of a text that say what it is about, and whether two words are forms of one.

Pure, and only as clever as comparing a question with a passage needs: the full text has its own stems, which
cannot be asked for a whole passage at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from knapper.search.stopwords import STOP_WORDS
from knapper.text.fold import cjk_runs, search_fold

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLE = re.compile(r"([b-df-hj-np-tv-z])\1\Z")
_CYRILLIC = re.compile(
    r"(?:(?:иями|ями|ами|ого|его|ому|ему|ыми|ими|ешь|ишь|ете|ите|ают|яют|ает|яет|ать|ять|ить|еть|ых|их|ой|ей|ый|ий"
    r"|ая|яя|ое|ее|ые|ие|ую|юю|ов|ев|ам|ям|ах|ях|ом|ем|ет|ит|ут|ют|ат|ят|ла|ло|ли|ть|[аяоеиыуюьйл])(?:ся|сь)?)\Z"
)
_PLURALS = (
    *(("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("xes", "x")),
    *(("oaves", "oaf"), ("eaves", "eaf"), ("alves", "alf"), ("elves", "elf"), ("s", "")),
)


def content_words(text: str) -> tuple[str, ...]:
    """The different words of *text*, folded, in order, without English stop words and short numbers.

    `How do Bees drink?` gives `bees`, `drink`; of CJK text each pair of neighbours is a word: `日本語` gives
    `日 本`, `本 語`. A single such character is one by itself.
    """
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        found.update(dict.fromkeys(_folded_words(match[0])))
    return tuple(found)


@lru_cache(maxsize=8192)
def _folded_words(written: str) -> tuple[str, ...]:
    runs = [written[start:end] for start, end in cjk_runs(written)]
    if runs:
        return tuple(word for run in runs for word in _pairs(run))
    folded = search_fold(written).split()
    word = re.split(r"['’]", folded[0])[0] if folded else ""
    says_nothing = len(word) < 2 or word in STOP_WORDS or (word.isdigit() and len(word) < 3)
    return () if says_nothing else (word,)


def _pairs(run: str) -> Iterable[str]:
    return (f"{one} {other}" for one, other in pairwise(run)) if len(run) > 1 else (run,)


_IRREGULAR_FORMS = """
feed fed, sow sown, grow grew grown, keep kept, build built, buy bought, bring brought, think thought,
teach taught, catch caught, break broke broken, freeze froze frozen, choose chose chosen, drink drank drunk,
sink sank sunk, eat ate eaten, drive drove driven, ride rode ridden, fall fell fallen, sleep slept,
swim swam swum, sing sang sung, send sent, spend spent, lend lent, lose lost, sell sold, pay paid, meet met,
lead led, leave left, find found, hold held, fly flew flown, throw threw thrown,
draw drew drawn, speak spoke spoken, steal stole stolen, wear wore worn, hide hid hidden, bite bit bitten,
begin began begun, win won, foot feet, tooth teeth, mouse mice, goose geese, child children, man men,
woman women, person people, half halves, knife knives, wife wives, life lives
"""
_IRREGULAR = {
    other: first for first, *others in map(str.split, _IRREGULAR_FORMS.split(",")) for other in others
}


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """What forms of one word have in common, roughly: `baking`, `bakes`, `baked` give `bak`.

    Endings of English and of the languages written in Cyrillic; other words stay as they are.
    """
    if not word.isascii():
        cut = _CYRILLIC.sub("", word)
        return cut if len(cut) > 2 else word
    word = _IRREGULAR.get(word, word)
    for ending, instead in _PLURALS:
        singular = word[: -len(ending)] + instead
        if word.endswith(ending) and len(singular) > 2 and not word.endswith(("ss", "us", "is")):
            word = singular
            break
    for ending in ("ation", "ition", "ion", "ing", "ed", "ly"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and _VOWEL.search(rest):
            word = _DOUBLE.sub(r"\1", rest)
            break
    if word.endswith("ate") and len(word) > 6:
        word = word[:-3]
    if word.endswith("e") and len(word) > 3:
        word = word[:-1]
    return f"{word[:-1]}i" if word.endswith("y") and len(word) > 3 else word


def are_forms(one: str, other: str) -> bool:
    """Whether two stems may be of one word: they begin alike and differ in a short ending.

    `kartoffel` and `kartoffeln` may; `bread` and `break` may not.
    """
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    least, most = (5, 2) if one.isascii() else (4, 3)
    if len(short) < least or len(long) - least > len(short) - least + most:
        return False
    same = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return same >= least and len(long) - same <= most and len(short) - same <= most
