"""Which file a link means. The ids (A1, D5, …) number the cases of Obsidian's behaviour."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

import pytest

from knapper.markup.note import LinkKind
from knapper.vault.names import Names
from knapper.vault.paths import NotePath
from knapper.vault.resolve import (
    candidates,
    elsewhere,
    ignorable,
    is_address,
    meant_path,
    resolve,
    resolve_link,
)


def found(files: str, target: str, source: str = "src.md") -> str | None:
    """What *target* means in *source* in a vault with these *files*, `|` between them."""
    return resolve(names(files), NotePath(source), target)


def names(files: str) -> Names:
    return Names.of([NotePath(path) for path in files.split("|")])


@pytest.mark.parametrize("target", ["Note", "Note.md", "note", "NOTE.MD"])
def test_a1_a_note_is_found_with_and_without_extension_in_any_case(target: str) -> None:
    assert found("Note.md", target) == "Note.md"


def test_a2_an_exact_path_beats_the_own_folder() -> None:
    assert found("Note.md|b/Note.md", "Note", "b/x.md") == "Note.md"


def test_a3_the_shortest_path_string_wins_not_the_fewest_folders() -> None:
    assert found("zzzz/Note.md|a/b/Note.md", "Note") == "a/b/Note.md"


def test_a4_the_own_folder_beats_a_shorter_path() -> None:
    assert found("zzzz/Note.md|a/b/Note.md", "Note", "zzzz/x.md") == "zzzz/Note.md"


def test_a5_a_folder_above_counts_for_nothing() -> None:
    assert found("b/Note.md|a/b/Note.md|zzzz/Note.md", "Note", "zzzz/deep/x.md") == "b/Note.md"


def test_a6_a_link_with_a_folder_matches_the_end_of_a_path() -> None:
    assert found("a/b/Note.md", "b/Note") == "a/b/Note.md"


def test_a7_an_exact_path_beats_the_end_of_a_path_beside_the_source() -> None:
    assert found("b/Note.md|a/b/Note.md", "b/Note", "a/x.md") == "b/Note.md"


def test_a8_half_a_folder_name_does_not_match() -> None:
    assert found("ab/Note.md", "b/Note") is None


def test_a9_dots_count_from_the_folder_of_the_source() -> None:
    assert found("a/y.md|y.md", "./y", "a/x.md") == "a/y.md"
    assert found("a/y.md|y.md", "../y", "a/x.md") == "y.md"
    assert found("a/b/y.md|a/c/x.md", "../b/y.md", "a/c/x.md") == "a/b/y.md"


def test_a_relative_link_has_no_fallback() -> None:
    assert found("b/y.md", "./y", "a/x.md") is None


def test_a10_a_leading_slash_means_the_root_and_nothing_else() -> None:
    assert found("a/y.md", "/y") is None
    assert found("a/y.md|b/a/y.md", "/a/y", "b/x.md") == "a/y.md"


def test_a11_a_link_out_of_the_vault_leads_nowhere() -> None:
    assert found("a/y.md", "../../../a/y", "a/x.md") is None
    assert found("y.md", "../y") is None


def test_a12_a_dot_in_a_name_is_no_extension() -> None:
    assert found("v1.2 notes.md", "v1.2 notes") == "v1.2 notes.md"


def test_a13_a_name_with_a_dot_is_tried_as_it_is_first() -> None:
    assert found("data.csv|data.csv.md", "data.csv") == "data.csv"
    assert found("a/b/data.csv|data.csv.md", "data.csv") == "a/b/data.csv"


def test_a14_a_file_of_another_kind_needs_its_extension() -> None:
    assert found("img.png", "img") is None
    assert found("img.png", "IMG.png") == "img.png"


def test_a15_a_canvas_is_not_found_by_its_stem() -> None:
    assert found("B.md|B.canvas", "B") == "B.md"
    assert found("B.canvas", "B") is None
    assert found("B.md|B.canvas", "B.canvas") == "B.canvas"


def test_a16_normal_forms_do_not_matter_and_the_path_on_disk_is_given() -> None:
    stored = unicodedata.normalize("NFD", "Café.md")

    assert found(stored, unicodedata.normalize("NFC", "Café")) == stored


@pytest.mark.parametrize("target", ["οδος", "οδοσ", "ΟΔΟΣ"])
def test_a17_every_sigma_is_the_same(target: str) -> None:
    assert found("ΟΔΟΣ.md", target) == "ΟΔΟΣ.md"


def test_a18_names_are_casefolded() -> None:
    assert found("straße.md", "STRASSE") == "straße.md"
    assert found("İstanbul.md", "istanbul") is None


def test_a21_a_folder_is_no_note_but_a_note_named_like_its_folder_is() -> None:
    assert found("f/f.md|g/index.md|g/README.md", "f") == "f/f.md"
    assert found("f/f.md|g/index.md|g/README.md", "g") is None
    assert found("g/index.md|g.md", "g/") is None


def test_a33_a_backslash_separates_no_folders() -> None:
    assert found("Dir/Note.md", "Dir\\Note") is None


def test_an_empty_target_means_the_source() -> None:
    assert found("Note.md", "", "b/x.md") == "b/x.md"


def test_letter_case_decides_between_twins() -> None:
    assert found("Note.md|note.md", "note") == "note.md"
    assert found("Note.md|note.md", "Note.md") == "Note.md"
    assert found("a/Note.md|a/note.md", "a/note") == "a/note.md"


def test_letter_case_decides_only_between_equally_good_files() -> None:
    assert found("a/Note.md|bb/note.md", "note") == "a/Note.md"


def test_equally_long_paths_go_by_their_folded_path() -> None:
    assert found("B/Note.md|a/Note.md", "Note") == "a/Note.md"


def test_a_file_without_extension_comes_after_the_note_of_its_name() -> None:
    assert found("LICENSE", "license") == "LICENSE"
    assert found("LICENSE|docs/LICENSE.md", "LICENSE") == "docs/LICENSE.md"


def test_slashes_are_normalised() -> None:
    assert found("a/Note.md", "a//Note") == "a/Note.md"
    assert found("a/Note.md", "b/../a/Note") == "a/Note.md"


@pytest.mark.parametrize("target", ["/", ".", "..", "./", "../", "//", "a/..", "/.."])
def test_what_names_no_file_finds_none(target: str) -> None:
    assert found("Note.md|a/x.md", target, "a/x.md") is None


def test_candidates_are_all_files_that_a_link_could_mean() -> None:
    vault = names("zzzz/Note.md|a/b/Note.md|b/Note.md|Note.png")

    assert candidates(vault, NotePath("src.md"), "Note") == ("b/Note.md", "a/b/Note.md", "zzzz/Note.md")
    assert candidates(vault, NotePath("src.md"), "b/Note") == ("b/Note.md", "a/b/Note.md")
    assert candidates(vault, NotePath("src.md"), "/b/Note") == ("b/Note.md",)
    assert candidates(vault, NotePath("src.md"), "gone") == ()


class Written(NamedTuple):
    """What of a link decides where it leads."""

    kind: LinkKind
    target: str
    markdown: bool = False


def test_d1_a_markdown_link_is_looked_up_in_the_whole_vault() -> None:
    link = Written(LinkKind.MARKDOWN, "My Note.md", markdown=True)

    assert resolve_link(names("Sub/My Note.md"), NotePath("src.md"), link) == "Sub/My Note.md"


def test_d15_a_markdown_link_prefers_the_root_where_other_tools_stay_in_the_folder() -> None:
    vault, source = names("N.md|b/N.md"), NotePath("b/x.md")

    assert resolve_link(vault, source, Written(LinkKind.MARKDOWN, "N.md", markdown=True)) == "N.md"
    assert elsewhere(vault, source, "N.md") == "b/N.md"


def test_a_canvas_writes_whole_paths() -> None:
    vault, source = names("a/N.md|b/c.canvas"), NotePath("b/c.canvas")

    assert resolve_link(vault, source, Written(LinkKind.CANVAS, "a/N.md")) == "a/N.md"
    assert resolve_link(vault, source, Written(LinkKind.CANVAS, "N.md")) is None


def test_a29_an_address_is_told_from_a_name() -> None:
    addresses = ["https://x.org", "obsidian://open?vault=V", "mailto:a@b.c", "HTTP://X.ORG"]
    others = ["Minecraft: The Game", "Re:", "a/b", "mailto: Ada", "C:/x"]

    assert [is_address(target) for target in (*addresses, *others)] == [True] * 4 + [False] * 5


def test_d13_slashes_and_dots_alone_are_ignorable() -> None:
    assert [ignorable(target) for target in ("", "/", "..", " ", "a", "/a")] == [True] * 4 + [False] * 2


def test_links_to_one_missing_note_are_told_to_be_so() -> None:
    spelled = [("src.md", "a/Gone"), ("b/x.md", "a/gone.md"), ("a/x.md", "./GONE"), ("b/x.md", "/a/gone")]

    assert {meant_path(NotePath(source), target) for source, target in spelled} == {"a/gone"}
