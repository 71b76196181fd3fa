"""Daily notes are named by moment's tokens, and their names are read back as dates."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.vault.daily import daily_note_date, daily_note_path
from knapper.vault.obsidian import DailyNotes, Obsidian
from knapper.vault.paths import NotePath

DAY = date(2025, 4, 11)


def log(format_: str) -> Obsidian:
    return Obsidian(daily=DailyNotes("Log", format_))


@pytest.mark.parametrize(
    ("format_", "path"),
    [
        ("YYYY-MM-DD", "Log/2025-04-11.md"),
        ("YYYY/MMMM/Do [of] MMM YY", "Log/2025/April/11th of Apr 25.md"),
        ("dddd, D.M.YYYY", "Log/Friday, 11.4.2025.md"),
        ("YYYY-DDDD", "Log/2025-101.md"),
        ("YYYY/MM/YYYY-MM-DD ddd", "Log/2025/04/2025-04-11 Fri.md"),
        ("YYYYMMDD", "Log/20250411.md"),
        ("GGGG-[W]WW YYYY-MM-DD", "Log/2025-W15 2025-04-11.md"),
    ],
)
def test_a_day_has_a_path_and_the_path_the_day(format_: str, path: str) -> None:
    assert daily_note_path(log(format_), DAY) == path
    assert daily_note_date(log(format_), NotePath(path)) == DAY


@pytest.mark.parametrize(
    "path",
    [
        "2025-04-11.md",
        "Log/2025-04-11 plan.md",
        "Log/2025-13-11.md",
        "Log/2025-4-11.md",
        "Log/2025-04-11.png",
        "Log/x.md",
    ],
)
def test_other_notes_have_no_day(path: str) -> None:
    assert daily_note_date(log("YYYY-MM-DD"), NotePath(path)) is None


def test_a_weekday_must_be_that_of_the_day() -> None:
    assert daily_note_date(log("YYYY-MM-DD dddd"), NotePath("Log/2025-04-11 Monday.md")) is None


def test_a_format_that_does_not_tell_the_day_gives_none() -> None:
    assert daily_note_path(log("gggg-[W]ww"), DAY) == "Log/2025-W15.md"
    assert daily_note_date(log("gggg-[W]ww"), NotePath("Log/2025-W15.md")) is None


def test_weeks_begin_on_sunday_or_with_iso_on_monday() -> None:
    days = [date(2024, 12, 28), date(2024, 12, 29), date(2025, 1, 4), date(2025, 1, 5), date(2021, 1, 1)]

    assert [daily_note_path(Obsidian(daily=DailyNotes("", "gggg-ww GGGG-WW")), day) for day in days] == [
        "2024-52 2024-52.md",
        "2025-01 2024-52.md",
        "2025-01 2025-01.md",
        "2025-02 2025-01.md",
        "2021-01 2020-53.md",
    ]


def test_without_a_folder_daily_notes_lie_in_the_root() -> None:
    assert daily_note_path(Obsidian(), DAY) == "2025-04-11.md"
    assert daily_note_date(Obsidian(), NotePath("2025-04-11.md")) == DAY
    assert daily_note_date(Obsidian(), NotePath("a/2025-04-11.md")) is None


@settings(max_examples=100, deadline=None)
@given(
    st.dates(date(2000, 1, 1), date(2099, 12, 31)),
    st.sampled_from(("YY-M-D", "Do MMM YYYY", "YYYY DDD")),
)
def test_every_day_is_read_back(day: date, format_: str) -> None:
    assert daily_note_date(log(format_), daily_note_path(log(format_), day)) == day
