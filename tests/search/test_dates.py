"""Dates as people write them, read on Wednesday 8 May 2024."""

from __future__ import annotations

from datetime import date

import pytest

from knapper.search.dates import Dates, read_dates

TODAY = date(2024, 5, 8)


@pytest.mark.parametrize(
    ("written", "first", "last"),
    [
        ("2024-05-01", "2024-05-01", "2024-05-01"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("February 2023", "2023-02-01", "2023-02-28"),
        ("today", "2024-05-08", "2024-05-08"),
        ("Yesterday", "2024-05-07", "2024-05-07"),
        ("tomorrow", "2024-05-09", "2024-05-09"),
        ("this week", "2024-05-06", "2024-05-12"),
        ("last week", "2024-04-29", "2024-05-05"),
        ("this month", "2024-05-01", "2024-05-31"),
        ("last month", "2024-04-01", "2024-04-30"),
        ("this year", "2024-01-01", "2024-12-31"),
        ("last year", "2023-01-01", "2023-12-31"),
        ("last 7 days", "2024-05-01", "2024-05-08"),
        ("past 2 weeks", "2024-04-24", "2024-05-08"),
    ],
)
def test_dates_are_read_as_people_mean_them(written: str, first: str, last: str) -> None:
    found = read_dates(written, TODAY)

    assert found is not None
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)


@pytest.mark.parametrize(
    "text", ["2024", "2024-13", "2023-02-29", "0000-01", "last 0 days", "may", "week", "24-05-01", ""]
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert read_dates(text, TODAY) is None


def test_the_month_before_january_is_december() -> None:
    assert read_dates("last month", date(2024, 1, 31)) == Dates(
        "last month", date(2023, 12, 1), date(2023, 12, 31), ""
    )


def test_a_day_and_a_month_know_how_a_note_writes_them() -> None:
    literals = [
        found.literal for text in ("yesterday", "May 2024", "last week") if (found := read_dates(text, TODAY))
    ]

    assert literals == ["2024-05-07", "2024-05", ""]
