"""The other things a parse holds: regions, callouts, footnotes, problems, the mask for completion."""

from __future__ import annotations

import pytest

from knapper.markup.mask import opaque_at
from knapper.markup.note import Footnote
from knapper.markup.parse import parse
from knapper.text.span import Span
from tests.markup.reading import problems, regions


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\nb  \n\nc", [("paragraph", "a\nb  "), ("paragraph", "c")]),
        pytest.param("```py\nx\n```\n", [("code", "```py\nx\n```")]),
        pytest.param("```\nx\n\n", [("code", "```\nx")], id="never closed"),
        pytest.param("    x\n\n    y\n\nz", [("code", "x\n\n    y"), ("paragraph", "z")]),
        pytest.param("$$\nx\n$$", [("math", "$$\nx\n$$")]),
        pytest.param("a `b` $c$", [("paragraph", "a `b` $c$"), ("code-span", "`b`"), ("math-span", "$c$")]),
        pytest.param("- a\n  - b\n\n- c\n\nd", [
            ("list", "- a\n  - b\n\n- c"), ("item", "- a\n  - b"), ("paragraph", "a"), ("list", "- b"),
            ("item", "- b"), ("paragraph", "b"), ("item", "- c"), ("paragraph", "c"), ("paragraph", "d"),
        ]),
        pytest.param("> q\n> r\n\ns", [("quote", "> q\n> r"), ("paragraph", "q\n> r"), ("paragraph", "s")]),
        pytest.param("> [!tip]+ T\n> x", [("callout", "> [!tip]+ T\n> x"), ("paragraph", "[!tip]+ T\n> x")]),
        pytest.param("| a |\n|---|\n| b |\n\nc", [("table", "| a |\n|---|\n| b |"), ("paragraph", "c")]),
        pytest.param("---\n***\n- - -\n", [], id="lines across the page"),
        pytest.param("a\r\n> b\r\n", [("paragraph", "a"), ("quote", "> b"), ("paragraph", "b")], id="CRLF"),
    ],
)  # fmt: skip
def test_regions_are_listed_from_the_outside_in(text: str, expected: list[tuple[str, str]]) -> None:
    assert regions(text) == expected


def test_callouts_have_their_type_as_written() -> None:
    text = "> [!Note]- Title\n> > [!my-type]\n\n> no [!x]"
    assert parse(text).callouts == (("Note", Span(4, 8)), ("my-type", Span(23, 30)))


def test_footnotes_are_uses_and_definitions() -> None:
    """F10: ids are kept as written; whoever compares them does so without case."""
    text = "One[^a] two[^A].\n\n[^a]: Body\n  more\n\nend [^ no]"
    assert parse(text).footnotes == (
        Footnote("a", Span(3, 7), None),
        Footnote("A", Span(11, 15), None),
        Footnote("a", Span(18, 22), Span(24, 35)),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "a ^my_id\n\nb ^é", [("invalid-block-id", "^my_id"), ("invalid-block-id", "^é")], id="B16"
        ),
        pytest.param("a ^x\n\nb ^X\n\nc ^y", [("duplicate-block-id", "^X")], id="B19"),
        pytest.param("a ^_^\n\n2 ^ 3\n\nx^2", [], id="no id"),
    ],
)
def test_problems_of_block_ids(text: str, expected: list[tuple[str, str]]) -> None:
    assert problems(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a `b<|>c` d", "code-span"),
        ("a `bc`<|> d", None),
        ("a $b<|>$", "math-span"),
        ("```\nx<|>\n```\n", "code"),
        ("```\nx\n<|>", None),
        ("```\nx<|>", "code"),
        ("```\nx\n```\n<|>", None),
        ("$$\n<|>x\n$$", "math"),
        ("---\na: <|>\n---\n", "frontmatter"),
        ("---\na: b\n---\n<|>x", None),
        ("<!-- <|> -->", "html"),
        ("%% <|> %%", None),
        ("- a\n\n  ```\n  x<|>\n  ```\n", "code"),
        ("# a `b<|>`\n", "code-span"),
        ("text<|>", None),
        ("<|>", None),
    ],
)
def test_opaque_at_says_what_hides_the_cursor(text: str, expected: str | None) -> None:
    assert opaque_at(parse(text.replace("<|>", "")), text.index("<|>")) == expected
