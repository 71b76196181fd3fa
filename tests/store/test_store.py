"""What is written is read back as it was; whatever goes wrong leaves the last state."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.base.cancel import Cancelled
from knapper.store.connection import connect
from knapper.store.errors import Busy, Damaged, StoreError, Unwritable, in_words
from knapper.store.reader import Loaded, Reader
from knapper.store.schema import FILE_NAME, VERSION
from knapper.store.writer import Writer
from knapper.vault.paths import NotePath
from tests.store.library import STATE, entry, put, written

RICH = """---
title: "The: Title"
aliases: [One, Zwei, 三]
tags: [a/b, c]
date: 2024-05-01
list: [x, "[[B]]"]
empty:
---
# A *heading* with [[B|link]] #tag

Text [[B#Part|shown]] ![[pic.png]] [md](B.md#x) 🎉 [[B]] ^block-1

## Part

| a | b |
|---|---|
| [[B\\|c]] | #a/B |
"""


def _search(reader: Reader, word: str) -> list[tuple[str, str]]:
    rows = reader.connection.execute(
        "SELECT note.path, note.server FROM chunk_search JOIN chunk ON chunk.id = chunk_search.rowid"
        " JOIN note ON note.id = chunk.note WHERE chunk_search MATCH ? ORDER BY 1, 2",
        (word,),
    )
    return rows.fetchall()


def test_a_note_is_read_back_as_it_was(tmp_path: Path) -> None:
    written(tmp_path, A=RICH, B="# B\n")
    loaded = Reader(tmp_path / "index.db").load()
    expected = (entry("A.md", RICH, "B.md").note, entry("B.md", "# B\n").note)
    assert loaded == Loaded(loaded.seq, expected, (NotePath("A.md"), NotePath("B.md")), {})


pieces = st.sampled_from(
    [
        "# H\n",
        "[[B#h|x]]",
        "![[p.png]]",
        "[m](B.md)",
        " ^id-1\n",
        "#tag/x ",
        "\n\n",
        "- [ ] item\n",
        "🎉",
        "\x00",
        "\u2028",
        "---\naliases: [x, 'y']\n---\n",
        "| a |\n|--|\n",
        "> [!note] t\n",
        "```\ncode\n```\n",
        "\r\n",
        "é",
        "日本",
        "%%c%%",
    ]
)


@settings(max_examples=30, deadline=None)
@given(texts=st.lists(st.lists(pieces, max_size=12).map("".join), min_size=1, max_size=3))
def test_any_note_is_read_back_as_it_was(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        writer = written(Path(folder), **{f"N{number}": text for number, text in enumerate(texts)})
        others = [f"N{number}.md" for number in range(len(texts))]
        expected = tuple(entry(path, text, *others).note for path, text in zip(others, texts, strict=True))
        reader = Reader(Path(folder) / "index.db")
        assert (reader.load().notes, reader.drift()) == (expected, None)
        put(writer, **{f"N{number}": text for number, text in enumerate(reversed(texts))})
        again = tuple(
            entry(path, text, *others).note for path, text in zip(others, reversed(texts), strict=True)
        )
        assert (reader.load().notes, reader.drift()) == (again, None)
        reader.close()
        writer.close()


def test_a_state_is_told_from_the_one_before(tmp_path: Path) -> None:
    writer = written(tmp_path, A="a", B="b")
    reader = Reader(tmp_path / "index.db")
    before, version = reader.seq(), reader.data_version()
    put(writer, C="c")
    with writer.commit():
        writer.drop_files([NotePath("A.md")])
        writer.set_problem("D.md", "why")
    assert (reader.seq(), reader.data_version() != version) == (before + 2, True)
    delta = reader.changes_since(before)
    assert delta is not None
    assert ([note.path for note in delta.notes], delta.files, delta.gone, delta.problems) == (
        ["C.md"],
        ("C.md",),
        ("A.md",),
        {"D.md": "why"},
    )
    put(writer, A="a")
    delta = reader.changes_since(before)
    assert delta is not None
    assert (delta.files, delta.gone) == (("A.md", "C.md"), ())


def test_a_commit_that_changes_nothing_makes_no_new_state(tmp_path: Path) -> None:
    writer = written(tmp_path, A="a")
    before = writer.seq
    with writer.commit():
        writer.set_meta("passed", 1.0)
        writer.put_unsaved(entry("A.md", "unsaved"))
        writer.set_problem("A.md", None)
    assert writer.seq == before


def test_unsaved_rows_stand_beside_the_saved_ones(tmp_path: Path) -> None:
    writer = written(tmp_path, A="saved")
    with writer.commit():
        writer.put_unsaved(entry("A.md", "unsaved"))
        writer.put_unsaved(entry("A.md", "unsaved again"))
        writer.put_unsaved(entry("New.md", "unsaved too #tag"))
    reader = Reader(tmp_path / "index.db", "server")
    assert _search(reader, "unsaved") == [("A.md", "server"), ("New.md", "server")]
    assert _search(reader, "saved") == [("A.md", "")]
    assert [note.path for note in reader.load().notes] == ["A.md"]
    with writer.commit():
        writer.drop_unsaved(NotePath("A.md"))
    assert _search(reader, "unsaved") == [("New.md", "server")]
    assert writer.servers_with_unsaved() == ["server"]
    with writer.commit():
        writer.drop_server("server")
    assert (_search(reader, "unsaved"), reader.drift()) == ([], None)


def test_the_end_of_the_first_build_changes_nothing_but_the_indexes(tmp_path: Path) -> None:
    writer = written(tmp_path, A=RICH, B="b")
    reader = Reader(tmp_path / "index.db")
    before = reader.load()
    with writer.commit():
        writer.finish_bulk()
    assert (writer.bulk, reader.load(), reader.drift()) == (False, before, None)
    put(writer, B="[[A]] changed")
    assert (_search(reader, "changed"), reader.drift()) == ([("B.md", "")], None)


def test_what_the_views_say(tmp_path: Path) -> None:
    put(
        writer := written(tmp_path),
        A="---\ntitle: T\naliases: [x, y]\n---\n[[B]] [[b#h]] [[Gone]] [[https://x.org]] #tag #Tag [[#A]]",
        B="[[A]] [[gone/Gone]]",
    )
    with writer.commit():
        writer.put_unsaved(entry("A.md", "[[Elsewhere]] #other"))
    connection = connect(tmp_path / "index.db")

    def ask(query: str) -> list[tuple[object, ...]]:
        return connection.execute(query).fetchall()

    assert ask("SELECT path, title, aliases, tags, links, backlinks FROM notes ORDER BY path") == [
        ("A.md", "T", "x, y", "tag,Tag", 5, 1),
        ("B.md", "B", None, None, 2, 2),
    ]
    assert ask("SELECT source, line, text, resolved FROM links WHERE target = 'B' COLLATE nocase") == [
        ("A.md", 5, "[[B]]", "B.md"),
        ("A.md", 5, "[[b#h]]", "B.md"),
    ]
    assert ask("SELECT note, source, text FROM backlinks ORDER BY note, source") == [
        ("A.md", "B.md", "[[A]]"),
        ("B.md", "A.md", "[[B]]"),
        ("B.md", "A.md", "[[b#h]]"),
    ]
    assert ask("SELECT target, links, first_note FROM unresolved ORDER BY target") == [
        ("Gone", 1, "A.md"),
        ("gone/Gone", 1, "B.md"),
    ]
    assert ask("SELECT * FROM tags") == [("Tag", 1)]
    reader = Reader(tmp_path / "index.db")
    assert (reader.counts().links, reader.counts().unresolved) == (7, 2)


def test_a_full_disk_leaves_the_last_state_and_work_goes_on_later(tmp_path: Path) -> None:
    writer = written(tmp_path, A="first")
    pages = writer._connection.execute("PRAGMA page_count").fetchone()[0]
    writer._connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    before = Reader(tmp_path / "index.db").load()
    with pytest.raises(Unwritable):
        put(writer, A="second " * 50_000, B="[[A]]")
    reader = Reader(tmp_path / "index.db")
    assert (reader.load(), reader.drift()) == (before, None)
    writer._connection.execute("PRAGMA max_page_count = 1000000")
    put(writer, A="second", B="[[A]]")
    assert (_search(reader, "second"), _search(reader, "first"), reader.drift()) == ([("A.md", "")], [], None)


def test_a_commit_that_fails_halfway_leaves_nothing_behind(tmp_path: Path) -> None:
    writer = written(tmp_path, A="first")

    def half() -> None:
        with writer.commit():
            writer.put_note(entry("A.md", "second"), STATE)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    put(writer, B="b")
    reader = Reader(tmp_path / "index.db")
    assert (_search(reader, "first"), _search(reader, "second"), reader.drift()) == ([("A.md", "")], [], None)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 300, b"SQLite format 3\0" + b"\0" * 5000])
def test_what_is_no_index_is_damaged(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "index.db").write_bytes(content)
    with pytest.raises(Damaged):
        Reader(tmp_path / "index.db")
    if content:
        with pytest.raises(Damaged):
            Writer(tmp_path / "index.db", "server", root="/vault")


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    foreign = sqlite3.connect(tmp_path / "index.db")
    foreign.execute("CREATE TABLE theirs (x)")
    foreign.close()
    before = (tmp_path / "index.db").read_bytes()
    with pytest.raises(Damaged):
        Writer(tmp_path / "index.db", "server", root="/vault")
    assert (tmp_path / "index.db").read_bytes() == before


def test_a_missing_index_is_not_made_by_a_reader(tmp_path: Path) -> None:
    with pytest.raises(Unwritable):
        Reader(tmp_path / "index.db")
    assert list(tmp_path.iterdir()) == []


def test_damage_under_a_running_query_is_told(tmp_path: Path) -> None:
    writer = written(tmp_path, **{f"N{number}": f"word{number} " * 200 for number in range(50)})
    writer.close()
    content = bytearray((tmp_path / "index.db").read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    (tmp_path / "index.db").write_bytes(content)
    with pytest.raises(StoreError):
        Reader(tmp_path / "index.db").load()


def test_full_text_that_drifts_from_its_chunks_is_noticed(tmp_path: Path) -> None:
    writer = written(tmp_path, A="some words")
    reader = Reader(tmp_path / "index.db")
    assert reader.drift() is None
    raw = sqlite3.connect(tmp_path / "index.db")
    raw.execute("DROP TRIGGER chunk_updated")
    raw.execute("UPDATE chunk SET body = 'others'")
    raw.commit()
    raw.close()
    assert "malformed" in (reader.drift() or "")
    writer.close()


def test_a_writer_waits_for_another_and_says_when_it_was_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = written(tmp_path, A="a")
    monkeypatch.setattr("knapper.store.connection._BUSY_SECONDS", 0.05)
    other = Writer(tmp_path / "index.db", "other")
    with writer.commit(), pytest.raises(Busy), other.commit():
        pass
    with other.commit():
        other.put_unsaved(entry("A.md", "x"))


def test_a_query_can_be_interrupted(tmp_path: Path) -> None:
    written(tmp_path, A="a")
    reader = Reader(tmp_path / "index.db")
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    threading.Timer(0.05, reader.interrupt).start()
    with pytest.raises(Cancelled), in_words():
        reader.connection.execute(endless).fetchall()


def test_starting_anew_keeps_readers_and_tells_them_to_load_again(tmp_path: Path) -> None:
    writer = written(tmp_path, A="a")
    with writer.commit():
        writer.finish_bulk()
    reader = Reader(tmp_path / "index.db")
    before = reader.seq()
    writer.start_anew("/vault")
    assert (writer.bulk, reader.changes_since(before), reader.load().notes) == (True, None, ())
    put(writer, B="b")
    assert [note.path for note in reader.load().notes] == ["B.md"]


def test_the_version_stands_in_the_name() -> None:
    assert f"index-{VERSION}.db" == FILE_NAME
