"""Which vault a folder was before it was moved, as far as that can be told without asking."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from knapper.base.settings import read_settings
from knapper.index.local import bring_up_to_date
from knapper.index.moved import former_journal, is_whole
from knapper.search.journal import Journal, journal_file
from knapper.vault.paths import NotePath

DAY = date(2026, 5, 1)
NOTES = {f"Note {number}.md": f"The text of note {number}.\n" for number in range(20)}


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


def used_vault(root: Path, notes: dict[str, str] = NOTES) -> Path:
    """A vault with an index and a journal."""
    root.mkdir()
    for path, text in notes.items():
        (root / path).write_text(text, encoding="utf-8")
    indexed(root)
    Journal(journal_file(root)).opened(NotePath("Note 1.md"), DAY)
    return root


def indexed(root: Path, where: str = "cache") -> Path:
    return bring_up_to_date(root, read_settings([{"index.location": where}])[0]).database


def followed(root: Path, where: str = "cache") -> Path | None:
    """The journal that follows the vault which is at *root* now."""
    database = indexed(root, where)
    assert is_whole(database)
    return former_journal(root, database)


def test_a_journal_follows_a_moved_vault(tmp_path: Path) -> None:
    old = used_vault(tmp_path / "old")
    new = old.rename(tmp_path / "new")
    (new / "Note 3.md").write_text("Edited on the way.\n")

    assert followed(new) == journal_file(old)


def test_a_copy_is_no_move(tmp_path: Path) -> None:
    old = used_vault(tmp_path / "old")
    shutil.copytree(old, tmp_path / "new")

    assert followed(tmp_path / "new") is None


def test_other_notes_at_another_place_are_another_vault(tmp_path: Path) -> None:
    old = used_vault(tmp_path / "old")
    new = old.rename(tmp_path / "new")
    for number in range(3):
        (new / f"Note {number}.md").write_text("Something else.\n")

    assert followed(new) is None


def test_vaults_of_a_few_notes_are_not_compared(tmp_path: Path) -> None:
    old = used_vault(tmp_path / "old", {"Welcome.md": "Welcome.\n"})
    assert followed(old.rename(tmp_path / "new")) is None


def test_of_two_vaults_that_are_gone_the_likelier_one_counts(tmp_path: Path) -> None:
    other = used_vault(tmp_path / "other", {**NOTES, "Note 0.md": "Not the same.\n"})
    shutil.rmtree(other)
    old = used_vault(tmp_path / "old")

    assert followed(old.rename(tmp_path / "new")) == journal_file(old)


def test_without_the_index_of_the_old_place_nothing_follows(tmp_path: Path) -> None:
    old = used_vault(tmp_path / "old")
    new = old.rename(tmp_path / "new")
    shutil.rmtree(tmp_path / "CACHE")

    assert followed(new) is None


def test_an_index_in_the_vault_tells_where_it_was_each_time(tmp_path: Path) -> None:
    first = used_vault(tmp_path / "first", {"One.md": "Few are enough here.\n"})
    indexed(first, "vault")
    second = first.rename(tmp_path / "second")
    assert followed(second, "vault") == journal_file(first)

    Journal(journal_file(second)).take_over(journal_file(first))
    third = second.rename(tmp_path / "third")
    assert followed(third, "vault") == journal_file(second)


def test_taking_over_adds_what_is_not_known_and_leaves_the_other_as_it_is(tmp_path: Path) -> None:
    bread, oven = NotePath("Bread.md"), NotePath("Oven.md")
    former, now = Journal(tmp_path / "former"), Journal(tmp_path / "now")
    former.opened(NotePath("Loaf.md"), DAY)
    former.renamed(NotePath("Loaf.md"), bread, DAY)
    former.cited(oven, DAY)
    before = (tmp_path / "former").read_bytes()
    now.opened(oven, DAY)
    assert now.is_new(DAY)
    assert not former.is_new(date(2026, 5, 2))

    now.take_over(tmp_path / "former")
    written = (tmp_path / "now").read_bytes()
    now.take_over(tmp_path / "former")

    assert now.uses() == former.uses() == Journal(tmp_path / "now").uses()
    assert (tmp_path / "former").read_bytes() == before
    assert (tmp_path / "now").read_bytes() == written
