"""A question made into what can be searched: without what only asks, with dates as the search reads them.

Knows words; must not know the notes. A question is prose: quotation marks, dashes and `tag:` in it mean what
they mean in prose.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from knapper.memory.asked import Turn
from knapper.memory.words import content_words
from knapper.search.query import parse_query
from knapper.text.fold import cjk_runs

_MONTHS = [name.lower() for name in calendar.month_name if name]
_MONTH = "|".join(_MONTHS)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_DAY_FIRST = re.compile(rf"\b{_DAY}(?: of)? ({_MONTH}),? (\d{{4}})\b", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"\b({_MONTH}) {_DAY},? (\d{{4}})\b", re.IGNORECASE)

_SYNTAX = re.compile(r"[\"“”„«»「」『』]|(?<!\S)-+(?=\S)|\b(?:tag|path|title):|(?<!\S)#(?=\w)", re.IGNORECASE)
_BRACKETS = re.compile(r"!?\[\[([^\[\]|#]*)(?:#[^\[\]|]*)?(?:\|([^\[\]]*))?\]\]")
# What speaks of asking, and not of what is asked for.
_ASKING = re.compile(
    r"""\b(?:
        (?:please\ )?(?:can|could|would|will)\ you(?:\ please)?(?:\ (?:tell|show|remind|explain\ to)\ me)?
        | (?:tell|show|remind|give)\ me(?:\ again)?
        | please
        | (?:(?:what|where|when|how)\ )?(?:do|does|did)\ (?:my|the|our)\ notes?
            \ (?:say|tell|mention|contain|have)(?:\ (?:about|on|of))?
        | (?:(?:what|where|when)\ )?(?:do|did|have)\ (?:i|we)
            \ (?:say|write|note|note\ down|written|said|noted)(?:\ (?:about|on|down))?
        | (?:according\ to|in|from|based\ on)\ (?:my|our|the|these|all)\ notes?
        | (?:is|are)\ there\ (?:any(?:thing)?|something|notes?)
            (?:\ in\ (?:my|our)\ notes?)?(?:\ (?:about|on))?
        | (?:i|we)\ (?:want|need|would\ like)\ to\ know
        | do\ (?:i|we|you)\ (?:know|have\ (?:any\ )?notes)(?:\ (?:about|on))?
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# Chinese, Japanese and Russian words that ask or join; no word of theirs is a good one of another language.
_JOINING = re.compile(
    r"为什么|為什麼|什么时候|什么|什麼|怎么样|怎么|怎麼|如何|哪些|哪个|哪里|多少|是否|有没有|关于|我的笔记|笔记里|请问"
    r"|[是的吗呢了吧和与在有我你]"
    r"|について|ですか|ますか|でしょうか|とは何|とは|何|どう|どの|どこ|いつ|なぜ|です|ます|[のはがをにでと]"
)
_RUSSIAN_WORDS = """
что как где когда почему какой какая какие какое сколько кто чем это мой моя мои мне на по для об от до из
ли же бы или но есть был была было были написано говорят заметках заметки такое такой зачем надо нужно можно
"""
_RUSSIAN = frozenset(_RUSSIAN_WORDS.split())
_GENERAL_WORDS = """
note notes say says said tell tells write writes written wrote mention mentions mentioned describe describes
described explain explains explained find show shows give gives list lists summarize summarise summary
summarized sum overview according please many often kind kinds happen happens happened happening going done
go goes get gets got getting
anything something everything thing things ever know known main points point gist key ideas idea content
contents text file page section passage think thoughts mean means meant question answer information info
details detail topic topics
"""
_GENERAL = frozenset(_GENERAL_WORDS.split())
_POINTING = re.compile(
    r"\A(?:and|but|so|or|also|then|why not|(?:what|how) about|what else|а|и|那|それ)\b"
    r"|\b(?:it|its|they|them|their|this|that|these|those|he|she|him|her|his)\b",
    re.IGNORECASE,
)
_FEW = 4  # content words


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question is about. `query` is searched; `words` are what an answer must speak of, folded.

    `own` are the words of this question alone, where the one before is searched too. `undated` is the query
    without its dates, the same if there are none. Without words a question asks for all there is.
    """

    query: str
    words: tuple[str, ...]
    own: tuple[str, ...]
    undated: str
    follows: bool = False


def understood(text: str, turns: Sequence[Turn], today: date) -> Asked:
    """The question *text*, with that of the *turns* before it which it needs in order to say something.

    `What do my notes say about "blight"?` is searched as `blight`; `And when?` together with what was asked
    before; `What did I bake on 1 March 2025?` with `2025-03-01`.
    """
    query = searched(text)
    words = own = words_of(query, today)
    follows = False
    for turn in reversed(turns):
        if not _follows(text, words):
            break
        before = searched(turn.question)
        query, follows = f"{before} {query}", True
        words = tuple(dict.fromkeys((*words_of(before, today), *words)))
        text = turn.question
    parsed = parse_query(query, today)
    return Asked(query, words, own, parsed.said if parsed.dates else query, follows)


def searched(text: str) -> str:
    """*text* as a query in which nothing is syntax and no word only asks."""
    text = _BRACKETS.sub(lambda link: link[2] or link[1], text)
    text = _SYNTAX.sub(" ", text)
    text = _DAY_FIRST.sub(lambda day: _iso(day[3], day[2], day[1]) or day[0], text)
    text = _MONTH_FIRST.sub(lambda day: _iso(day[3], day[1], day[2]) or day[0], text)
    text = _ASKING.sub(" ", text)
    if any(cjk_runs(text)):
        text = _JOINING.sub(" ", text)
    return " ".join(word for word in text.split() if word.casefold().strip(",.?!:;") not in _RUSSIAN)


def words_of(query: str, today: date) -> tuple[str, ...]:
    """The words of *query* that say what it is about: no dates, and none that any question may have."""
    said = " ".join(term.said for term in parse_query(query, today).terms)
    return tuple(word for word in content_words(said) if word not in _GENERAL)


def _follows(text: str, words: Sequence[str]) -> bool:
    """Whether a question only makes sense after another one."""
    return not words or (len(words) <= _FEW and _POINTING.search(text.strip()) is not None)


def _iso(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), _MONTHS.index(month.lower()) + 1, int(day)).isoformat()
    except ValueError:  # 30 February is no date.
        return None
