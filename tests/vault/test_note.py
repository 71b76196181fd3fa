"""A note is made of its text and parse, and holds what others need of it."""

from __future__ import annotations

import json

from knapper.markup.note import LinkKind
from knapper.markup.parse import parse
from knapper.text.lines import Text
from knapper.text.span import Place
from knapper.vault.note import (
    Note,
    NoteBlock,
    NoteHeading,
    NoteLink,
    NoteProperty,
    NoteTag,
    canvas_note,
    note_of,
)
from knapper.vault.paths import NotePath


def note(text: str, path: str = "N.md") -> Note:
    return note_of(NotePath(path), Text(text), parse(text), 12.5, len(text))


def test_all_parts_have_their_places_in_utf16() -> None:
    text = "---\ntitle: T\naliases: [A]\n---\n# 🎉 One #tag\n\n🎉 [[B#C|d]] end ^id\n\n## Two\n"

    assert note(text) == Note(
        path=NotePath("N.md"),
        title="T",
        aliases=("A",),
        headings=(
            NoteHeading(1, "🎉 One #tag", Place(4, 0, 4, 13), 9),
            NoteHeading(2, "Two", Place(8, 0, 8, 6), 9),
        ),
        blocks=(NoteBlock("id", Place(6, 17, 6, 20), Place(6, 0, 6, 20), "🎉 [[B#C|d]] end"),),
        tags=(NoteTag("tag", Place(4, 9, 4, 13), in_properties=False),),
        links=(
            NoteLink(
                LinkKind.WIKILINK,
                "[[B#C|d]]",
                "B",
                "C",
                "d",
                False,
                Place(6, 3, 6, 12),
                "🎉 [[B#C|d]] end ^id",
            ),
        ),
        properties=(NoteProperty("title", "text", ("T",)), NoteProperty("aliases", "list", ("A",))),
        modified=12.5,
        size=len(text),
    )


def test_a_section_ends_before_the_next_heading_or_behind_the_last_line() -> None:
    ends = [heading.section_end for heading in note("# A\nx\n## B\ny\n# C\nz").headings]

    assert ends == [4, 4, 6]


def test_the_context_of_a_link_on_a_long_line_is_cut_around_it() -> None:
    link = note("a" * 1000 + " [[B]] " + "b" * 1000).links[0]

    assert len(link.context) <= 240
    assert "a [[B]] b" in link.context


def test_links_on_one_line_share_their_context() -> None:
    first, second = note("[[A]] and [[B]]").links

    assert first.context is second.context


def test_a_block_text_is_the_start_of_the_block_on_one_line() -> None:
    block = note("- apples\n- pears from\n  the garden ^li\n").blocks[0]

    assert block.text == "- pears from the garden"


def test_an_invalid_block_id_is_no_block() -> None:
    assert note("text ^my_id\n").blocks == ()


def test_e14_a_canvas_has_the_links_of_its_file_nodes() -> None:
    text = json.dumps(
        {"nodes": [{"type": "file", "file": "a/N.md"}, {"type": "text", "text": "[[x]]"}], "edges": []}
    )
    links = canvas_note(NotePath("c.canvas"), Text(text)).links

    assert [(link.kind, link.target, link.text) for link in links] == [(LinkKind.CANVAS, "a/N.md", "a/N.md")]


def test_a_damaged_canvas_has_no_links() -> None:
    assert canvas_note(NotePath("c.canvas"), Text("{")) == Note(NotePath("c.canvas"))


def test_many_links_on_one_line_take_time_in_proportion() -> None:
    text = "🎉 [[a]] " * 20_000

    assert note(text).links[-1].place == Place(0, 9 * 19_999 + 3, 0, 9 * 19_999 + 8)
