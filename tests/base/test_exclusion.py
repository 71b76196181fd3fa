"""Filters of paths: what they hold for, and that none can take for ever."""

from __future__ import annotations

from pathlib import Path

import pytest

from knapper.base.cancel import CancelToken
from knapper.base.exclusion import read_exclusion
from knapper.base.settings import read_settings
from knapper.lsp.loading import Wanted, load
from knapper.vault.obsidian import Obsidian, too_slow
from tests.search.library import library

FORTY = "a" * 40
ENDLESS = "/^(a|aa)+$/"


@pytest.mark.parametrize(
    ("filters", "held"),
    [
        (["Archive/"], ["Archive/x.md"]),
        (["Archive"], ["Archive/x.md", "Archive2/x.md"]),
        (["/x/"], ["Archive/x.md", "Archive2/x.md"]),
        (["/^x/"], []),
        (["/(?i)^archive/", ""], ["Archive/x.md", "Archive2/x.md"]),
        (["/2.x/", "no"], ["Archive2/x.md", "note.md"]),
    ],
)
def test_a_filter_is_a_beginning_or_an_expression(filters: list[str], held: list[str]) -> None:
    found, bad = read_exclusion(filters)
    paths = ["Archive/x.md", "Archive2/x.md", "note.md"]

    assert bad == []
    assert found is not None
    assert [path for path in paths if found.holds(path)] == held


def test_filters_that_are_no_expressions_are_told_and_the_others_used() -> None:
    found, bad = read_exclusion(["/(/", "Archive/", "/[/"])
    assert bad == ["/(/", "/[/"]
    assert found is not None
    assert found == read_exclusion(["Archive/"])[0]
    assert read_exclusion(["", "/(/"]) == (None, ["/(/"])


@pytest.mark.parametrize("evil", ["/(a+)+$/", ENDLESS, "/(a|a)*$/", "/(.*a){12}b$/", r"/((a+)+)+\2z/"])
@pytest.mark.parametrize("path", [f"{FORTY}.md", f"{FORTY}!", f"Notes/{FORTY}b"])
def test_no_expression_holds_up_anything(evil: str, path: str) -> None:
    found, bad = read_exclusion([evil, "Archive/"])
    assert (bad, found is not None) == ([], True)
    assert found is not None
    said = {found.holds(path) for _ in range(200)}  # The first time may take a moment, all others nothing.
    assert len(said) == 1
    assert found.holds("Archive/x.md")


def test_many_paths_without_end_take_a_moment_each_and_are_held() -> None:
    evil = "/^(a|aa|a)+$/"
    found, _ = read_exclusion([evil])
    assert found is not None
    assert all(found.holds(f"{FORTY}{number}.md") for number in range(100))
    assert not found.holds("b.md")
    assert found.holds("aaa")
    assert found.slow == (evil,)


def test_where_an_expression_takes_too_long_the_path_is_excluded_and_that_is_told(tmp_path: Path) -> None:
    other = "/^(a|aa)+$|Secret/"
    obsidian = Obsidian(ignore_filters=("Archive/", other))
    paths = (f"{FORTY}.md", "Archive/x.md", "Secret.md", "note.md")
    read = {".obsidian/app.json": f'{{"userIgnoreFilters": ["Archive/", "{other}"]}}'}
    made = library(tmp_path, dict.fromkeys(paths, "Text."))
    wanted = Wanted(None, None, read_settings([])[0], read.get)
    loaded = load(made.reader, wanted, CancelToken())
    made.reader.close()

    assert loaded.obsidian == obsidian
    assert loaded.view.excluded is not None
    assert loaded.view.excluded.slow == (other,)
    assert [path for path in paths if loaded.view.is_excluded(path)] == [
        f"{FORTY}.md",
        "Archive/x.md",
        "Secret.md",
    ]
    sentence = (
        f"The excluded path {other} takes too long to compare with some names; what has these is excluded."
    )
    assert loaded.warnings == (sentence,)
    assert too_slow(None) == []
