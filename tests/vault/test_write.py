"""Links are written as the vault writes them, and always lead where they should."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.vault.names import Names
from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath
from knapper.vault.resolve import resolve
from knapper.vault.write import (
    encoded,
    link_to,
    markdown_destination,
    name_problem,
    new_note_path,
    wikilink_target,
)

PLAIN = Obsidian()
RELATIVE = Obsidian(new_link_format="relative")
ABSOLUTE = Obsidian(new_link_format="absolute")


class Vault(NamedTuple):
    """A vault's files, `|` between them."""

    files: str
    obsidian: Obsidian = PLAIN

    @property
    def names(self) -> Names:
        return Names.of(NotePath(path) for path in self.files.split("|"))

    def link(self, source: str, path: str, style: str = "vault", **parts: object) -> str:
        """The link from *source* to *path*."""
        return link_to(self.names, self.obsidian, style, NotePath(source), NotePath(path), **parts)  # type: ignore[arg-type]


def test_a_unique_name_is_written_alone() -> None:
    assert Vault("a/My Note.md|x.md").link("x.md", "a/My Note.md") == "[[My Note]]"
    assert Vault("a/pic.png|x.md").link("x.md", "a/pic.png", embed=True) == "![[pic.png]]"


def test_a_shared_name_is_written_with_its_whole_path_and_shows_the_name() -> None:
    vault = Vault("a/b/Note.md|c/b/Note.md|x.md")

    assert vault.link("x.md", "c/b/Note.md") == "[[c/b/Note|Note]]"
    assert vault.link("x.md", "c/b/Note.md", display="this") == "[[c/b/Note|this]]"
    assert vault.link("x.md", "c/b/Note.md", subpath="H") == "[[c/b/Note#H]]"
    assert vault.link("x.md", "c/b/Note.md", embed=True) == "![[c/b/Note]]"


def test_a_shared_name_in_the_root_is_its_own_path() -> None:
    assert Vault("Note.md|b/Note.md").link("b/x.md", "Note.md") == "[[Note]]"


def test_a_name_that_would_mean_another_file_is_written_longer() -> None:
    vault = Vault("data.csv|data.csv.md")

    assert [vault.link("x.md", "data.csv"), vault.link("x.md", "data.csv.md")] == [
        "[[data.csv]]",
        "[[data.csv.md]]",
    ]


def test_relative_links_count_from_the_source() -> None:
    vault = Vault("a/My Note.md|b/x.md|b/c/y.md|y.md", RELATIVE)

    assert vault.link("b/x.md", "a/My Note.md", "markdown") == "[My Note](../a/My%20Note.md)"
    assert vault.link("b/x.md", "b/c/y.md", "markdown") == "[y](c/y.md)"
    assert vault.link("b/c/y.md", "a/My Note.md") == "[[../../a/My Note|My Note]]"
    assert vault.link("b/c/z.md", "b/c/y.md") == "[[./y|y]]"


def test_absolute_links_count_from_the_root() -> None:
    assert Vault("a/Note.md", ABSOLUTE).link("a/x.md", "a/Note.md") == "[[a/Note|Note]]"
    assert Vault("a/Note.md", ABSOLUTE).link("a/x.md", "a/Note.md", "markdown") == "[Note](a/Note.md)"


def test_the_setting_decides_the_syntax_before_the_vault_does() -> None:
    vault = Vault("a/N.md", Obsidian(use_markdown_links=True))

    assert [vault.link("x.md", "a/N.md", style) for style in ("vault", "markdown", "wikilink")] == [
        "[N](N.md)",
        "[N](N.md)",
        "[[N]]",
    ]


def test_c2_in_a_table_the_bar_is_escaped() -> None:
    vault = Vault("a/N.md|b/N.md")

    assert vault.link("x.md", "b/N.md", in_table=True) == r"[[b/N\|N]]"
    assert vault.link("x.md", "b/N.md", display="a|b", in_table=True) == r"[[b/N\|a\|b]]"
    assert vault.link("x.md", "b/N.md", "markdown", display="a|b", in_table=True) == r"[a\|b](b/N.md)"


def test_a_link_within_the_note_has_no_target() -> None:
    assert Vault("N.md").link("N.md", "N.md", subpath="H") == "[[#H]]"
    assert Vault("N.md").link("N.md", "N.md", "markdown", subpath="A b") == "[A b](#A%20b)"
    assert Vault("N.md").link("N.md", "N.md", "markdown", subpath="^id") == "[id](#^id)"
    assert Vault("N.md").link("N.md", "N.md") == "[[N]]"


def test_a_name_that_no_wikilink_can_hold_gets_a_markdown_link() -> None:
    vault = Vault("C# notes.md|a|b.md".replace("a|b", "ab"))

    assert vault.link("x.md", "C# notes.md") == "[C# notes](C%23%20notes.md)"
    assert Vault("Sq]uare.md").link("x.md", "Sq]uare.md") == "[[Sq]uare]]"


