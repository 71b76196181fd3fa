"""Bytes become text, whatever they are, and what is wrong with them is said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from knapper.index.plain import read_plain
from knapper.index.read import TooLarge, decode, read_file, text_in
from knapper.index.storable import encodable, storable
from knapper.text.span import Place
from knapper.vault.note import Note, NoteProperty, NoteTag
from knapper.vault.paths import NotePath
from tests.index.workshop import Workshop


@pytest.mark.parametrize(
    ("content", "text", "problem"),
    [
        (b"plain\r\ntext\r", "plain\r\ntext\r", None),
        (b"\xef\xbb\xbfmarked", "marked", None),
        ("Grüße".encode("utf-16"), "Grüße", "UTF-16"),
        (b"caf\xe9", "caf\ufffd", "not UTF-8"),
        (b"a\0b", "a\0b", "NUL"),
        (b"", "", None),
    ],
)
def test_bytes_become_text_and_problems_are_named(content: bytes, text: str, problem: str | None) -> None:
    decoded, said = decode(content)
    assert (decoded, said is None or problem in said) == (text, True) if problem else (text, said is None)


def test_a_file_is_read_with_its_hash_and_state(workshop: Workshop) -> None:
    file = workshop.write("A.md", "text")
    found = read_file(file)
    assert (found.content, found.state.size, found.state.mtime_ns) == (b"text", 4, file.stat().st_mtime_ns)
    assert found.digest == "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"


def test_a_file_that_nobody_wrote_is_not_read(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knapper.index.read.MOST_BYTES", 3)
    with pytest.raises(TooLarge):
        read_file(workshop.write("A.md", "text"))


def test_what_is_no_plain_file_is_not_waited_for(workshop: Workshop) -> None:
    places = [workshop.root]
    if hasattr(os, "mkfifo"):
        os.mkfifo(workshop.root / "pipe.md")
        places += [workshop.root / "pipe.md", Path("/dev/zero")]
    for place in places:
        with pytest.raises(OSError, match="no plain file"):
            read_file(place)
        with pytest.raises(OSError, match="no plain file"):
            read_plain(place, 10)


def test_half_a_surrogate_pair_is_replaced_wherever_it_stands() -> None:
    tag = NoteTag("fine", Place(0, 0, 0, 1), in_properties=False)
    note = Note(
        NotePath("A.md"),
        "\ud83d",
        ("ok", "\udc00"),
        tags=(tag,),
        properties=(NoteProperty("p", "text", ("\ud800",)),),
    )
    assert storable(note) == Note(
        NotePath("A.md"),
        "\ufffd",
        ("ok", "\ufffd"),
        tags=(tag,),
        properties=(NoteProperty("p", "text", ("\ufffd",)),),
    )
    assert encodable("🎉") == "🎉"


def test_the_text_of_a_file_is_read_only_within_the_vault(tmp_path: Path) -> None:
    root, outside = tmp_path / "vault", tmp_path / "outside.md"
    root.mkdir()
    outside.write_text("Out.")
    (root / "In.md").write_bytes(b"\xef\xbb\xbfcaf\xe9")
    (root / "Link.md").symlink_to("In.md")
    (root / "Out.md").symlink_to(outside)
    (root / "Folder.md").mkdir()
    names = ("In.md", "Link.md", "Out.md", "../outside.md", "Folder.md", "None.md", "a\0b")

    assert {name: text_in(root, name) for name in names} == {
        **dict.fromkeys(names),
        "In.md": "caf\ufffd",
        "Link.md": "caf\ufffd",
    }
