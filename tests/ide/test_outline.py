"""The outline, folds and growing selections of one note."""

from __future__ import annotations

from collections.abc import Iterable

from knapper.ide.folding import folding
from knapper.ide.results import Symbol
from knapper.ide.selection import selection
from knapper.ide.symbols import document_symbols
from tests.ide.render import said
from tests.scene import scene, snapshot_of


def check_outline(text: str, *expected: str) -> None:
    built = scene(text)
    snap = snapshot_of(built)

    def lines(symbols: Iterable[Symbol], depth: int = 0) -> Iterable[str]:
        for symbol in symbols:
            yield "  " * depth + symbol.name
            assert symbol.place.line <= symbol.selection.line <= symbol.place.end_line
            yield from lines(symbol.children, depth + 1)

    assert [*lines(document_symbols(snap, built.opened))] == [*expected]


def check_folds(text: str, *expected: str) -> None:
    """Each fold as `kind: first line - last line`, lines counted from 1."""
    built = scene(text)
    found = folding(snapshot_of(built), built.opened)
    assert [f"{fold.kind}: {fold.start_line + 1} - {fold.end_line + 1}" for fold in found] == [*expected]


def check_selection(text: str, *expected: str) -> None:
    built = scene(text)
    snap = snapshot_of(built)
    (places,) = selection(snap, built.opened, [built.offset])
    assert [said(snap, built.opened, place) for place in places] == [*expected]


def test_the_outline_shows_the_headings_by_level() -> None:
    check_outline(
        "# Year\n\n#tag\n\n## Spring\n\n### Sowing\n\n## Autumn\n\n```\n# code\n```\n",
        "Year",
        "  Spring",
        "    Sowing",
        "  Autumn",
    )


def test_a_skipped_level_is_a_child_all_the_same() -> None:
    check_outline("## B\n\n#### D\n\n### C\n\n# A\n\n## B2\n", "B", "  D", "  C", "A", "  B2")


def test_a_comment_in_the_properties_is_no_heading() -> None:
    check_outline("---\n# my note to self\ntags: [a]\n---\n# Title\n", "Title")


def test_a_heading_without_text_has_its_marks_for_a_name() -> None:
    check_outline("# A\n\n##\n", "A", "  ##")


def test_links_in_a_heading_are_read_as_what_they_show() -> None:
    check_outline("# On [[Ada Lovelace|Ada]] and **more**\n", "On Ada and more")


def test_sections_lists_and_blocks_fold() -> None:
    check_folds(
        """
        ---
        tags: [a]
        ---
        # A

        - one
          - two
          - three
        - four

        ```
        code
        ```

        ## B

        | x |
        |---|
        | y |

        > [!note] T
        > text

        $$
        x
        $$

        %%
        hidden
        %%

        # C
        """,
        "frontmatter: 1 - 3",
        "section: 4 - 30",
        "list: 6 - 9",
        "list: 7 - 8",
        "code: 11 - 13",
        "section: 15 - 30",
        "table: 17 - 19",
        "callout: 21 - 22",
        "math: 24 - 26",
        "comment: 28 - 30",
    )


def test_what_has_one_line_does_not_fold() -> None:
    check_folds("- one\n\n# A\n\n# B\n\n")


def test_a_selection_grows_from_the_word_to_the_note() -> None:
    check_selection(
        "# A\n\n## B\n\nSee [[Ada Love<|>lace#Life|Ada]] now.\n\nMore.\n\n# C\n",
        "Lovelace",
        "Ada Lovelace",
        "Ada Lovelace#Life",
        "[[Ada Lovelace#Life|Ada]]",
        "See [[Ada Lovelace#Life|Ada]] now.",
        "## B  See [[Ada Lovelace#Life|Ada]] now.  More.",
        "# A  ## B  See [[Ada Lovelace#Life|Ada]] now.  More.",
        "# A  ## B  See [[Ada Lovelace#Life|Ada]] now.  More.  # C",
    )


def test_a_selection_in_an_empty_note_is_the_note() -> None:
    check_selection("<|>", "")
