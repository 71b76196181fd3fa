"""Properties, and the links, tags and aliases among them. Ids are those of the list of Obsidian's cases."""

from __future__ import annotations

import pytest

from knapper.markup.note import Property
from knapper.markup.parse import parse
from knapper.text.span import Span
from tests.markup.reading import headings, links, problems, regions, tags, targets, written


def names(text: str) -> list[str]:
    return [prop.name for prop in parse(text).properties]


def value(yaml: str) -> tuple[str, tuple[str, ...]]:
    """Kind and values of the only property of a note with this frontmatter."""
    (prop,) = parse(f"---\n{yaml}\n---\n").properties
    return prop.kind, prop.values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("---\na: 1\n---\nbody", 13, id="F1"),
        pytest.param("---  \na: 1\n---\t\nbody", 16, id="F1 blanks"),
        pytest.param("---\r\na: 1\r\n---\r\nbody", 16, id="F1 CRLF"),
        pytest.param("---\ra: 1\r---\rbody", 13, id="F1 CR"),
        pytest.param("\ufeff---\na: 1\n---\nbody", 14, id="F1 byte order mark"),
        pytest.param("---\na: 1\n---", 12, id="F1 at the end of the file"),
        pytest.param("---\n---\nbody", 8, id="F1 empty"),
        pytest.param("\n---\na: 1\n---\n", 0, id="F1 not on line 1"),
        pytest.param(" ---\na: 1\n---\n", 0, id="F1 indented"),
        pytest.param("----\na: 1\n----\n", 0, id="F1 four dashes"),
        pytest.param("---\na: 1\n", 0, id="F1 never closed"),
        pytest.param("---\na: 1\n--- x\n", 0, id="F1 text behind"),
    ],
)
def test_body_begins_behind_the_frontmatter(text: str, expected: int) -> None:
    assert parse(text).body == expected


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        ("a: one two", ("text", ("one two",))),
        ("a: 'one'", ("text", ("one",))),
        ('a: "1"', ("text", ("1",))),
        ("a: 007", ("number", ("007",))),
        ("a: -1.5e3", ("number", ("-1.5e3",))),
        ("a: true", ("checkbox", ("true",))),
        ("a: 2025-04-11", ("date", ("2025-04-11",))),
        ("a: 2025-04-11T00:01:00+01:00", ("datetime", ("2025-04-11T00:01:00+01:00",))),
        ("a:", ("null", ())),
        ("a: ~", ("null", ())),
        ("a: [x, 'y', 3, null]", ("list", ("x", "y", "3"))),
        ("a:\n  - x\n  -\n  - y z", ("list", ("x", "y z"))),
        ("a: {b: c}", ("mapping", ())),
        ("a: |\n  one\n  two", ("text", ("one\ntwo\n",))),
        ("a: &x [b]", ("list", ("b",))),
        ("a: {{date}}", ("mapping", ())),
    ],
)
def test_values_stay_as_written(yaml: str, expected: tuple[str, tuple[str, ...]]) -> None:
    assert value(yaml) == expected


def test_spans_leave_quotes_out() -> None:
    text = '---\r\nname: \'Ünï 🎉\'\r\n"list":\r\n  - a\r\n  - "b"\r\nend:\r\n---\r\n'
    assert parse(text).properties == (
        Property("name", Span(5, 9), Span(5, 18), "text", ("Ünï 🎉",), (Span(12, 17),)),
        Property("list", Span(21, 25), Span(21, 43), "list", ("a", "b"), (Span(33, 34), Span(41, 42))),
        Property("end", Span(45, 48), Span(45, 49), "null", (), ()),
    )


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        pytest.param("aliases: One", ("One",), id="F2"),
        pytest.param("aliases: [a, 'b c']", ("a", "b c"), id="F2 list"),
        pytest.param("aliases:\n  - a\n  - b", ("a", "b"), id="F2 lines"),
        pytest.param("aliases:", (), id="F2 null"),
        pytest.param("aliases: [Nan, 1e3, 12:30, no]", ("Nan", "1e3", "12:30", "no"), id="F2 as written"),
        pytest.param("Aliases: [a]", ("a",), id="F11"),
        pytest.param("alias: a", (), id="F3"),
        pytest.param("aliases: One, two", ("One, two",), id="a comma parts no text"),
    ],
)
def test_aliases_in_every_spelling(yaml: str, expected: tuple[str, ...]) -> None:
    assert parse(f"---\n{yaml}\n---\n").aliases == expected


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        pytest.param("tags: a b", ["a", "b"], id="F4"),
        pytest.param("tags: a, b", ["a", "b"], id="F4 commas"),
        pytest.param("tags: 'a, b'", [], id="F4 quoted commas"),
        pytest.param("tags: [#a, b]", ["a", "b"], id="F4 hash"),
        pytest.param("tags: ['#a', b/c]", ["a", "b/c"], id="F4 quoted hash"),
        pytest.param("tags:\n  - b\n  - a", ["b", "a"], id="lines"),
        pytest.param("tags: [2024, 007, ok]", ["ok"], id="numbers"),
        pytest.param("tag: a", [], id="F3"),
        pytest.param('note: "#x"', [], id="F9"),
        pytest.param("tags:", [], id="none"),
    ],
)
def test_tags_in_every_spelling(yaml: str, expected: list[str]) -> None:
    assert tags(f"---\n{yaml}\n---\n") == expected


