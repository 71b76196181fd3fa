"""The usage journal: what it remembers, and that nothing makes it forget."""

from __future__ import annotations

import tempfile
from datetime import date, timedelta
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.search.journal import Journal
from knapper.search.salience import Use
from knapper.vault.paths import NotePath

MAY = date(2026, 5, 1)
BREAD, OVEN = NotePath("Kitchen/Bread.md"), NotePath("Oven.md")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "vaults" / "v" / "usage.jsonl"


def test_days_of_use_are_remembered(file: Path) -> None:
    journal = Journal(file)
    for after in (0, 0, 3, 1):
        journal.opened(BREAD, MAY + timedelta(after))
    journal.cited(OVEN, MAY)

    wanted = {"kitchen/bread.md": Use(MAY + timedelta(3), 3), "oven.md": Use(MAY, 1)}
    assert journal.uses() == wanted
    assert Journal(file).uses() == wanted


def test_a_day_is_written_once(file: Path) -> None:
    journal = Journal(file)
    for _ in range(5):
        journal.opened(BREAD, MAY)
    Journal(file).opened(BREAD, MAY)

    assert file.read_text() == '{"day": "2026-05-01", "did": "opened", "path": "Kitchen/Bread.md"}\n'


def test_use_follows_a_renamed_note(file: Path) -> None:
    journal = Journal(file)
    journal.opened(BREAD, MAY)
    journal.renamed(BREAD, NotePath("Loaf.md"), MAY)
    journal.opened(BREAD, MAY + timedelta(1))  # Another note that came to lie where the first was.
    journal.renamed(OVEN, NotePath("Stove.md"), MAY)

    wanted = {"loaf.md": Use(MAY, 1), "kitchen/bread.md": Use(MAY + timedelta(1), 1)}
    assert journal.uses() == wanted
    assert Journal(file).uses() == wanted
    assert "Stove" not in file.read_text()


def test_a_note_renamed_onto_a_used_one_has_the_days_of_both(file: Path) -> None:
    journal = Journal(file)
    journal.opened(BREAD, MAY)
    journal.opened(OVEN, MAY + timedelta(1))
    journal.renamed(BREAD, OVEN, MAY)

    assert journal.uses() == {"oven.md": Use(MAY + timedelta(1), 2)}


DAMAGED = [
    "not json at all",
    "{",
    "[]",
    "7",
    '{"day": "2026-05-01"}',
    '{"day": "yesterday", "did": "opened", "path": "a.md"}',
    '{"day": "2026-05-01", "did": "opened", "path": 7}',
    '{"day": 5, "did": "opened", "path": "a.md"}',
    '{"day": "2026-05-01", "did": "renamed", "path": "a.md"}',
    '{"day": "2026-05-01", "did": "hummed", "path": "a.md"}',
    "\x00\x00\x00",
]


def test_damaged_lines_are_passed_over_and_kept(file: Path) -> None:
    Journal(file).opened(BREAD, MAY)
    with file.open("ab") as stream:
        stream.write("\n".join(DAMAGED).encode() + b'\n\xff\xfe\n{"day": "2026-05-0')  # The last is torn.
    journal = Journal(file)
    journal.opened(OVEN, MAY)
    journal.compact()

    assert Journal(file).uses() == {"kitchen/bread.md": Use(MAY, 1), "oven.md": Use(MAY, 1)}
    kept = file.read_bytes()
    assert all(line.encode() + b"\n" in kept for line in [*DAMAGED, '{"day": "2026-05-0'])
    assert b"\xff\xfe\n" in kept


def test_what_cannot_be_written_now_is_written_later(file: Path) -> None:
    journal = Journal(file)
    file.parent.mkdir(parents=True)
    with FileLock(f"{file}.lock"):
        journal.opened(BREAD, MAY)
        assert not file.exists()
        assert journal.uses() == {"kitchen/bread.md": Use(MAY, 1)}
    journal.opened(OVEN, MAY)

    assert set(Journal(file).uses()) == {"kitchen/bread.md", "oven.md"}


def test_a_journal_that_cannot_be_written_says_why_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "vaults").write_text("a file where a folder should be")
    journal = Journal(tmp_path / "vaults" / "usage.jsonl")
    journal.opened(BREAD, MAY)

    assert journal.uses() == {"kitchen/bread.md": Use(MAY, 1)}
    assert journal.trouble is not None
    assert journal.trouble.startswith("The use of notes cannot be remembered")


def test_two_processes_may_write_to_one_journal(file: Path) -> None:
    one, other = Journal(file), Journal(file)
    one.opened(BREAD, MAY)
    other.opened(OVEN, MAY)
    one.compact()
    other.opened(BREAD, MAY + timedelta(1))

    assert Journal(file).uses() == {
        "kitchen/bread.md": Use(MAY + timedelta(1), 2),
        "oven.md": Use(MAY, 1),
    }


paths = st.sampled_from([NotePath(f"{name}.md") for name in "aAbcd"])
deeds = st.lists(
    st.tuples(st.sampled_from(["opened", "cited", "renamed"]), paths, paths, st.integers(0, 5)), max_size=25
)


@settings(max_examples=60, deadline=None)
@given(deeds)
def test_making_it_shorter_loses_nothing(done: list[tuple[str, NotePath, NotePath, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "usage.jsonl"
        journal = Journal(file)
        for did, path, to, after in done:
            day = MAY + timedelta(after)
            if did == "renamed":
                journal.renamed(path, to, day)
            else:
                getattr(journal, did)(path, day)
        before = journal.uses()
        assert Journal(file).uses() == before
        journal.compact()

        assert Journal(file).uses() == before
        assert all('"opened"' in line for line in file.read_text().split("\n")[:-1]) if before else True
