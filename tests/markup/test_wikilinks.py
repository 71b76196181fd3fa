"""What `[[…]]` means: its parts, and what is none. Ids are those of the list of Obsidian's cases."""

from __future__ import annotations

import pytest

from tests.markup.reading import links, problems, written


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[[N]]", ["wikilink N"], id="A1"),
        pytest.param("[[N.md]]", ["wikilink N.md"], id="A1 with extension"),
        pytest.param("[[ a ]] [[a |b]] [[a| b ]]", ["wikilink a", "wikilink a|b", "wikilink a|b"], id="A24"),
        pytest.param("[[]] [[ ]] [[|x]] [[#]] [[/]] [[ # ]]", [], id="A25"),
        pytest.param("[[Sq]uare]]", ["wikilink Sq]uare"], id="A26"),
        pytest.param("[[Nested [[Inner]] x]]", ["wikilink Inner"], id="A27"),
        pytest.param("[[two\nlines]]", [], id="A28"),
        pytest.param("[[two\r\nlines]] [[two\rlines]]", [], id="A28 with other line ends"),
        pytest.param("[[https://x.org]]", ["wikilink https://x.org"], id="A29"),
        pytest.param("[[C# notes]]", ["wikilink C#notes"], id="A30"),
        pytest.param("[[Dir\\Note]]", ["wikilink Dir\\Note"], id="A33"),
        pytest.param("[[N#A#B]]", ["wikilink N#A#B"], id="B1"),
        pytest.param("[[N#  two spaces  ]]", ["wikilink N#two spaces"], id="B5"),
        pytest.param("[[#B]] [[#^id]]", ["wikilink #B", "wikilink #^id"], id="B10"),
        pytest.param("[[N#^abc-1]]", ["wikilink N#^abc-1"], id="B12"),
        pytest.param("[[N#]]", ["wikilink N#"], id="empty subpath"),
        pytest.param("[[doc.pdf#page=3]]", ["wikilink doc.pdf#page=3"], id="B20"),
        pytest.param("[[N|a|b]]", ["wikilink N|a|b"], id="C1"),
        pytest.param("[[N\\|d]]", ["wikilink N|d"], id="C4"),
        pytest.param("![[p.png|300]]", ["embed p.png|300"], id="C5"),
        pytest.param("![[p.png|640x480]]", ["embed p.png|640x480"], id="C5 with height"),
        pytest.param(
            "![[N]] ![[N#H]] ![[N#^b]] ![[N|t]]",
            ["embed N", "embed N#H", "embed N#^b", "embed N|t"],
            id="C7",
        ),
        pytest.param("\\[[N]] [\\[N]]", [], id="C8"),
        pytest.param("\\![[N]]", ["wikilink N"], id="escaped mark of an embed"),
        pytest.param("\\\\[[N]]", ["wikilink N"], id="escaped backslash"),
        pytest.param("[[N]](x)", ["wikilink N"], id="C9"),
        pytest.param("[[[N]]]", ["wikilink N"], id="C9 in brackets"),
        pytest.param("[a [[N]] b](c.md)", ["markdown c.md|a [[N]] b", "wikilink N"], id="C10"),
        pytest.param("[[N#H|d]] [[N|d#H]]", ["wikilink N#H|d", "wikilink N|d#H"], id="C11"),
        pytest.param("[[$K$-fold]] [[R&D]] [[a+b*]]", ["wikilink $K$-fold", "wikilink R&D", "wikilink a+b*"]),
        pytest.param("[[a", [], id="never closed"),
        pytest.param("[[a]] ]] [[b]]", ["wikilink a", "wikilink b"], id="closed twice"),
        pytest.param("[[Ünï 🍀/日本]]", ["wikilink Ünï 🍀/日本"], id="other scripts"),
        pytest.param("[[a\u2028b]]", ["wikilink a\u2028b"], id="a separator that ends no line"),
    ],
)
def test_wikilink_has_target_subpath_and_display(text: str, expected: list[str]) -> None:
    assert links(text) == expected


def test_spans_cover_what_is_written() -> None:
    assert written("🎉é [[ A # B | c ]] ![[p.png|80]]") == [
        "[[ A # B | c ]] · A · B · c",
        "![[p.png|80]] · p.png · - · 80",
    ]


def test_span_of_an_empty_target_stands_before_the_hash() -> None:
    assert written("[[#H]]") == ["[[#H]] ·  · H · -"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("| x |\n|---|\n| [[N\\|d]] |", ["wikilink N|d (in_table)"], id="C2"),
        pytest.param("| x |\n|---|\n| ![[i.png\\|200]] |", ["embed i.png|200 (in_table)"], id="C3"),
        pytest.param("| x |\n|---|\n| [[N|d]] |", ["wikilink N|d (in_table)"], id="forgotten backslash"),
        pytest.param("| [[A]] |\n|---|\n| b |", ["wikilink A (in_table)"], id="in the head"),
        pytest.param("a | b\n-|-\n[[A]] | [[B]]", ["wikilink A (in_table)", "wikilink B (in_table)"]),
        pytest.param(
            "| a |\n|---|\n| `x | [[N]] | y` |", ["wikilink N (in_table)"], id="code ends with its cell"
        ),
        pytest.param("> | a |\n> |---|\n> | [[N]] |", ["wikilink N (in_table)"], id="in a quotation"),
        pytest.param("[[N]] | a\n\n---", ["wikilink N"], id="no table"),
    ],
)
def test_link_in_a_table_cell(text: str, expected: list[str]) -> None:
    assert links(text) == expected


def test_link_that_is_none_is_no_problem() -> None:
    assert problems("[[]] and [[|x]] and [[ ]]") == []
