"""What somebody asks about who points at a selection, a heading or a note."""

from __future__ import annotations

from knapper.ide.actions import actions
from knapper.ide.question import Pointed, pointed_at
from knapper.text.span import Place, Span
from tests.scene import scene, snapshot_of


def pointed(text: str) -> Pointed | None:
    built = scene(text)
    return pointed_at(snapshot_of(built), built.opened, built.selection or Span(built.offset, built.offset))


def asking(text: str) -> list[tuple[str, dict[str, object]]]:
    """The kind and the arguments of the actions that ask."""
    built = scene(text)
    span = built.selection or Span(built.offset, built.offset)
    found = actions(snapshot_of(built), built.opened, span)
    return [
        (item.kind, dict(item.command.arguments))
        for item in found
        if item.command and item.command.name == "knapper.ask"
    ]


def test_a_selection_is_the_question_without_the_blanks_around_it() -> None:
    assert pointed("Bread.\n<| Why does it\nrise? |>\n") == Pointed(
        "Why does it\nrise?", Place(1, 1, 2, 5), "selection"
    )


def test_a_selection_of_nothing_is_no_question() -> None:
    assert pointed("Bread.\n<|  \n|>\n") is None
    assert asking("Bread.\n<|  \n|>\n") == []


def test_a_heading_is_asked_about_with_the_title_of_its_note() -> None:
    assert pointed("# Bread\n\n## Sta<|>rter of [[Rye]]\n") == Pointed(
        "Bread: Starter of Rye", Place(2, 0, 2, 21), "heading"
    )
    assert pointed("# Br<|>ead\n") == Pointed("Bread", Place(0, 0, 0, 7), "heading")


def test_anywhere_else_the_note_is_asked_about_by_its_title() -> None:
    note = Place(0, 0, 0, 0)
    assert pointed("---\ntitle: Loaf\n---\n\nIt ri<|>ses.\n") == Pointed("Loaf", note, "note")
    assert pointed("//- /Rye bread.md\nIt ri<|>ses.\n") == Pointed("Rye bread", note, "note")


def test_the_action_carries_where_it_was_chosen() -> None:
    assert asking("Why <|sour|>?\n") == [("", {"path": "note.md", "place": Place(0, 4, 0, 8), "show": True})]
    assert asking("It ri<|>ses.\n") == [
        ("source", {"path": "note.md", "place": Place(0, 5, 0, 5), "show": True})
    ]


def test_a_canvas_is_no_question() -> None:
    assert asking("//- /x.canvas\n{<|>}\n") == []
