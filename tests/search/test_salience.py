"""The factor of salience: bounded, monotone, and nothing where nothing is known."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knapper.search.salience import LEAST, MOST, Salience, Use, factor_of
from knapper.store.lexical import Facts
from knapper.vault.paths import NotePath

TODAY = date(2026, 5, 1)
days = st.one_of(st.none(), st.floats(-400, 40_000))
counts = st.integers(0, 400)
importances = st.one_of(st.none(), st.floats(-5, 20))
anything = st.fixed_dictionaries(
    {"age_days": days, "opened_days_ago": days, "days_opened": counts, "importance": importances}
)


def facts(
    path: str = "note.md",
    day: date = TODAY,
    tags: frozenset[str] = frozenset(),
    importance: float | None = None,
    pinned: bool = False,
) -> Facts:
    return Facts(NotePath(path), day, tags, importance, pinned)


@pytest.mark.parametrize(
    ("known", "factor"),
    [
        ({}, 1),
        ({"age_days": 0}, 1.15),
        ({"age_days": 30}, 1),
        ({"age_days": 60}, 0.925),
        ({"age_days": 40_000}, 0.85),
        ({"age_days": -3}, 1.15),
        ({"opened_days_ago": 0}, 1.1),
        ({"opened_days_ago": 14}, 1.05),
        ({"days_opened": 20}, 1.05),
        ({"days_opened": 500}, 1.05),
        ({"importance": 10}, 1.2),
        ({"importance": 1}, 0.8),
        ({"importance": 5.5}, 1),
        ({"age_days": 0, "opened_days_ago": 0, "days_opened": 20, "importance": 10}, 1.3),
        ({"age_days": 40_000, "importance": 1}, 0.7),
    ],
)
def test_the_factor_is_as_published(known: dict[str, float], factor: float) -> None:
    assert factor_of(**known) == pytest.approx(factor)  # type: ignore[arg-type]


@given(anything)
def test_the_factor_is_bounded(known: dict[str, float | int | None]) -> None:
    assert LEAST <= factor_of(**known) <= MOST  # type: ignore[arg-type]


@given(
    anything,
    st.sampled_from([("age_days", -1), ("opened_days_ago", -1), ("days_opened", 1), ("importance", 1)]),
    st.integers(0, 500),
)
def test_younger_more_used_and_more_important_is_never_less(
    known: dict[str, float | int | None], what: tuple[str, int], more: int
) -> None:
    name, sign = what
    value = known[name]
    if value is None:
        return
    better = {**known, name: value + sign * more}
    assert factor_of(**better) >= factor_of(**known)  # type: ignore[arg-type]


def test_use_and_properties_of_a_note_are_looked_up() -> None:
    salience = Salience(TODAY, {"folder/bread.md": Use(TODAY - timedelta(14), 20)})
    old = TODAY - timedelta(40_000)

    assert salience.factor(facts("Folder/Bread.md", TODAY - timedelta(30))) == pytest.approx(1.10)
    assert salience.factor(facts(day=old)) == pytest.approx(0.85)
    assert salience.factor(facts(day=old, importance=10)) == pytest.approx(1.05)
    assert salience.factor(facts(day=old, pinned=True, importance=2)) == pytest.approx(1.05)


def test_evergreen_notes_do_not_age() -> None:
    salience = Salience(TODAY, evergreen=lambda path: path.startswith("Reference/"))
    old = TODAY - timedelta(4_000)

    assert salience.factor(facts("Reference/Units.md", old)) == 1
    assert salience.factor(facts("Units.md", old, frozenset({"evergreen"}))) == 1
    assert salience.factor(facts("Units.md", old)) == pytest.approx(0.85)
