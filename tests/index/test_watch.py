"""The watch hears what other programs do in the vault, and nothing from elsewhere."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from knapper.index.watch import Watch, folders_of, is_configuration, is_ours
from tests.index.workshop import Workshop, until


class Ear:
    """What a watch has said."""

    def __init__(self, root: Path) -> None:
        self.paths: set[str] = set()
        self.configured = threading.Event()
        self.failures: list[str] = []
        self.watch = Watch(root, self.paths.update, self.configured.set, self.failures.append)


@pytest.fixture
def ear(workshop: Workshop) -> Iterator[Ear]:
    """A watch of the workshop's vault, which has begun to hear."""
    hearing = Ear(workshop.root)

    def hears() -> bool:
        workshop.write("probe.txt", str(len(hearing.paths)))
        return "probe.txt" in hearing.paths

    until(hears)
    yield hearing
    hearing.watch.stop()


def test_files_in_new_folders_are_heard_of(workshop: Workshop, ear: Ear) -> None:
    workshop.write("new/deep/A.md")
    until(lambda: "new" in ear.paths)

    def hears() -> bool:
        workshop.write("new/deep/B.md", str(len(ear.paths)))
        return "new/deep/B.md" in ear.paths

    until(hears)


def test_a_folder_that_comes_back_is_heard_of_again(workshop: Workshop, ear: Ear) -> None:
    for _ in range(2):
        workshop.write("sub/A.md")
        until(lambda: "sub" in ear.paths)
        (workshop.root / "sub" / "A.md").unlink()
        (workshop.root / "sub").rmdir()
        ear.paths.clear()
        until(lambda: "sub" in ear.paths)
        ear.paths.clear()


def test_settings_are_told_apart_and_hidden_files_not_told(workshop: Workshop, ear: Ear) -> None:
    workshop.write(".obsidian/app.json", "{}")
    until(ear.configured.is_set)
    assert not [path for path in ear.paths if path.startswith(".")]


def test_a_symbolic_link_out_of_the_vault_is_not_watched(workshop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "outside" / "many").mkdir(parents=True)
    (workshop.root / "inside").mkdir()
    (workshop.root / "nested" / ".obsidian").mkdir(parents=True)
    (workshop.root / "link").symlink_to(tmp_path / "outside")
    assert sorted(folders_of(workshop.root)) == ["", "inside"]


def test_what_is_ours() -> None:
    ours = ["a.md", "a/b/c.png"]
    others = [".", ".git/x", "a/.trash/b.md", "../x.md"]
    assert [path for path in ours + others if is_ours(path)] == ours


def test_what_is_configuration() -> None:
    yes = [".obsidian/app.json", ".knapper.toml", ".obsidian"]
    no = [".obsidian/plugins.txt", "app.json", "sub/.obsidian/app.json"]
    assert [path for path in yes + no if is_configuration(path)] == yes


def test_a_folder_that_becomes_a_vault_of_its_own_is_heard_of(workshop: Workshop, ear: Ear) -> None:
    workshop.write("inner/A.md")
    until(lambda: "inner" in ear.paths)
    for change in ("mkdir", "rmdir"):

        def hears(change: str = change) -> bool:
            marker = workshop.root / "inner" / ".obsidian"
            if marker.exists() == (change == "rmdir"):
                ear.paths.clear()
                getattr(marker, change)()
            return "inner" in ear.paths

        until(hears)


def test_folders_whose_names_are_no_text_are_left_out(workshop: Workshop) -> None:
    workshop.write("sub/A.md")
    try:
        (workshop.root / os.fsdecode(b"caf\xe9") / "deep").mkdir(parents=True)
    except OSError:
        assert sys.platform != "linux"  # Other file systems refuse such a name themselves.
    assert list(folders_of(workshop.root)) == ["", "sub"]


def test_a_file_whose_name_is_no_text_does_not_end_the_watch(workshop: Workshop, ear: Ear) -> None:
    try:
        (workshop.root / os.fsdecode(b"caf\xe9.md")).write_text("x")
    except OSError:
        assert sys.platform != "linux"  # Other file systems refuse such a name themselves.
        return
    until(lambda: "" in ear.paths)

    def hears() -> bool:
        workshop.write("later.md", str(len(ear.paths)))
        return "later.md" in ear.paths

    until(hears)
    assert ear.failures == []
