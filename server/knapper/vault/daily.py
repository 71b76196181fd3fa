"""Daily notes: which date a note is for, and which note a date is for.

Knows the tokens of moment.js that Obsidian's daily notes are named with, in English. Must not know
today's date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache

from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath, is_note

_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TOKEN = re.compile(
    r"\[(?P<literal>[^\]]*)\]|YYYY|YY|Qo|Q|MMMM|MMM|MM|Mo|M|DDDD|DDD|DD|Do|D"
    r"|dddd|ddd|dd|do|d|E|e|gggg|GGGG|gg|GG|ww|wo|w|WW|Wo|W|."
)


def daily_note_path(obsidian: Obsidian, day: date) -> NotePath:
    """The daily note of *day*: with the format `YYYY/MM-DD` in the folder `Log` it is `Log/2025/04-11.md`."""
    daily = obsidian.daily
    return NotePath(f"{daily.folder}/{_written(daily.format, day)}.md".lstrip("/"))


def daily_note_date(obsidian: Obsidian, path: NotePath) -> date | None:
    """The day that the note is the daily note of, or None.

    The whole path must be the one that `daily_note_path` gives: `2025-04-11 plan.md` is no daily note.
    """
    daily = obsidian.daily
    inside = path.removeprefix(f"{daily.folder}/" if daily.folder else "")
    if not is_note(path) or (daily.folder and inside == path):
        return None
    found = _pattern(daily.format).fullmatch(inside[:-3])
    day = _day(found.groupdict()) if found else None
    return day if day and _written(daily.format, day).casefold() == inside[:-3].casefold() else None


def _written(format_: str, day: date) -> str:
    return "".join(_token_written(found, day) for found in _TOKEN.finditer(format_))


def _token_written(found: re.Match[str], day: date) -> str:
    if found["literal"] is not None:
        return found["literal"]
    write = _WRITERS.get(found[0])
    return write(day) if write else found[0]


def _ordinal(number: int) -> str:
    """1 gives `1st`, 12 gives `12th`."""
    ending = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _local_week(day: date) -> tuple[int, int]:
    """Year and week as moment counts them in English: weeks begin on Sunday, the first holds 1 January."""
    saturday = day + timedelta(days=(5 - day.weekday()) % 7)
    first = date(saturday.year, 1, 1)
    return saturday.year, ((saturday - first).days) // 7 + 1


_WRITERS: dict[str, Callable[[date], str]] = {
    "YYYY": lambda day: f"{day.year:04}",
    "YY": lambda day: f"{day.year % 100:02}",
    "Q": lambda day: str((day.month + 2) // 3),
    "Qo": lambda day: _ordinal((day.month + 2) // 3),
    "MMMM": lambda day: _MONTHS[day.month - 1],
    "MMM": lambda day: _MONTHS[day.month - 1][:3],
    "MM": lambda day: f"{day.month:02}",
    "Mo": lambda day: _ordinal(day.month),
    "M": lambda day: str(day.month),
    "DDDD": lambda day: f"{day.timetuple().tm_yday:03}",
    "DDD": lambda day: str(day.timetuple().tm_yday),
    "DD": lambda day: f"{day.day:02}",
    "Do": lambda day: _ordinal(day.day),
    "D": lambda day: str(day.day),
    "dddd": lambda day: _DAYS[day.weekday()],
    "ddd": lambda day: _DAYS[day.weekday()][:3],
    "dd": lambda day: _DAYS[day.weekday()][:2],
    "do": lambda day: _ordinal(day.isoweekday() % 7),
    "d": lambda day: str(day.isoweekday() % 7),
    "e": lambda day: str(day.isoweekday() % 7),
    "E": lambda day: str(day.isoweekday()),
    "GGGG": lambda day: f"{day.isocalendar().year:04}",
    "GG": lambda day: f"{day.isocalendar().year % 100:02}",
    "gggg": lambda day: f"{_local_week(day)[0]:04}",
    "gg": lambda day: f"{_local_week(day)[0] % 100:02}",
    "WW": lambda day: f"{day.isocalendar().week:02}",
    "Wo": lambda day: _ordinal(day.isocalendar().week),
    "W": lambda day: str(day.isocalendar().week),
    "ww": lambda day: f"{_local_week(day)[1]:02}",
    "wo": lambda day: _ordinal(_local_week(day)[1]),
    "w": lambda day: str(_local_week(day)[1]),
}

# The tokens that tell the day, with the group that each fills; all others only have to agree with it.
_READ = {
    "YYYY": ("year", r"\d{4}"),
    "YY": ("year", r"\d{2}"),
    "MMMM": ("month", "|".join(_MONTHS)),
    "MMM": ("month", "|".join(month[:3] for month in _MONTHS)),
    "MM": ("month", r"\d{2}"),
    "M": ("month", r"1[0-2]|[1-9]"),
    "Mo": ("month", r"\d{1,2}[a-z]{2}"),
    "DD": ("day", r"\d{2}"),
    "D": ("day", r"[12]\d|3[01]|[1-9]"),
    "Do": ("day", r"\d{1,2}[a-z]{2}"),
    "DDDD": ("yearday", r"\d{3}"),
    "DDD": ("yearday", r"\d{1,3}"),
}


@cache
def _pattern(format_: str) -> re.Pattern[str]:
    parts, groups = [], set[str]()
    for found in _TOKEN.finditer(format_):
        group, pattern = _READ.get(found[0], ("", r"\w+")) if found["literal"] is None else ("", "")
        if group and group not in groups:
            groups.add(group)
            parts.append(f"(?P<{group}>{pattern})")
        elif found["literal"] is None and found[0] in _WRITERS:
            parts.append(f"(?:{pattern})")
        else:
            parts.append(re.escape(_token_written(found, date.min)))
    return re.compile("".join(parts), re.IGNORECASE)


def _day(groups: dict[str, str]) -> date | None:
    try:
        year = int(groups["year"]) + (2000 if len(groups["year"]) == 2 else 0)
        if "yearday" in groups:
            return date(year, 1, 1) + timedelta(days=int(groups["yearday"]) - 1)
        return date(year, _month(groups["month"]), int(re.sub(r"\D", "", groups["day"])))
    except (KeyError, ValueError, OverflowError):
        return None


def _month(written: str) -> int:
    names = [month[:3].casefold() for month in _MONTHS]
    name = written[:3].casefold()
    return names.index(name) + 1 if name in names else int(re.sub(r"\D", "", written))
