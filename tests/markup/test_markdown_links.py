"""What `[text](destination)` and its relatives mean. Ids are those of the list of Obsidian's cases."""

from __future__ import annotations

import pytest

from knapper.markup.note import Definition
from knapper.markup.parse import parse
from knapper.text.span import Span
from tests.markup.reading import addresses, links, written


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[y](My%20Note.md)", ["markdown My Note.md|y"], id="D1"),
        pytest.param("[y](My Note.md)", [], id="D2"),
        pytest.param("[y](<My Note.md>)", ["markdown My Note.md|y (angle)"], id="D3"),
        pytest.param("[y](My%20Note)", ["markdown My Note|y"], id="D4"),
        pytest.param("[y](../N.md) [z](./N.md)", ["markdown ../N.md|y", "markdown ./N.md|z"], id="D5"),
        pytest.param("[y](N.md#Some%20Head)", ["markdown N.md#Some Head|y"], id="D6"),
        pytest.param("[y](%F0%9F%8C%80%20G/L.md)", ["markdown 🌀 G/L.md|y"], id="D7"),
        pytest.param("[y](50%.md) [z](%zz)", ["markdown 50%.md|y", "markdown %zz|z"], id="D8"),
        pytest.param("[y](%ff%fe.md)", ["markdown %ff%fe.md|y"], id="D8 no UTF-8"),
        pytest.param('[y](N.md "title")', ["markdown N.md|y"], id="D9"),
        pytest.param(
            "[y](N.md 'ti)tle') [z](N.md (t))", ["markdown N.md|y", "markdown N.md|z"], id="D9 quotes"
        ),
        pytest.param("[two\nlines](\n  N.md\n)", ["markdown N.md|two\nlines"], id="D9 over lines"),
        pytest.param("[y](#) [y]() [y](  ) [y](<>) [y](/)", [], id="D11 D13 nothing"),
        pytest.param("[t](#B)", ["markdown #B|t"], id="B10"),
        pytest.param("[y](C%23.md)", ["markdown C#.md|y"], id="D12"),
        pytest.param("[](N.md)", ["markdown N.md|"], id="D13"),
        pytest.param("![alt|100x145](a.png)", ["image a.png|alt|100x145"], id="C6"),
        pytest.param("![alt](a%20b.png)", ["image a b.png|alt"]),
        pytest.param("(see [a](b.md))", ["markdown b.md|a"]),
        pytest.param("[y](note_(v2).md)", ["markdown note_(v2).md|y"], id="balanced"),
        pytest.param("[y](note_\\(v2.md)", ["markdown note_(v2.md|y"], id="escaped"),
        pytest.param("[y](R&amp;D.md)", ["markdown R&D.md|y"], id="entity"),
        pytest.param("[a [b] c](d.md)", ["markdown d.md|a [b] c"], id="balanced brackets"),
        pytest.param("[a](b.md", [], id="never closed"),
        pytest.param(
            "[![i](a.png)](b.md)", ["markdown b.md|![i](a.png)", "image a.png|i"], id="image in a link"
        ),
        pytest.param("[a [b](c.md) d](e.md)", ["markdown c.md|b"], id="no link in a link"),
        pytest.param("\\[y](N.md) [y\\](N.md)", [], id="escaped brackets"),
        pytest.param("[`]`](N.md)", ["markdown N.md|`]`"], id="bracket in code"),
        pytest.param("> [a\n> b](N.md)", ["markdown N.md|a\n  b"], id="over lines of a quotation"),
        pytest.param("| a |\n|---|\n| [x](N.md) |", ["markdown N.md|x (in_table)"]),
    ],
)
def test_markdown_link_is_decoded(text: str, expected: list[str]) -> None:
    assert links(text) == expected


def test_spans_cover_what_is_written_and_not_what_is_meant() -> None:
    text = 'é [y](My%20Note.md#A%20B "t") ![z](<a b.png>)'
    assert written(text) == [
        '[y](My%20Note.md#A%20B "t") · My%20Note.md · A%20B · y',
        "![z](<a b.png>) · a b.png · - · z",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[y](mailto:a@b) [z](obsidian://o?v=V) [f](file:///x)", 3, id="D11"),
        pytest.param("<https://x> <mailto:a@b.c>", ["https://x", "mailto:a@b.c"], id="D14"),
        pytest.param("<a@b.c>", ["mailto:a@b.c"]),
        pytest.param("see https://x.org/[[Old]]x.", ["https://x.org/[[Old]]x"], id="D14 bare"),
        pytest.param("(https://x.org/a_(b))", ["https://x.org/a_(b)"]),
        pytest.param("[https://x.org]", ["https://x.org"]),
        pytest.param("**https://x.org**", ["https://x.org"]),
        pytest.param("见https://x.org/a，后面", ["https://x.org/a"]),
        pytest.param("![250](https://x.org/p.png)", ["https://x.org/p.png"], id="C6"),
        pytest.param("[a](https://x.org/q?s=link with spaces.md)", ["https://x.org/q?s=link"]),
        pytest.param("a://b x:// ://y", [], id="no scheme"),
        pytest.param("`https://x.org` $https://y.org$", []),
    ],
)
def test_what_leaves_the_vault_is_an_address(text: str, expected: list[str] | int) -> None:
    assert links(text) == []
    found = addresses(text)
    assert (len(found) if isinstance(expected, int) else found) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "[t][r] [r][] [r]\n\n[r]: N.md",
            ["reference N.md|t", "reference N.md|r", "reference N.md|r"],
            id="D10",
        ),
        pytest.param("[t][LABEL]\n\n[label]: ./n.md", ["reference ./n.md|t"], id="letter case"),
        pytest.param("[t][a  b]\n\n[A B]: n.md", ["reference n.md|t"], id="blanks"),
        pytest.param("[t][r]\n\n  [r]: N.md", [], id="D10 indented"),
        pytest.param("[t][r]\n[r]: N.md", [], id="inside a paragraph"),
        pytest.param("[r]: N.md#A%20B\n\n[r]", ["reference N.md#A B|r"]),
        pytest.param("[r]: <a b.md> 'title'\n\n[r]", ["reference a b.md|r (angle)"]),
        pytest.param("[r]: one.md\n[r]: two.md\n\n[r]", ["reference one.md|r"], id="the first one counts"),
        pytest.param("[r]: N.md rubbish\n\n[r]", []),
        pytest.param("> [r]: N.md\n\n[r]", ["reference N.md|r"], id="defined in a quotation"),
        pytest.param("[todo] and [x] and [ ] and [label]", [], id="no definition"),
        pytest.param("![alt][r]\n\n[r]: p.png", ["reference p.png|alt"]),
        pytest.param("`[r]`\n\n[r]: N.md", []),
        pytest.param("[a][b][r]\n\n[r]: N.md", ["reference N.md|b"]),
    ],
)
def test_reference_link_leads_where_its_definition_says(text: str, expected: list[str]) -> None:
    assert links(text) == expected


def test_target_of_a_reference_stands_in_its_definition() -> None:
    text = "[t][r]\n\n[r]: N.md#H\n"
    (link,) = parse(text).links
    assert (link.span.of(text), link.target_span, link.subpath_span) == ("[t][r]", Span(13, 17), Span(18, 19))
    assert parse(text).definitions == (
        Definition(Span(8, 19), "r", Span(9, 10), "N.md", Span(13, 17), "H", external=False),
    )


def test_reference_to_an_address_is_an_address() -> None:
    text = "[t][r]\n\n[r]: https://x.org/#a\n"
    assert links(text) == []
    assert addresses(text) == ["https://x.org/#a"]
