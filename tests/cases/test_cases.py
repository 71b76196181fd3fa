"""Every case of this folder is a test of its own, with a server of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cases.run import read_cases, run_case

FILES = sorted(Path(__file__).parent.glob("*.yaml"))
CASES = [pytest.param(case, id=f"{path.stem}:{case['id']}") for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES)
def test_a_person_at_the_cursor_gets_what_the_case_says(case: dict[str, Any]) -> None:
    run_case(case, [sys.executable, "-m", "knapper", "serve"])


def test_no_two_cases_share_a_name() -> None:
    names = [case["id"] for path in FILES for case in read_cases(path)]
    assert sorted(names) == sorted(set(names))
