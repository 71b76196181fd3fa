"""Where links lead."""

from __future__ import annotations

import pytest

from knapper.ide.definition import definition
from tests.ide.render import shown
from tests.scene import scene, snapshot_of


def check(text: str, *expected: str) -> None:
    """The cursor of the scene leads to the places *expected*, as `path` or `path:line text`."""
    built = scene(text)
    snap = snapshot_of(built)
    assert shown(snap, definition(snap, built.opened, built.offset)) == [*expected]


@pytest.mark.parametrize("link", ["[[No<|>te]]", "[[NOTE.md|sh<|>own]]", "[y](No<|>te.md)", "![[Not<|>e]]"])
def test_a_link_leads_to_the_start_of_its_note(link: str) -> None:
    check(f"{link}\n//- /Note.md\ntext\n", "Note.md")


def test_the_display_half_of_a_link_in_a_table_works() -> None:
    check("| x |\n|---|\n| [[Note\\|sho<|>wn]] |\n//- /Note.md\n", "Note.md")


@pytest.mark.parametrize("half", ["N<|>#Autumn#Tasks", "N#Autumn#Tas<|>ks"])
def test_either_half_of_a_link_leads_to_the_heading(half: str) -> None:
    check(
        f"""
        [[{half}]]
        //- /N.md
        # Spring

        ## Tasks

        # Autumn

        ## Tasks
        """,
        "N.md:7 ## Tasks",
    )


def test_a_block_link_leads_to_the_whole_block() -> None:
    check(
        """
        [[N#^ab<|>c]]
        //- /N.md
        One.

        Some text ^abc
        """,
        "N.md:3 Some text ^abc",
    )


def test_a_link_to_a_missing_heading_still_leads_to_its_note() -> None:
    check("[[N#No<|>pe]]\n//- /N.md\n# Here\n", "N.md")


def test_a_link_with_a_bare_hash_leads_to_a_heading_of_its_own_note() -> None:
    check("See [[#Part t<|>wo]].\n\n## Part one\n\n## Part two\n", "note.md:5 ## Part two")


def test_a_reference_and_its_definition_lead_to_the_note() -> None:
    check("See [the te<|>xt][label].\n\n[LABEL]: ./n.md\n//- /n.md\n", "n.md")
    check("See [the text][label].\n\n[LA<|>BEL]: ./n.md\n//- /n.md\n", "n.md")


def test_a_footnote_leads_to_what_it_says_and_back() -> None:
    text = "One[^{}1] and two[^1].\n\n[^{}1]: The note.\n"
    check(text.format("<|>", ""), "note.md:3 [^1]")
    check(text.format("", "<|>"), "note.md:1 [^1]", "note.md:1 [^1]")


def test_a_property_link_leads_to_its_note() -> None:
    check('---\nup: "[[Par<|>ent]]"\n---\n//- /Parent.md\n', "Parent.md")


def test_attachments_and_canvases_are_places_to_go() -> None:
    check("[[doc.pdf#pa<|>ge=3]]\n//- /files/doc.pdf\n", "files/doc.pdf")
    check("[[board.can<|>vas]]\n//- /board.canvas\n{}\n", "board.canvas")


def test_a_file_node_of_a_canvas_leads_to_its_note() -> None:
    check(
        """
        //- /board.canvas
        {"nodes": [{"id": "1", "type": "file", "file": "sub/Id<|>ea.md"}], "edges": []}
        //- /sub/Idea.md
        """,
        "sub/Idea.md",
    )


def test_a_heading_leads_to_itself_so_that_editors_show_its_references() -> None:
    check("# Tit<|>le\n", "note.md:1 # Title")


@pytest.mark.parametrize(
    "text",
    [
        "[[Go<|>ne]]",
        "[y](My N<|>ote.md)\n//- /My Note.md",
        "[[https://ex<|>ample.com]]",
        "[a](https://ex<|>ample.com)",
        "`[[No<|>te]]`\n//- /Note.md",
        "plain w<|>ord",
        "#t<|>ag",
        "[[../../../etc/pass<|>wd]]",
    ],
)
def test_there_is_nowhere_to_go_from(text: str) -> None:
    check(f"{text}\n")


def test_a_cursor_between_two_links_belongs_to_the_second() -> None:
    check("[[A]]<|>[[B]]\n//- /A.md\n//- /B.md\n", "B.md")


def test_a_date_in_a_property_leads_to_its_daily_note() -> None:
    daily = '//- /Log/2025-04-11.md\n//- /.obsidian/daily-notes.json\n{"folder": "Log"}\n'
    check(f"---\nwhen: 2025-04<|>-11\n---\n{daily}", "Log/2025-04-11.md")
    check(f"---\nwhen: 2025-04<|>-12\n---\n{daily}")
    check(f"---\nwh<|>en: 2025-04-11\n---\n{daily}")
