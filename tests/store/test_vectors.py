"""The cache of vectors gives back what it was given, forgets what nobody uses, and is never in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from knapper.store.vectors import StoredVector, VectorStore


def test_vectors_are_found_by_what_made_them_and_their_text(tmp_path: Path) -> None:
    store = VectorStore(tmp_path / "vectors.db")
    store.put_many("one", [StoredVector("a", 0, 1, b"a0"), StoredVector("b", 1, 2, b"b1")])
    store.put_many("two", [StoredVector("a", 0, 1, b"other")])
    assert store.get_many("one", ["a", "b", "c"]) == {"a": [b"a0"]}  # of `b` a window is missing
    store.put_many("one", [StoredVector("b", 0, 2, b"b0")])
    store.close()
    again = VectorStore(tmp_path / "vectors.db")
    assert again.get_many("one", ["b", "a"]) == {"a": [b"a0"], "b": [b"b0", b"b1"]}
    assert again.get_many("three", ["a"]) == {}


def test_what_no_vault_has_used_for_60_days_is_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "vectors.db"
    VectorStore(file, today=0).put_many("f", [StoredVector(name, 0, 1, b"v") for name in "ab"])
    later = VectorStore(file, today=60)
    assert later.purge() == 0
    later.use("f", ["a"])
    assert (VectorStore(file, today=61).purge(), VectorStore(file, today=61).get_many("f", "ab")) == (
        1,
        {"a": [b"v"]},
    )


def test_a_damaged_file_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "vectors.db"
    file.write_bytes(b"this is no database" * 500)
    store = VectorStore(file)
    store.put_many("f", [StoredVector("a", 0, 1, b"v")])
    assert store.get_many("f", ["a"]) == {"a": [b"v"]}


@pytest.mark.parametrize("place", ["a file is in the way/vectors.db", "a folder"])
def test_where_no_file_can_be_made_nothing_is_kept(tmp_path: Path, place: str) -> None:
    (tmp_path / "a file is in the way").touch()
    (tmp_path / "a folder").mkdir()
    store = VectorStore(tmp_path / place)
    store.put_many("f", [StoredVector("a", 0, 1, b"v")])
    store.use("f", ["a"])
    assert (store.get_many("f", ["a"]), store.purge(), len(store)) == ({}, 0, 0)
