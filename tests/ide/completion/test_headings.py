"""Headings behind `#`: of a note, of the note itself, of the whole vault."""

import pytest

from knapper.vault.paths import NotePath
from tests.ide.completion.accepting import REPLACES, accepted, completing, items_in, offered
from tests.scene import host_of, scene

N = """
//- N.md
# Year

## Spring tasks

### Notes

## Summer tasks

### Notes

## Minecraft: The Game

## See [[Other]] | **now**
"""


@pytest.mark.parametrize(
    ("line", "label", "after"),
    [
        ("[[N#Spring t<|>", "Spring tasks", "[[N#Spring tasks]]"),
        ("[[N#Spring t<|>]]", "Spring tasks", "[[N#Spring tasks]]"),
        ("[[N#Spr<|>|shown]]", "Spring tasks", "[[N#Spring tasks|shown]]"),
        ("[[N#<|>]] more", "Year", "[[N#Year]] more"),
        ("[[n.md#Spr<|>]]", "Spring tasks", "[[n.md#Spring tasks]]"),
        ("[[N#Year#Spr<|>]]", "Spring tasks", "[[N#Year#Spring tasks]]"),
        ("[[N#Summer tasks#<|>]]", "Notes", "[[N#Summer tasks#Notes]]"),
        ("[[N#Mine<|>]]", "Minecraft: The Game", "[[N#Minecraft The Game]]"),
        ("![[N#see<|>", "See Other | now", "![[N#See Other now]]"),
        ("🎉 日本 [[N#Spr<|>", "Spring tasks", "🎉 日本 [[N#Spring tasks]]"),
        ("[[##spr<|>]]", "Spring tasks", "[[N#Spring tasks]]"),
        ("[[##spr<|>", "Spring tasks", "[[N#Spring tasks]]"),
    ],
)
@pytest.mark.parametrize("crlf", [False, True])
def test_accepting_a_heading_keeps_the_note_as_it_was_written(
    line: str, label: str, after: str, crlf: bool
) -> None:
    vault = f"//- src.md\n{line}\n{N}"

    assert accepted(vault, label, crlf=crlf) == after
    assert accepted(vault, label, crlf=crlf, client=REPLACES) == after


def test_headings_of_the_note_itself_stand_behind_a_bare_hash() -> None:
    own = "//- src.md\n[[#{}<|>]]\n\n## First part\n\n## Second part\n"

    assert accepted(own.format("Sec"), "Second part") == "[[#Second part]]"
    assert offered(own.format("")) == ["First part", "Second part"]


def test_headings_stay_in_the_order_of_the_note() -> None:
    assert offered(f"//- src.md\n[[N#<|>]]\n{N}") == [
        "Year",
        "Spring tasks",
        "Notes",
        "Summer tasks",
        "Notes",
        "Minecraft: The Game",
        "See Other | now",
    ]


def test_below_a_heading_only_its_own_headings_are_offered() -> None:
    assert offered(f"//- src.md\n[[N#Spring tasks#<|>]]\n{N}") == ["Notes"]
    assert offered(f"//- src.md\n[[N#Autumn#<|>]]\n{N}") == []


def test_a_second_heading_of_one_text_is_named_by_the_one_above_it() -> None:
    vault = f"//- src.md\n[[N#Notes<|>]]\n{N}"

    assert [item.edit.new for item in completing(vault).result.items] == ["Notes", "Summer tasks#Notes"]


def test_headings_of_the_vault_are_searched_by_words_the_best_first() -> None:
    vault = (
        "//- src.md\n[[##plan gar<|>\n"
        "//- a.md\n# Garden plan\n//- b.md\n# A plane\n//- c.md\n## Plan garden\n"
    )

    assert offered(vault) == ["Plan garden", "Garden plan"]


def test_a_heading_of_the_note_itself_among_those_of_the_vault_needs_no_name() -> None:
    assert accepted("//- src.md\n[[##own<|>]]\n\n# Own part\n", "Own part") == "[[#Own part]]"


def test_before_anything_is_typed_the_headings_of_near_notes_are_offered() -> None:
    vault = "//- src.md\n[[##<|>\n\n# Here\n//- far.md\n# Far\n"

    assert offered(vault) == ["Here", "Far"]


def test_unsaved_headings_are_offered_and_changed_ones_not() -> None:
    built = scene("//- src.md\n[[##part<|>\n//- b.md\n# Old part\n")
    host = host_of(built)
    host.open(NotePath("b.md"), 1, "# New part\n")

    assert [item.label for item in items_in(host, built.opened, built.offset)] == ["New part"]


def test_in_a_vault_of_markdown_links_the_whole_link_is_written() -> None:
    how = {"settings": {"links.style": "markdown"}}

    assert accepted(f"//- src.md\n[[N#Spr<|>]] x\n{N}", "Spring tasks", **how) == (
        "[Spring tasks](N.md#Spring%20tasks) x"
    )


@pytest.mark.parametrize(
    ("line", "label", "after"),
    [
        ("[t](N.md#Spr<|>)", "Spring tasks", "[t](N.md#Spring%20tasks)"),
        ("[t](N.md#Spr<|>", "Spring tasks", "[t](N.md#Spring%20tasks)"),
        ("[t](<N.md#Spr<|>>)", "Spring tasks", "[t](<N.md#Spring tasks>)"),
        ("[t](N#Summer%20tasks#No<|>)", "Notes", "[t](N#Summer%20tasks#Notes)"),
    ],
)
def test_headings_in_destinations_are_encoded(line: str, label: str, after: str) -> None:
    assert accepted(f"//- src.md\n{line}\n{N}", label) == after


def test_a_missing_note_has_no_headings() -> None:
    assert offered(f"//- src.md\n[[Gone#a<|>]]\n{N}") == []
