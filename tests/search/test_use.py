"""Use changes the order of hits within bounds: what is found again and again is not locked in."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from knapper.search.journal import Journal
from knapper.search.pipeline import Aids, SearchOptions, search
from knapper.search.salience import Salience
from knapper.vault.paths import NotePath
from tests.search.library import Library, library

START = date(2026, 1, 1)
# Three notes that answer alike, and one that answers better.
NOTES = {
    "A.md": "The heron stands in the reeds at the river.\n",
    "B.md": "The heron stands in the reeds at the pond.\n",
    "C.md": "The heron stands in the reeds at the weir.\n",
    "Heron count.md": "---\ndate: 2020-01-01\n---\nHeron by heron: the heron count of the reeds.\n",
}


def found(made: Library, query: str, journal: Journal, day: date) -> list[str]:
    aids = Aids(salience=Salience(day, journal.uses()))
    return [hit.path for hit in search(made.index, query, SearchOptions(day), aids=aids).hits]


def test_being_found_a_thousand_times_changes_nothing(tmp_path: Path) -> None:
    made = library(tmp_path / "vault", NOTES)
    journal = Journal(tmp_path / "usage.jsonl")
    first = found(made, "heron reeds", journal, START)
    for _ in range(1000):
        again = found(made, "heron reeds", journal, START)

    assert again == first
    assert len(again) == len(NOTES)
    assert journal.uses() == {}


def test_a_first_hit_opened_a_thousand_times_is_not_locked_in(tmp_path: Path) -> None:
    """Somebody asks ten times a day and opens whatever comes first; then needs another note."""
    made = library(tmp_path / "vault", NOTES)
    journal = Journal(tmp_path / "usage.jsonl")
    day = START
    for number in range(1000):
        day = START + timedelta(number // 10)
        hits = found(made, "heron reeds", journal, day)
        journal.opened(NotePath(hits[0]), day)
    favourite = found(made, "heron reeds", journal, day)[0]

    # A better answer still comes first, however often the favourite was opened.
    assert found(made, "heron count", journal, day)[0] == "Heron count.md"
    # Another note overtakes the favourite once it is the one that is used.
    wanted = next(path for path in ("A.md", "B.md", "C.md") if path != favourite)
    days = 0
    while found(made, "heron reeds", journal, day)[0] != wanted:
        day, days = day + timedelta(1), days + 1
        journal.opened(NotePath(wanted), day)
        assert days < 21