def test_what_a_display_cannot_hold_is_changed() -> None:
    vault = Vault("N.md")

    assert vault.link("x.md", "N.md", display="a\n b]] c]") == "[[N|a b] ] c] ]]"
    assert vault.link("x.md", "N.md", "markdown", display="a [b] \\") == r"[a \[b\] \\](N.md)"


@pytest.mark.parametrize(
    ("target", "destination"),
    [
        ("My Note.md", "My%20Note.md"),
        ("note_(v2).md", "note_(v2).md"),
        ("half (open.md", "half%20%28open.md"),
        (")(.md", "%29%28.md"),
        ("C#.md", "C%23.md"),
        ("50%.md", "50%.md"),
        ("50%20.md", "50%2520.md"),
        ("50% a.md", "50%25%20a.md"),
        ("50%(a.md", "50%25%28a.md"),
        ("<a>.md", "%3Ca%3E.md"),
        ("a\\b`c.md", "a%5Cb%60c.md"),
        ("R&D.md", "R&D.md"),
        ("R&amp;.md", "R%26amp;.md"),
        ("日本 é.md", "日本%20é.md"),
        ("a[[b.md", "a%5B[b.md"),
    ],
)
def test_d7_only_what_would_break_a_destination_is_encoded(target: str, destination: str) -> None:
    assert encoded(target) == destination
    assert "&amp;" in target or unquote(destination) == target


def test_d3_in_angle_brackets_blanks_stay() -> None:
    names = Names.of([NotePath("a/My Note (1.md")])
    written = markdown_destination(
        names, PLAIN, NotePath("x.md"), NotePath("a/My Note (1.md"), subpath="A b", angle=True
    )

    assert written == "My Note (1.md#A b"


def test_a_name_that_looks_like_an_address_is_written_relative() -> None:
    assert Vault("Re: x.md").link("y.md", "Re: x.md", "markdown") == "[Re: x](./Re:%20x.md)"


def test_a_note_that_is_yet_to_be_created_can_be_linked() -> None:
    assert Vault("a/N.md").link("x.md", "b/N.md") == "[[b/N|N]]"
    assert Vault("a/N.md").link("x.md", "b/New.md") == "[[New]]"


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("Xenon", "Inbox/Xenon.md"),
        ("Projects/X", "Projects/X.md"),
        ("v2.1 plan", "Inbox/v2.1 plan.md"),
        ("X.md", "Inbox/X.md"),
        ("/X", "X.md"),
        ("./X", "notes/X.md"),
        ("../X", "X.md"),
        ("../../X", None),
        ("pic.png", None),
        ("https://x.org", None),
        ("/", None),
        ("a^b", None),
        (".hidden", None),
        ("a/.hidden/b", None),
        ("a\\b", None),
    ],
)
def test_a22_a23_a_missing_note_is_created_where_obsidian_would(target: str, path: str | None) -> None:
    obsidian = Obsidian(new_file_location="folder", new_file_folder="Inbox")

    assert new_note_path(obsidian, NotePath("notes/src.md"), target) == path


def test_a23_new_notes_go_to_the_root_or_beside_the_note() -> None:
    current = Obsidian(new_file_location="current")

    assert new_note_path(PLAIN, NotePath("a/src.md"), "X") == "X.md"
    assert new_note_path(current, NotePath("a/src.md"), "X") == "a/X.md"


def test_names_that_links_or_systems_cannot_hold_are_refused_with_a_reason() -> None:
    assert [name_problem(name) for name in ("A$1 & B+C 🎈", "v2.1 plan", "日本", "Inc.")] == [None] * 4
    assert name_problem("Old|New") == "A name cannot hold |."
    assert name_problem("a\tb") == "A name cannot hold a control character."
    assert name_problem(" .") == "A name needs at least one letter."
    assert name_problem(".x") == "A name that begins with a dot is hidden from the vault."
    assert name_problem("x ") == "A name cannot begin or end with a blank."


folders = st.sampled_from(("", "a/", "b/", "a/b/", "b/a/", "A/"))
stems = st.sampled_from(("N", "n", "N.md", "v1", "v1.2", "a", "x (1", "50%20", "C#"))
extensions = st.sampled_from((".md", ".MD", ".png"))
paths = st.builds(
    lambda folder, stem, extension: NotePath(folder + stem + extension), folders, stems, extensions
)


@settings(max_examples=200, deadline=None)
@given(st.lists(paths, min_size=1, max_size=10, unique=True), st.data())
def test_every_written_link_leads_to_its_file(files: list[NotePath], data: st.DataObject) -> None:
    names = Names.of(files)
    source, path = data.draw(st.sampled_from(files)), data.draw(st.sampled_from(files))
    obsidian = data.draw(st.sampled_from((PLAIN, RELATIVE, ABSOLUTE)))
    destination = markdown_destination(names, obsidian, source, path)

    assert resolve(names, source, wikilink_target(names, obsidian, source, path)) == path
    assert not re.search(r"[\s#]", destination)
    assert resolve(names, source, unquote(destination)) == path
