"""From the text of a note to what its links mean. The ids number the cases of Obsidian's behaviour."""

from __future__ import annotations

import pytest

from knapper.markup.parse import parse
from knapper.text.lines import Text
from knapper.vault.note import Note, note_of
from knapper.vault.paths import NotePath, is_note
from knapper.vault.subpath import find_subpath
from knapper.vault.view import VaultView


def note(path: str, text: str) -> Note:
    return note_of(NotePath(path), Text(text), parse(text))


def targets(files: str, text: str, source: str = "src.md") -> list[str | None]:
    """Where the links of *text* in *source* lead, in a vault with these *files*, blanks between them."""
    paths = [NotePath(path.replace("_", " ")) for path in files.split()]
    view = VaultView.build([note(source, text), *(Note(path) for path in paths if is_note(path))], paths)
    return list(view.graph.outgoing(NotePath(source)))


def line(text: str, subpath: str) -> int | None:
    """The line that `N#subpath` leads to, where N has this text."""
    found = find_subpath(note("N.md", text), subpath, markdown=False)
    return found.place.line if found else None


@pytest.mark.parametrize(
    ("files", "text", "expected"),
    [
        pytest.param("a.md", "[[ a ]] [[a |b]] [[a| b ]]", ["a.md"] * 3, id="A24"),
        pytest.param("a.md", "[[]] [[ ]] [[|x]]", [], id="A25"),
        pytest.param("Sq]uare.md", "[[Sq]uare]]", ["Sq]uare.md"], id="A26"),
        pytest.param("Inner.md", "[[Nested [[Inner]] x]]", ["Inner.md"], id="A27"),
        pytest.param("a.md", "[[two\nlines]]", [], id="A28"),
        pytest.param("C#_notes.md", "[[C# notes]]", [None], id="A30"),
        pytest.param("N.md", "[[N#Nope]] [[N#^nope]]", ["N.md"] * 2, id="B11"),
        pytest.param("N.md", "[[N^abc-1]]", [None], id="B12"),
        pytest.param(
            "doc.pdf img.png v.base",
            "[[doc.pdf#page=3]] ![[img.png#outline]] ![[v.base#View]]",
            None,
            id="B20-22",
        ),
        pytest.param("Sub/My_Note.md", "[y](My%20Note.md)", ["Sub/My Note.md"], id="D1"),
        pytest.param("My_Note.md", "[y](My Note.md)", [], id="D2"),
        pytest.param("My_Note.md", "[y](<My Note.md>)", ["My Note.md"], id="D3"),
        pytest.param("My_Note.md", "[y](My%20Note)", ["My Note.md"], id="D4"),
        pytest.param("N.md a/N.md", "[y](./a/N.md) [y](a/../N.md)", ["a/N.md", "N.md"], id="D5"),
        pytest.param("N.md", "[y](N.md#Some%20Head)", ["N.md"], id="D6"),
        pytest.param("🌀_G/L.md", "[y](%F0%9F%8C%80%20G/L.md)", ["🌀 G/L.md"], id="D7"),
        pytest.param("50%.md %zz.md", "[y](50%.md) [y](%zz.md)", ["50%.md", "%zz.md"], id="D8"),
        pytest.param("N.md", '[y](N.md "title") [y\nz](N.md)', ["N.md"] * 2, id="D9"),
        pytest.param("N.md", "[t][r] [r][] [r]\n\n[R]: N.md", ["N.md"] * 3, id="D10"),
        pytest.param("C#.md", "[y](C%23.md)", ["C#.md"], id="D12"),
        pytest.param("N.md", "[](N.md) [y](/)", ["N.md"], id="D13"),
        pytest.param("N.md", "<https://x> https://x.org/[[N]]", [], id="D14"),
    ],
)
def test_links_lead_to_their_files(files: str, text: str, expected: list[str | None] | None) -> None:
    found = targets(files, text)

    assert found == (files.split() if expected is None else expected)


def test_d11_addresses_are_no_links() -> None:
    text = "[y](mailto:a@b) [y](obsidian://open) [y](file:///x.md) [y](HTTPS://x.org/N.md)"

    assert targets("N.md", text) == []


def test_b10_links_within_a_note_lead_to_it_and_are_no_backlinks() -> None:
    text = "[[#B]] [[#^id]] [t](#B)\n# B\ntext ^id\n"
    view = VaultView.build([note("a/x.md", text)])

    assert view.graph.outgoing(NotePath("a/x.md")) == ("a/x.md",) * 3
    assert list(view.backlinks(NotePath("a/x.md"))) == []


@pytest.mark.parametrize(
    ("text", "subpath", "expected"),
    [
        pytest.param("## See [[Other]] | x", "See Other x", 0, id="B4"),
        pytest.param("## **Bold** `code`", "Bold code", 0, id="B7"),
        pytest.param("Title\n===\n", "Title", 0, id="B8"),
        pytest.param("```\n# in fence\n```\n", "in fence", None, id="B9"),
        pytest.param("text ^abc-1", "^abc-1", 0, id="B12"),
        pytest.param("text^abc", "^abc", None, id="B13"),
        pytest.param("| a |\n|---|\n| b |\n\n^t1\n\nend", "^t1", 4, id="B14"),
        pytest.param("- a\n- x ^li\n  - y\n- z", "^li", 1, id="B15"),
        pytest.param("x ^my_id", "^my_id", None, id="B16"),
        pytest.param("```\nx ^id\n```\n", "^id", None, id="B18"),
        pytest.param("x ^id\n\ny ^id", "^id", 0, id="B19"),
    ],
)
def test_subpaths_lead_to_their_lines(text: str, subpath: str, expected: int | None) -> None:
    assert line(text, subpath) == expected


def test_b14_b15_a_block_is_what_the_id_names() -> None:
    table = find_subpath(note("N.md", "| a |\n|---|\n| b |\n\n^t1\n\nend"), "^t1", markdown=False)
    item = find_subpath(note("N.md", "- a\n- x ^li\n  - y\n- z"), "^li", markdown=False)

    assert [(found.block.line, found.block.end_line, found.text) for found in (table, item)] == [  # type: ignore[union-attr]
        (0, 2, "| a | |---| | b |"),
        (1, 2, "- x"),
    ]
