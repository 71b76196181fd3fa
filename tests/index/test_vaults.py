"""Which folder is the vault of a file, where its index lies, and who may have it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from knapper.base.folders import cache_folder, config_folder
from knapper.index.location import locate, synced_by
from knapper.index.locks import Attendance, Ownership
from knapper.index.scan import Scan
from knapper.index.vaults import refusal, user_layer, vault_layer, vault_root
from tests.index.workshop import Workshop


def test_the_nearest_marker_upwards_is_the_vault(workshop: Workshop, tmp_path: Path) -> None:
    workshop.write("inner/.knapper.toml")
    workshop.write("inner/deep/A.md")
    root = workshop.root
    assert vault_root(root / "inner" / "deep" / "A.md") == root / "inner"
    assert vault_root(root / "B.md") == root
    assert vault_root(root) == root
    assert vault_root(tmp_path / "x.md") is None


def test_without_a_marker_the_workspace_is_the_vault_of_its_own_files(tmp_path: Path) -> None:
    workspace = tmp_path / "notes"
    assert vault_root(workspace / "a" / "A.md", workspace) == workspace
    assert vault_root(tmp_path / "notes2" / "A.md", workspace) is None


def test_a_home_folder_is_no_vault_because_of_a_marker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / ".obsidian").mkdir()
    assert vault_root(tmp_path / "A.md") is None
    assert "home folder" in (refusal(tmp_path) or "")
    assert "whole disk" in (refusal(Path(tmp_path.anchor)) or "")
    assert refusal(tmp_path / "notes") is None


def test_settings_files_are_read_and_damage_is_one_sentence(workshop: Workshop) -> None:
    assert vault_layer(workshop.root) == ({}, None)
    workshop.write(".knapper.toml", '\ufeff[index]\nexclude = ["Archive/"]\n')
    assert vault_layer(workshop.root) == ({"index": {"exclude": ["Archive/"]}}, None)
    workshop.write(".knapper.toml", "index = [")
    layer, sentence = vault_layer(workshop.root)
    assert (layer, "is damaged" in (sentence or "")) == ({}, True)
    config_folder().mkdir(parents=True)
    (config_folder() / "config.toml").write_bytes(b"\xff")
    assert "is damaged" in (user_layer()[1] or "")


def test_the_index_lies_in_the_cache_unless_the_vault_is_asked_for(workshop: Workshop) -> None:
    assert locate(workshop.root).folder.is_relative_to(cache_folder())
    location = locate(workshop.root, "vault")
    assert (location.folder, location.remark) == (workshop.root / ".knapper", None)
    assert (workshop.root / ".knapper" / ".gitignore").read_text() == "*\n"


def test_no_index_lies_in_a_synchronised_folder(workshop: Workshop) -> None:
    workshop.write(".stfolder/x")
    location = locate(workshop.root, "vault")
    assert location.folder.is_relative_to(cache_folder())
    assert "Syncthing" in (location.remark or "")
    assert synced_by(Path("Library/Mobile Documents/iCloud~md~obsidian/notes")) == "iCloud"
    assert synced_by(Path("OneDrive - Work/notes")) == "OneDrive"
    assert synced_by(Path("Dropboxes/notes")) is None


def test_a_cache_that_cannot_be_written_gives_a_temporary_one(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(workshop.write("A.md")))  # A file is no folder.
    location = locate(workshop.root)
    assert location.folder.is_dir()
    assert "for this session only" in (location.remark or "")


@pytest.mark.parametrize("content", ["a = " + "[" * 100_000, "a = {" * 100_000, "\0", "a = 1\na = 2", "x"])
def test_a_damaged_settings_file_is_left_out_and_named(workshop: Workshop, content: str) -> None:
    workshop.write(".knapper.toml", content)
    values, complaint = vault_layer(workshop.root)
    assert (values, "is damaged" in (complaint or "")) == ({}, True)


@pytest.mark.parametrize("name", [".knapper.toml", ".gitignore"])
def test_settings_that_are_no_file_are_not_waited_for(workshop: Workshop, name: str) -> None:
    workshop.write("A.md")
    if hasattr(os, "mkfifo"):
        os.mkfifo(workshop.root / name)
    else:
        (workshop.root / name).mkdir()
    assert (vault_layer(workshop.root)[0], list(Scan(workshop.root).run().files)) == ({}, ["A.md"])


def test_an_index_has_one_owner(tmp_path: Path) -> None:
    first, second = Ownership(tmp_path), Ownership(tmp_path)
    assert (first.acquire(), second.acquire(), first.acquire()) == (True, False, True)
    assert second.owner_pid() == os.getpid()
    first.release()
    assert second.acquire()
    second.release()


def test_servers_are_known_to_be_alive(tmp_path: Path) -> None:
    here, there = Attendance(tmp_path, "one/1"), Attendance(tmp_path, "two")
    here.sign_in()
    assert (there.is_alive("one/1"), there.is_alive("two"), there.is_alive("three")) == (True, True, False)
    here.sign_out()
    assert not there.is_alive("one/1")