def test_tag_of_a_property_has_a_span_without_hash() -> None:
    text = '---\ntags: [draft, "#draft/long"]\n---\n#draft'
    assert [(tag.span.of(text), tag.in_properties) for tag in parse(text).tags] == [
        ("draft", True),
        ("draft/long", True),
        ("#draft", False),
    ]


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        pytest.param('up: "[[x]]"', ["property x"], id="E7"),
        pytest.param("rel:\n  - \"[[x|p]]\"\n  - '[[x#H]]'", ["property x|p", "property x#H"], id="E7 list"),
        pytest.param("up: [[x]]", [], id="E8"),
        pytest.param('u: "[t](N%201.md)"', ["property N 1.md|t"], id="E9"),
        pytest.param('s: "see [[x]] and [[y]]"', ["property x (partial)", "property y (partial)"], id="E10"),
        pytest.param("s: see [[x]]", ["property x (partial)"], id="E10 without quotes"),
        pytest.param("m: {deep: {er: '[[x]]'}}", ["property x"], id="in a mapping"),
        pytest.param("s: |\n  [[x]]\n  [[y]]", ["property x (partial)", "property y (partial)"]),
        pytest.param("a: &l ['[[x]]']\nb: *l", ["property x"], id="an anchor counts once"),
    ],
)
def test_links_in_properties(yaml: str, expected: list[str]) -> None:
    assert links(f"---\n{yaml}\n---\n") == expected


def test_link_in_a_property_spans_what_stands_in_the_quotes() -> None:
    assert written('---\nup: "[[Old#H|o]]"\n---\n') == ["[[Old#H|o]] · Old · H · o"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("---\nup: [[x|y]]\n---\n", [("unquoted-link", "[[x|y]]")], id="E8"),
        pytest.param("---\nl:\n  - [[x]]\n  - y\n---\n", [("unquoted-link", "[[x]]")], id="E8 in a list"),
        pytest.param("---\nl: [[a], [b]]\n---\n", [], id="a list of lists"),
        pytest.param("---\na: b\n\tc: d\n---\n", [("broken-yaml", "\tc: d")], id="F5 tab"),
        pytest.param("---\na: 1\na: 2\n---\n", [("broken-yaml", "a")], id="F5 twice"),
        pytest.param("---\nup: [[a]], [[b]]\n---\n", [("broken-yaml", "up: [[a]], [[b]]")]),
        pytest.param("---\njust text\n---\n", [("broken-yaml", "just text\n")], id="no names"),
        pytest.param("---\na: \0\n---\n", [("broken-yaml", "a: \0")], id="NUL"),
        pytest.param("---\n# only a comment\n---\n", [], id="empty"),
    ],
)
def test_problems_of_properties(text: str, expected: list[tuple[str, str]]) -> None:
    assert problems(text) == expected


def test_body_is_read_below_broken_properties() -> None:
    """F5: one problem, and everything else as always."""
    text = "---\ntitle: [\n---\n# T\n[[A]] #t\n"
    assert (names(text), headings(text), targets(text), tags(text)) == ([], ["# T"], ["A"], ["t"])
    assert [code for code, _ in problems(text)] == ["broken-yaml"]


@pytest.mark.parametrize(
    ("yaml", "expected"),
    [
        pytest.param("aliases: [A]\nup: [x\ntags: t", "aliases tags", id="a list not closed"),
        pytest.param("aliases: [A\ntags:\n- t\nup: x", "tags up", id="the first"),
        pytest.param('up: x\nsee: "open\ntags: t\n', "up tags", id="a quote not closed"),
        pytest.param("up: a: b\r\nlist:\r\n- t\r\nbad: {\r\n\r\nend: 1\r\n", "list end", id="CRLF"),
        pytest.param("up: x\rlist:\r\t- t\rend: 1\r", "up end", id="a tab, lone CR"),
        pytest.param("a: &x 1\nb: &x 2\nc: [", "", id="what only the whole breaks"),
        pytest.param("text\nmore: [", "", id="no names"),
    ],
)
def test_properties_beside_a_broken_one_are_read(yaml: str, expected: str) -> None:
    """F5: while one property is typed, the note keeps the others."""
    text = f"---\n{yaml}\n---\n"
    assert names(text) == expected.split()
    assert [code for code, _ in problems(text)] == ["broken-yaml"]


def test_property_ends_before_a_broken_one() -> None:
    (prop, _) = parse("---\nl:\n- a\nbad: [\nend: 1\n---\n").properties
    assert (prop.values, prop.span) == (("a",), Span(4, 10))


def test_surrogates_and_endless_nesting_are_broken_yaml() -> None:
    for yaml in ("a: \ud800", "a: " + "[" * 5000, "- " * 5000, "? " * 5000):
        assert [code for code, _ in problems(f"---\n{yaml}\n---\n[[A]]")] == ["broken-yaml"]


def test_yaml_aliases_are_not_expanded() -> None:
    laughs = "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    parsed = parse(f"---\n{laughs}---\n")
    assert sum(len(prop.values) for prop in parsed.properties) == 2


def test_comment_in_the_frontmatter_is_no_heading() -> None:
    text = "---\n# my note to self\ntags: [a]\n---\n# Title"
    assert headings(text) == ["# Title"]
    assert regions(text) == [("frontmatter", "---\n# my note to self\ntags: [a]\n---")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: The Title\n---\n# Other", "The Title"),
        ("---\ntitle:\n---\n# Other", "Other"),
        ("\n\n# First **block**\n\n# Second", "First block"),
        ("First\n===", "First"),
        ("text\n\n# H", None),
        ("## H2", None),
        ("> # Quoted", None),
        ("#", None),
    ],
)
def test_title_is_a_property_or_the_first_block(text: str, expected: str | None) -> None:
    assert parse(text).title == expected
