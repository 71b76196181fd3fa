"""Where links count and what hides them. Ids are those of the list of Obsidian's cases."""

from __future__ import annotations

import pytest

from tests.markup.reading import links, regions, tags, targets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("```c\n[[no]]\n```\n[[A]]", ["A"], id="E1"),
        pytest.param("~~~\n[[no]]\n```\n[[no]]\n~~~\n[[A]]", ["A"], id="E1 tildes"),
        pytest.param("````\n```\n[[no]]\n````\n[[A]]", ["A"], id="E1 longer fence"),
        pytest.param("- a\n\n  ~~~\n  [[no]]\n  ~~~\n\n  [[A]]", ["A"], id="E1 in a list"),
        pytest.param("> ```\n> [[no]]\n> ```\n> [[A]]", ["A"], id="E1 in a quotation"),
        pytest.param("> ```\n> [[no]]\n\n[[A]]", ["A"], id="E1 ends with its quotation"),
        pytest.param("[[A]]\n```\n[[no]]\n\n[[no]]", ["A"], id="E1 never closed"),
        pytest.param("a\n\n    [[no]]\n\n[[A]]", ["A"], id="E2"),
        pytest.param("- a\n\n    [[A]]", ["A"], id="E2 continues an item"),
        pytest.param("a\n    [[A]]", ["A"], id="E2 continues a paragraph"),
        pytest.param("`[[no]]` [[A]]", ["A"], id="E3"),
        pytest.param("``[[no]] ` [[no]]`` [[A]]", ["A"], id="E3 two backticks"),
        pytest.param("`` [[A]] `", ["A"], id="E3 never closed"),
        pytest.param("Type `[[` to open and `]]` to close. [[A]]", ["A"], id="E3 brackets in two spans"),
        pytest.param("[[a `b]] c` [[A]]", ["A"], id="E3 span that crosses a link"),
        pytest.param("`a\n[[no]]` [[A]]", ["A"], id="E3 over lines"),
        pytest.param("\\`[[A]]\\`", ["A"], id="E3 escaped"),
        pytest.param("<!-- [[no]] --> [[A]]", ["A"], id="E5"),
        pytest.param("a <!-- [[no]]\n[[no]] --> [[A]]", ["A"], id="E5 over lines"),
        pytest.param("<!--\n[[no]]\n\n[[no]]\n-->\n[[A]]", ["A"], id="E5 block"),
        pytest.param("<div>\n[[no]]\n</div>\n\n[[A]]", ["A"], id="E5 element"),
        pytest.param('<a href="[[no]]">[[A]]</a>', ["A"], id="E5 attribute"),
        pytest.param("a < [[A]] > b", ["A"], id="E5 no element"),
        pytest.param("$[[no]]$ [[A]]", ["A"], id="E6"),
        pytest.param("$$\n[[no]]\n$$\n[[A]]", ["A"], id="E6 block"),
        pytest.param("$$\n[[no]]\n\n[[no]]$$ [[A]]", ["A"], id="E6 text behind"),
        pytest.param("a\n$$\n[[no]]\n$$\n[[A]]", ["A"], id="E6 block below text"),
        pytest.param("a $$\n[[no]]\n$$ [[A]]\n\n[[B]]", ["A", "B"], id="E6 begun in a line"),
        pytest.param("$$[[no]]$$ [[A]]", ["A"], id="E6 on one line"),
        pytest.param("[[$a]] costs $5 [[A]]", ["$a", "A"], id="E6 dollar in a link"),
        pytest.param("$5 [[A]] and $6", ["A"], id="E6 prices"),
        pytest.param("$ [[A]] $ and \\$[[B]]$", ["A", "B"], id="E6 blanks and escapes"),
        pytest.param("$a\n[[A]]$", ["A"], id="E6 not over lines"),
        pytest.param("> [!note] [[A]]\n> [[B]]\n> > [!tip]- [[C]]", ["A", "B", "C"], id="E11"),
        pytest.param("# [[A]]\n\n[[B]]\n===", ["A", "B"], id="E12 headings"),
        pytest.param("[^1]: [[A]]\n\nb ^[ [[B]] ] ^[[[C]]]", ["A", "B", "C"], id="E12 footnotes"),
        pytest.param("[^1]: a\n\n    [[A]]\n\n[[B]]", ["A", "B"], id="E12 long footnote"),
        pytest.param('```mermaid\nA["[[no]]"]\n```', [], id="E13"),
        pytest.param("<% [[no]] %> `= [[no]]` [[A]]", ["A"], id="E15"),
        pytest.param("<%*\nx = '[[no]]'\n\n[[no]]\n%>\n[[A]]", ["A"], id="E15 over lines"),
        pytest.param("- [ ] [[A]]\n1. [[B]]\n   - [[C]]", ["A", "B", "C"], id="lists"),
        pytest.param("**[[A]]** ==[[B]]== ~~[[C]]~~", ["A", "B", "C"], id="emphasis"),
        pytest.param("---\n[[A]]", ["A"], id="open frontmatter is none"),
        pytest.param("\ufeff[[A]]", ["A"], id="byte order mark"),
        pytest.param("a\0[[A]]\r[[B]]\r\n[[C]]", ["A", "B", "C"], id="NUL and line ends"),
    ],
)
def test_where_links_count(text: str, expected: list[str]) -> None:
    assert targets(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("%% [[A]] %% [[B]]", ["wikilink A (in_comment)", "wikilink B"]),
        pytest.param(
            "%%\n[[A]]\n\n[[B]]\n%%\n[[C]]",
            ["wikilink A (in_comment)", "wikilink B (in_comment)", "wikilink C"],
        ),
        pytest.param(
            "%% [[A]]\n[x](B.md) %% [[C]]",
            ["wikilink A (in_comment)", "markdown B.md|x (in_comment)", "wikilink C"],
        ),
        pytest.param("a %% [[A]]\n[[B]] %%", ["wikilink A", "wikilink B"], id="must start the line to go on"),
        pytest.param("a\n%%\n[[A]]\n%%", ["wikilink A (in_comment)"], id="ends a paragraph"),
        pytest.param("- %%\n  [[A]]\n  %%\n- [[B]]", ["wikilink A (in_comment)", "wikilink B"]),
        pytest.param("%%\n```\n[[no]]\n```\n[[A]]\n%%", ["wikilink A (in_comment)"], id="code in a comment"),
        pytest.param("%% [[A]]", ["wikilink A (in_comment)"], id="never closed"),
        pytest.param("%%%% [[A]]", ["wikilink A"], id="empty"),
    ],
)
def test_links_in_comments_count(text: str, expected: list[str]) -> None:
    """E4: Obsidian has counted them since 0.10.12."""
    assert links(text) == expected


def test_headings_and_footnotes_name_a_link_once() -> None:
    assert targets("Text[^1] [[A]].\n\n[^1]: As in [[A]].") == ["A", "A"]


def test_tags_in_comments_count_and_headings_do_not() -> None:
    text = "%%\n# Hidden #a\n%%\n%% #b %%\n<!-- #c -->\n"
    assert tags(text) == ["a", "b"]
    assert regions(text, "comment", "html") == [
        ("comment", "%%\n# Hidden #a\n%%"),
        ("comment", "%% #b %%"),
        ("html", "<!-- #c -->"),
    ]


def test_nothing_vanishes_below_deep_nesting() -> None:
    deep = "".join(f"{'  ' * level}- [[N{level}]]\n" for level in range(120))
    assert targets(deep) == [f"N{level}" for level in range(120)]
    assert targets("> " * 300 + "[[A]]\n\n[[B]]") == ["A", "B"]
    assert targets("- " * 300 + "[[A]]\n\n[[B]]") == ["A", "B"]
