r"""Filters of paths as Obsidian writes them in `userIgnoreFilters`, made safe to match.

`/…/` is a regular expression that is looked for in the vault path, anything else a prefix of it: `Archive/`
holds for `Archive/x.md` and not for `Archive2/x.md`; `Archive` holds for the folder of that name too, and for
both. An expression may take for ever on some path (`/^(a|aa)+$/` on forty a's and a point): where it takes
too long it counts as holding, for what somebody wants hidden must not be shown, or sent, for that. Must not
know what is hidden for it.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

# Unlike `re` it can be told how long it may take, and lets other threads run meanwhile.
import regex

_LONGEST, _LATER = 0.1, 0.002
"""Seconds of work that one expression may take for one path; and once it has taken `_MOST` for slow paths."""
_MOST = 0.5
_LONG = 0.001
"""What took so many seconds is remembered, so that it is done once."""


@dataclass(slots=True)
class _Tried:
    """What is known of one expression in this process, whichever settings it stands in."""

    spent: float = 0.0
    known: dict[str, bool] = field(default_factory=dict)  # paths on which it is slow
    is_endless: bool = False


_tried: defaultdict[str, _Tried] = defaultdict(_Tried)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Filters that can be read. Two of the same filters are equal."""

    filters: tuple[str, ...]
    _prefix: re.Pattern[str] | None = field(compare=False, repr=False)
    _expressions: tuple[tuple[str, regex.Pattern[str]], ...] = field(compare=False, repr=False)

    def holds(self, path: str) -> bool:
        """Whether one of the filters holds for *path*. Takes no longer than a moment, whatever they are."""
        if self._prefix is not None and self._prefix.match(path):
            return True
        return any(_is_in(item, pattern, path) for item, pattern in self._expressions)

    @property
    def slow(self) -> tuple[str, ...]:
        """The filters that have taken too long for some path by now."""
        return tuple(item for item, _ in self._expressions if item in _tried and _tried[item].is_endless)

    @property
    def is_simple(self) -> bool:
        """Whether no filter can take long."""
        return not self._expressions


def read_exclusion(filters: Iterable[str]) -> tuple[Exclusion | None, list[str]]:
    """The *filters* as one, None if there are none; and those that are no regular expressions."""
    used: list[str] = []
    prefixes: list[str] = []
    expressions: list[tuple[str, regex.Pattern[str]]] = []
    bad: list[str] = []
    for item in filters:
        if len(item) > 2 and item.startswith("/") and item.endswith("/"):
            try:
                expressions.append((item, regex.compile(item[1:-1], regex.DOTALL)))
            except (regex.error, RecursionError, OverflowError):
                bad.append(item)
                continue
        elif item:
            prefixes.append(re.escape(item))
        else:
            continue
        used.append(item)
    prefix = re.compile("|".join(prefixes)) if prefixes else None
    return (Exclusion(tuple(used), prefix, tuple(expressions)) if used else None), bad


def _is_in(item: str, pattern: regex.Pattern[str], path: str) -> bool:
    tried = _tried[item]
    if path in tried.known:
        return tried.known[path]
    begun = time.thread_time()  # Waiting for the processor is not the expression's fault.
    limit = _LONGEST if tried.spent < _MOST else _LATER
    try:
        found = pattern.search(path, timeout=limit, concurrent=True) is not None
    except TimeoutError:
        found = tried.is_endless = tried.known[path] = True
    took = time.thread_time() - begun
    if took > _LONG:
        tried.spent += took
        tried.known[path] = found
    return found
