"""Tags in text and frontmatter, properties and their values."""

import pytest

from tests.ide.completion.accepting import accepted, completing, items_in, offered
from tests.scene import host_of, scene

TAGS = "\n//- a.md\n#project/alpha #project/beta #Inbox #日本/東京 #2024/plan\n"


@pytest.mark.parametrize(
    ("line", "label", "after"),
    [
        ("see #pro<|>", "#project/alpha", "see #project/alpha"),
        ("see #<|>", "#Inbox", "see #Inbox"),
        ("see #pro<|>, more", "#project", "see #project, more"),
        ("see #alp<|>", "#project/alpha", "see #project/alpha"),
        ("🎉 #日本<|>", "#日本/東京", "🎉 #日本/東京"),
        ("see #in<|>box more", "#Inbox", "see #Inbox more"),
    ],
)
@pytest.mark.parametrize("crlf", [False, True])
def test_accepting_a_tag_writes_one_hash(line: str, label: str, after: str, crlf: bool) -> None:
    assert accepted(f"//- src.md\n{line}\n{TAGS}", label, crlf=crlf) == after


def test_tags_above_nested_ones_are_offered_if_they_are_tags() -> None:
    found = offered(f"//- src.md\nsee #<|>\n{TAGS}")

    assert "#project" in found
    assert "#2024/plan" in found
    assert "#2024" not in found


def test_frequent_tags_come_first_among_those_that_match_as_well() -> None:
    assert offered("//- src.md\n#ta<|>\n//- a.md\n#tab #tax #tax\n") == ["#tax", "#tab"]


def test_the_tag_that_is_typed_does_not_count_itself() -> None:
    """Neither as it is on disk by now, nor as it is in the editor."""
    assert offered("//- src.md\nsee #proj<|>\n") == []
    assert offered("//- src.md\nsee #proj<|> and #proj\n") == ["#proj"]


def test_tags_of_the_open_note_count_as_they_are_now() -> None:
    built = scene("//- src.md\n#old\n\n#<|>\n")
    host = host_of(built)
    host.change(built.opened, 2, [(None, "#new\n\n#")])

    assert [item.label for item in items_in(host, built.opened, len("#new\n\n#"))] == ["#new"]


@pytest.mark.parametrize("text", ["```\n#pro<|>\n```\n", "`#pro<|>`\n", "$$\n#pro<|>\n$$\n"])
def test_no_tags_in_code_and_math(text: str) -> None:
    assert offered(f"//- src.md\n{text}{TAGS}") == []


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("tags: [pro<|>]", "tags: [project/alpha]"),
        ("tags: [x, pro<|>]", "tags: [x, project/alpha]"),
        ("tags: pro<|>", "tags: project/alpha"),
        ('tags: ["#pro<|>"]', 'tags: ["project/alpha"]'),
        ("tags:\n  - pro<|>", "  - project/alpha"),
        ("tags:<|>", "tags: project/alpha"),
        ("tags:\n  -<|>", "  - project/alpha"),
    ],
)
@pytest.mark.parametrize("crlf", [False, True])
def test_tags_in_frontmatter_have_no_hash(line: str, after: str, crlf: bool) -> None:
    assert accepted(f"//- src.md\n---\n{line}\n---\n{TAGS}", "project/alpha", crlf=crlf) == after


VAULT = """
//- .obsidian/types.json
{"types": {"done": "checkbox", "due": "date", "at": "datetime", "Rating": "number"}}
//- a.md
---
status: in progress
type: "[[Book]]"
up: "[[note]]"
odd: "a: b"
---
//- b.md
---
status: in progress
---
//- c.md
---
status: done
---
//- note.md

"""


@pytest.mark.parametrize(
    ("line", "label", "after"),
    [
        ("st<|>", "status", "status: "),
        ("st<|>: x", "status", "status: x"),
        ("<|>", "tags", "tags: "),
        ("cssc<|>", "cssclasses", "cssclasses: "),
        ("rat<|>", "rating", "rating: "),
        ("status: in<|>", "in progress", "status: in progress"),
        ("status: <|>", "done", "status: done"),
        ("status:<|>", "done", "status: done"),
        ("status:\n-<|>", "done", "- done"),
        ("status:\n  - in<|>", "in progress", "  - in progress"),
        ("status: [x, in<|>]", "in progress", "status: [x, in progress]"),
        ('status: "in<|>"', "in progress", 'status: "in progress"'),
        ('status: "in<|>', "in progress", 'status: "in progress"'),
        ("odd: <|>", "a: b", 'odd: "a: b"'),
        ("type: <|>", "[[Book]]", 'type: "[[Book]]"'),
        ("done: <|>", "true", "done: true"),
        ("due: <|>", "2025-04-11", "due: 2025-04-11"),
        ("due: tom<|>", "2025-04-12", "due: 2025-04-12"),
        ("at: <|>", "2025-04-11T09:30:00", "at: 2025-04-11T09:30:00"),
        ('up: "[[no<|>"', "note", 'up: "[[note]]"'),
        ('up: "[[no<|>]]"', "note", 'up: "[[note]]"'),
        ('up: "[[no<|>', "note", 'up: "[[note]]"'),
        ("up: [[no<|>", "note", 'up: "[[note]]"'),
        ("up: [[no<|>]]", "note", 'up: "[[note]]"'),
        ("up: [[no<|>|shown]]", "note", 'up: "[[note|shown]]"'),
        ("up:\n  - [[no<|>", "note", '  - "[[note]]"'),
        ('up: "[t](no<|>)"', "note", 'up: "[t](note.md)"'),
    ],
)
@pytest.mark.parametrize("crlf", [False, True])
def test_properties_and_values_are_written_as_yaml(line: str, label: str, after: str, crlf: bool) -> None:
    assert accepted(f"//- src.md\n---\n{line}\n---\n{VAULT}", label, crlf=crlf) == after


def test_properties_that_the_note_has_are_not_offered_again() -> None:
    found = offered(f"//- src.md\n---\nstatus: x\n<|>\ntags: [a]\n---\n{VAULT}")

    assert "status" not in found
    assert "tags" not in found
    assert "aliases" in found


def test_frequent_values_come_first_and_the_note_does_not_count_itself() -> None:
    assert offered(f"//- src.md\n---\nstatus: <|>\n---\n{VAULT}") == ["in progress", "done"]
    assert offered("//- src.md\n---\nstatus: onl<|>y here\n---\n") == []


def test_properties_are_completed_before_they_are_closed() -> None:
    assert accepted(f"//- src.md\n---\nsta<|>\n{VAULT}", "status") == "status: "


def test_an_alias_with_quotes_is_escaped_in_a_quoted_property() -> None:
    vault = '//- src.md\n---\nup: "[[Say<|>"\n---\n//- N.md\n---\naliases: [\'Say "hi"\']\n---\n'

    assert accepted(vault, 'Say "hi"') == 'up: "[[N|Say \\"hi\\"]]"'


def test_a_count_stands_beside_a_tag() -> None:
    assert completing("//- src.md\n#ta<|>\n//- a.md\n#tax #tax\n").item("#tax").description == "2 times"
