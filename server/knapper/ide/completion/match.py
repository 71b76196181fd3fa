"""How well a short text answers what was typed, for lists that are small enough to look through.

Knows folded strings only. The names of a whole vault are searched by `vault.fuzzy`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import TypeVar

from knapper.base.cancel import CancelToken
from knapper.text.fold import name_fold

T = TypeVar("T")
_WORD = re.compile(r"[^\W_]+")


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """*text* as it is compared; the names, tags and headings at hand come again with every keystroke."""
    return name_fold(text)


def tier(query: str, text: str) -> int | None:
    """How well the folded *text* answers the folded *query*, 0 the best; None: not at all.

    0 it is it, 1 it begins with it, 2 a word begins with it, 3 it holds it, 4 each word of the query begins
    a word, 5 it holds each word, 6 it holds the letters in this order.
    """
    if not query or text == query:
        return 0
    at = text.find(query)
    if at >= 0:
        return 1 if at == 0 else _inside(query, text, at)
    words = query.split()
    if len(words) > 1 and all(word in text for word in words):
        begins = all(re.search(rf"(?<![^\W_]){re.escape(word)}", text) for word in words)
        return 4 if begins else 5
    return 6 if _in_order(query, text) else None


def _inside(query: str, text: str, at: int) -> int:
    while at > 0:
        if not _WORD.match(text[at - 1]) or not _WORD.match(text[at]):
            return 2
        at = text.find(query, at + 1)
    return 3


def _in_order(query: str, text: str) -> bool:
    at = 0
    for character in query:
        if character == " ":
            continue
        at = text.find(character, at) + 1
        if not at:
            return False
    return True


def matching(
    query: str, things: Iterable[T], text_of: Callable[[T], str], token: CancelToken | None = None
) -> list[T]:
    """The things that answer *query*, best first; equally good ones stay in their order."""
    return [thing for _, thing in tiered(query, things, text_of, token)]


def tiered(
    query: str, things: Iterable[T], text_of: Callable[[T], str], token: CancelToken | None = None
) -> list[tuple[int, T]]:
    """The same, each with its tier."""
    found = list(_tiers(name_fold(query).strip(), things, text_of, token))
    found.sort(key=lambda pair: pair[0])
    return found


def _tiers(
    query: str, things: Iterable[T], text_of: Callable[[T], str], token: CancelToken | None
) -> Iterator[tuple[int, T]]:
    for count, thing in enumerate(things):
        if token and count % 256 == 0:
            token.check()
        found = tier(query, folded(text_of(thing)))
        if found is not None:
            yield found, thing
