"""Dates as people write them into a search: `2024-05-01`, `2024-05`, `May 2024`, `last week`.

Pure: the present day is always handed in. Weeks begin on Monday.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Dates:
    """The days from `first` to `last`, both included; `written` is how the query says it.

    `literal` is how a note would write the same: `2024-05-01`, `2024-05`, or `""` for a longer stretch.
    """

    written: str
    first: date
    last: date
    literal: str


_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
_ISO = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?")
_MONTH = re.compile(rf"({'|'.join(_MONTHS)}) (\d{{4}})")
_LAST_UNITS = re.compile(r"(?:last|past) (\d{1,3}) (day|week|month|year)s?")
_UNIT = re.compile(r"(this|last) (week|month|year)")
_DAYS = {"today": 0, "yesterday": -1, "tomorrow": 1}

LONGEST = 3
"""How many words the longest way to write dates has: `last 7 days`."""


def read_dates(written: str, today: date) -> Dates | None:
    """The days that *written* means on *today*, or None: `last week` is the Monday to Sunday before."""
    said = written.lower()
    try:
        if match := _ISO.fullmatch(said):
            return _calendar_dates(written, *(int(part or 0) for part in match.groups()))
        if match := _MONTH.fullmatch(said):
            return _calendar_dates(written, int(match[2]), _MONTHS[match[1]], 0)
        if said in _DAYS:
            day = today + timedelta(_DAYS[said])
            return Dates(written, day, day, day.isoformat())
        if match := _LAST_UNITS.fullmatch(said):
            days = int(match[1]) * _UNIT_DAYS[match[2]]
            return Dates(written, today - timedelta(days), today, "") if days else None
        if match := _UNIT.fullmatch(said):
            return Dates(written, *_stretch(match[2], today, last=match[1] == "last"), "")
    except (ValueError, OverflowError):
        pass  # There is no such day: `2024-13`, `2023-02-29`, the year 0. It is text then.
    return None


def _calendar_dates(written: str, year: int, month: int, day: int) -> Dates:
    """A day, or a whole month for day 0."""
    first = date(year, month, day or 1)
    last = first if day else date(year, month, calendar.monthrange(year, month)[1])
    return Dates(written, first, last, first.isoformat() if day else f"{year:04}-{month:02}")


def _stretch(unit: str, today: date, *, last: bool) -> tuple[date, date]:
    """The first and last day of the week, month or year that holds *today*, or of the one before."""
    if unit == "week":
        monday = today - timedelta(today.weekday() + (7 if last else 0))
        return monday, monday + timedelta(6)
    if unit == "month":
        first = today.replace(day=1)
        if last:
            first = (first - timedelta(1)).replace(day=1)
        return first, first.replace(day=calendar.monthrange(first.year, first.month)[1])
    year = today.year - last
    return date(year, 1, 1), date(year, 12, 31)
