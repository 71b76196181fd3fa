"""Unsaved texts in a search: a server sees its own, and everybody else what is saved."""

from __future__ import annotations

from pathlib import Path

from knapper.index.apply import Timings, entry_of
from knapper.store.reader import Reader
from knapper.store.rows import FileState
from knapper.store.writer import Writer
from knapper.vault.paths import NotePath
from tests.search.library import Library, library


def overlay(database: Path, server: str, path: str, text: str) -> None:
    """Lay *text* over the note at *path*, as the index process does for *server*."""
    writer = Writer(database, server)
    with writer.commit():
        writer.put_unsaved(entry_of(NotePath(path), text, FileState(0, 0, 0), None, Timings()))
    writer.close()


def seen_by(saved: Library, server: str, query: str) -> list[str]:
    """What *server* finds."""
    reader = Reader(saved.reader.database, server)
    try:
        return Library(saved.root, reader).found(query)
    finally:
        reader.close()


def test_a_server_finds_its_own_unsaved_text_and_no_longer_the_saved_one(tmp_path: Path) -> None:
    saved = library(tmp_path, {"note.md": "heron", "other.md": "heron too"})
    overlay(saved.reader.database, "one", "note.md", "egret #bird")

    seen = {
        (server, query): seen_by(saved, server, query)
        for server in ("one", "two", "")
        for query in ("heron", "egret", "tag:bird", '"egret"', "-heron egret")
    }

    assert seen == {
        ("one", "heron"): ["other.md"],
        ("one", "egret"): ["note.md"],
        ("one", "tag:bird"): ["note.md"],
        ("one", '"egret"'): ["note.md"],
        ("one", "-heron egret"): ["note.md"],
        ("two", "heron"): ["note.md", "other.md"],
        ("two", "egret"): [],
        ("two", "tag:bird"): [],
        ("two", '"egret"'): [],
        ("two", "-heron egret"): [],
        ("", "heron"): ["note.md", "other.md"],
        ("", "egret"): [],
        ("", "tag:bird"): [],
        ("", '"egret"'): [],
        ("", "-heron egret"): [],
    }


def test_a_reader_sees_an_overlay_that_came_after_it_was_opened(tmp_path: Path) -> None:
    saved = library(tmp_path, {"note.md": "heron"})
    mine = Library(tmp_path, Reader(saved.reader.database, "one"))

    assert mine.found("heron") == ["note.md"]
    overlay(saved.reader.database, "one", "note.md", "egret")

    assert (mine.found("heron"), mine.found("egret")) == ([], ["note.md"])


def test_a_new_note_that_was_never_saved_is_found(tmp_path: Path) -> None:
    saved = library(tmp_path, {"note.md": "heron"})
    overlay(saved.reader.database, "one", "new.md", "egret")

    assert seen_by(saved, "one", "egret") == ["new.md"]
    assert seen_by(saved, "one", "eg") == []
