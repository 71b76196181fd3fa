"""The language in which tests describe a vault."""

from __future__ import annotations

import pytest

from knapper.text.span import Span
from tests.scene import Mark, scene


def test_a_scene_has_files_a_cursor_and_marks() -> None:
    built = scene(
        """
        see [[Ada<|>]] 🎈
        //  ^^^^^^^^^^ a link
        //^ "🎈" a balloon
        //- /People/Ada.md
        # Ada

        text
        """
    )
    assert built.files == {"note.md": "see [[Ada]] 🎈\n", "People/Ada.md": "# Ada\n\ntext\n"}
    assert built.cursor == ("note.md", 9)
    assert [(mark.span.of(built.files[mark.path]), mark.text) for mark in built.marks] == [
        ("[[Ada]]", "a link"),
        ("🎈", "a balloon"),
    ]
    assert built.marks[0] == Mark(built.opened, Span(4, 11), "a link")


def test_two_markers_select_what_is_between_them() -> None:
    built = scene("a <|word|> b")
    assert built.files == {"note.md": "a word b"}
    assert built.selection == Span(2, 6)


def test_without_text_before_the_first_file_there_is_no_further_note() -> None:
    built = scene("//- /a.md\n//- /b.md\nx\n")
    assert built.files == {"a.md": "", "b.md": "x\n"}
    assert built.opened == "a.md"


def test_a_bar_in_a_link_is_no_marker() -> None:
    assert scene("[[a|b]] |> x\n").files == {"note.md": "[[a|b]] |> x\n"}


def test_two_cursors_are_a_mistake() -> None:
    with pytest.raises(AssertionError):
        scene("<|>\n//- /b.md\n<|>\n")
