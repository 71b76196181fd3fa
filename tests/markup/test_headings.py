"""Headings: their text, their sections, and how they are compared. Ids are those of Obsidian's cases."""

from __future__ import annotations

import pytest

from knapper.markup.heading import linkable_heading, strip_heading
from knapper.markup.note import Heading
from knapper.markup.parse import parse
from knapper.text.span import Span
from tests.markup.reading import blocks, headings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("# A\n## B\n###### F\n####### no", ["# A", "## B", "###### F"]),
        pytest.param("#no\n# \n#", ["# ", "# "], id="blank needed"),
        pytest.param("## Closed ##\n## Not#", ["## Closed", "## Not#"]),
        pytest.param("  # Indented\n\n    # code", ["# Indented"]),
        pytest.param("Title\n===\n\nTwo\nlines\n---", ["# Title", "## Two lines"], id="B8"),
        pytest.param("```\n# no\n```", [], id="B9"),
        pytest.param("# Minecraft: The Game", ["# Minecraft: The Game"], id="B3"),
        pytest.param("## See [[Other]] | x", ["## See Other | x"], id="B4"),
        pytest.param("##   two   spaces", ["## two spaces"], id="B5"),
        pytest.param("## **Bold** `co*de` _i_ ==h== ~~s~~", ["## Bold co*de i h s"], id="B7"),
        pytest.param("# [[N|d]] [[N#A]] [t](x.md) [u](https://x.org)", ["# d N > A t u"], id="links"),
        pytest.param("# snake_case 2 * 3 \\*x\\* R&amp;D", ["# snake_case 2 * 3 *x* R&D"], id="no emphasis"),
        pytest.param("# **[[N]]** %% c %% <b>x</b>", ["# N x"], id="what is not seen"),
        pytest.param("- # in a list\n\n> ## in a quotation", ["# in a list", "## in a quotation"]),
        pytest.param("# CRLF\r\nt\r\n\r\nSetext\r\n===\r\n", ["# CRLF", "# Setext"]),
        pytest.param("# End ^id", ["# End"], id="block id"),
    ],
)
def test_heading_text_is_what_a_reader_sees(text: str, expected: list[str]) -> None:
    assert headings(text) == expected


def test_heading_has_spans() -> None:
    text = "x\n\n## A [[b]] ##\n\ny\n"
    assert parse(text).headings == (Heading(2, "A b", Span(3, 16), Span(6, 13), Span(3, 20)),)


def test_section_ends_at_the_next_heading_of_the_same_or_a_higher_level() -> None:
    text = "# A\n## B\n### C\n## D\n# E\n"
    assert [heading.section.of(text) for heading in parse(text).headings] == [
        "# A\n## B\n### C\n## D\n",
        "## B\n### C\n",
        "### C\n",
        "## D\n",
        "# E\n",
    ]


@pytest.mark.parametrize(
    ("heading", "link"),
    [
        ("Minecraft: The Video Game", "Minecraft The Video Game"),
        ("with/slash", "with/slash"),
        ("with/slash", "with slash"),
        ("See Other | x", "See Other x"),
        ("Old name?", "Old name"),
        ("Bold code", "**Bold** `code`"),
        ("a  b", "a b"),
        ("C# and F#", "C and F"),
    ],
)
def test_headings_compare_without_special_characters(heading: str, link: str) -> None:
    assert strip_heading(heading) == strip_heading(link)


def test_other_punctuation_counts() -> None:
    assert strip_heading("It’s a-b_c …") == "It’s a-b_c …"


def test_linkable_heading_leaves_out_what_would_end_a_link() -> None:
    assert linkable_heading("Minecraft: The [[Game]] | C#^x %% & (b)?") == "Minecraft The Game C x & (b)?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\n\ntext ^abc-1\n\nb", [("abc-1", "text ^abc-1")], id="B12"),
        pytest.param("two\nlines ^x", [("x", "two\nlines ^x")], id="end of a paragraph"),
        pytest.param("two ^x\nlines", [], id="not its end"),
        pytest.param("text^abc", [], id="B13"),
        pytest.param("^bad\nA paragraph.", [], id="begins a paragraph"),
        pytest.param("a\n\n| x |\n|---|\n| y |\n\n^t1\n\nb", [("t1", "| x |\n|---|\n| y |")], id="B14"),
        pytest.param(
            "| x |\n|---|\n| y |\n^t1", [("t1", "| x |\n|---|\n| y |\n^t1")], id="B14 no blank line"
        ),
        pytest.param("- a\n- x ^li\n  - c\n- b", [("li", "- x ^li\n  - c")], id="B15"),
        pytest.param("- a\n- b\n\n^list", [("list", "- a\n- b")], id="a list"),
        pytest.param("> q\n\n^q", [("q", "> q")], id="a quotation"),
        pytest.param("> q\n> r ^q", [("q", "> q\n> r ^q")], id="in a quotation"),
        pytest.param("> [!a] b\n> c\n\n^q", [("q", "> [!a] b\n> c")], id="a callout"),
        pytest.param("```\nc\n```\n^c", [("c", "```\nc\n```")], id="code"),
        pytest.param("# H ^h\n\ntext", [("h", "# H ^h")], id="a heading"),
        pytest.param("text ^ABC", [("ABC", "text ^ABC")], id="B17"),
        pytest.param("```\na ^no\n```", [], id="B18"),
        pytest.param("%%\na ^yes\n%%", [("yes", "a ^yes")], id="B18 in a comment"),
        pytest.param("- a\n\n  b ^p\n- c", [("p", "b ^p")], id="second paragraph of an item"),
        pytest.param("^alone", [("alone", "^alone")], id="nothing before"),
        pytest.param("`a ^no`\n\n$a ^no$", [], id="in code and math"),
        pytest.param("a ^x  \r\n\r\nb", [("x", "a ^x  ")], id="blanks behind"),
    ],
)
def test_block_id_names_its_block(text: str, expected: list[tuple[str, str]]) -> None:
    assert blocks(text) == expected
