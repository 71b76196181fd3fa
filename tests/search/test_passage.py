"""What is embedded of a chunk, and which lines count as boilerplate."""

from __future__ import annotations

from knapper.search.boilerplate import LineCounts, boilerplate_of
from knapper.search.passage import embedded_text, line_key, without_lines, written_date

FOOTER = frozenset({"back to the top", "to do"})


def test_a_chunk_is_embedded_under_its_title_headings_and_date() -> None:
    said = embedded_text(
        "Bread", ("Starter",), "2024-05-07", "## Starter\n\nRye flour.\n\nBack to the top", FOOTER
    )
    assert said == "Bread > Starter (2024-05-07)\n## Starter\n\nRye flour."


def test_a_title_that_is_the_date_says_it_once() -> None:
    assert embedded_text("2024-05-07", (), "2024-05-07", "Rain.") == "2024-05-07\nRain."


def test_headings_of_the_template_are_left_out_above_and_in_the_text() -> None:
    assert (
        embedded_text("Log", ("To do", "Oven"), "", "## To Do\nSweep it.", FOOTER) == "Log > Oven\nSweep it."
    )


def test_an_empty_daily_note_says_nothing_but_an_empty_note_has_its_title() -> None:
    assert embedded_text("2024-05-07", (), "2024-05-07", "## To do\n", FOOTER) == ""
    assert embedded_text("Sourdough", (), "", "## To do\n", FOOTER) == "Sourdough"


def test_lines_are_compared_without_hashes_blanks_and_letter_case() -> None:
    assert line_key("##  To   Do ") == line_key("to do") == "to do"
    assert line_key("#tag") == "#tag"
    assert without_lines("a\n TO DO\nb\u2028c", FOOTER) == "a\nb\u2028c"


def test_a_date_is_read_from_the_name_then_from_the_properties() -> None:
    assert written_date("2024-05-07 Plan", ("2023-01-01",)) == "2024-05-07"
    assert written_date("Plan 2024-13-01", ("", "2023-01-01T10:00")) == "2023-01-01"
    assert written_date("Plan") == ""


def test_a_line_of_many_notes_is_boilerplate_and_stays_so_for_a_while() -> None:
    notes = 200
    assert boilerplate_of({"often": 10, "seldom": 9, "once": 1}, notes) == {"often"}
    before = frozenset({"often", "seldom", "gone"})
    assert boilerplate_of({"often": 9, "seldom": 4, "gone": 3}, notes, before) == {"often", "seldom"}


def test_the_same_notes_give_the_same_boilerplate_again() -> None:
    counts = LineCounts()
    for number in range(100):
        counts.add(["## Plan\n\n## Done\n\n---", f"Day {number}\n## Plan"])
    first = counts.boilerplate()
    assert first == {"plan", "done", "---"}
    assert counts.boilerplate(first) == first


def test_a_small_vault_has_no_boilerplate() -> None:
    counts = LineCounts()
    for _ in range(19):
        counts.add(["the same line"])
    assert counts.boilerplate() == frozenset()
