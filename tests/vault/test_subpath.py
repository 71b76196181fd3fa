"""Which heading or block `#…` means. The ids (B1, …) number the cases of Obsidian's behaviour."""

from __future__ import annotations

from knapper.text.span import Place
from knapper.vault.note import Note, NoteBlock, NoteHeading
from knapper.vault.paths import NotePath
from knapper.vault.subpath import find_subpath, has_subpaths, names_a_part, slug


def note(*lines: str) -> Note:
    """A note with these headings (`## Text`) and blocks (`^id`), one on each line."""
    headings, blocks = [], []
    for number, line in enumerate(lines):
        place = Place(number, 0, number, len(line))
        if line.startswith("^"):
            blocks.append(NoteBlock(line[1:], place, place, ""))
        else:
            marks, _, text = line.partition(" ")
            headings.append(NoteHeading(len(marks), text, place, number + 1))
    return Note(NotePath("N.md"), headings=tuple(headings), blocks=tuple(blocks))


def line(target: Note, subpath: str, *, markdown: bool = False) -> int | None:
    """The line that *subpath* leads to."""
    found = find_subpath(target, subpath, markdown)
    return found.place.line if found else None


def test_b1_a_heading_is_found_alone_and_below_another() -> None:
    target = note("# A", "## B")

    assert [line(target, "B"), line(target, "A#B"), line(target, "B#A")] == [1, 1, None]


def test_b2_a_chain_looks_below_and_a_single_name_takes_the_first() -> None:
    target = note("# A", "## X", "# B", "## Y", "### X")

    assert [line(target, "X"), line(target, "B#X"), line(target, "B#Y#X"), line(target, "A#Y")] == [
        1,
        4,
        4,
        None,
    ]


def test_a_chain_goes_on_to_the_next_heading_of_that_name() -> None:
    target = note("# A", "# B", "# A", "## X")

    assert line(target, "A#X") == 3


def test_b3_what_links_cannot_hold_does_not_count() -> None:
    assert line(note("# Minecraft: The Video Game"), "Minecraft The Video Game") == 0
    assert line(note("# Minecraft: The Video Game"), "Minecraft: The Video Game") == 0
    assert line(note("# C# and F#"), "C# and F#") == 0
    assert line(note("# It’s"), "Its") is None


def test_b5_blanks_collapse() -> None:
    target = note("## with/slash", "##   two   spaces")

    assert [line(target, text) for text in ("with/slash", "two spaces", "  two spaces  ")] == [0, 1, 1]


def test_b6_case_does_not_count_and_slugs_only_in_markdown_links() -> None:
    target = note("## Héading", "## My heading!", "## my heading")

    assert line(target, "héADING") == 0
    assert line(target, "my-heading") is None
    assert line(target, "my-heading", markdown=True) == 1
    assert line(target, "my-heading-1", markdown=True) == 2
    assert line(target, "my-heading-2", markdown=True) is None


def test_b7_marks_of_emphasis_and_code_count_on_neither_side() -> None:
    target = note("## Bold code and more", "## snake_case", "## __init__")

    assert line(target, "**Bold** `code` and _more_") == 0
    assert line(target, "__Bold__ ==code== and *more*") == 0
    assert [line(target, "snake_case"), line(target, "snakecase"), line(target, "__init__")] == [1, None, 2]


def test_b11_a_missing_heading_is_none() -> None:
    assert line(note("# A"), "Nope") is None
    assert line(note(), "Nope") is None
    assert line(note("# ?!"), "!") is None


def test_b12_b17_b19_the_first_block_with_the_id_in_any_case() -> None:
    target = note("# abc-1", "^Abc-1", "^abc-1")

    assert [line(target, "^abc-1"), line(target, "^ABC-1"), line(target, "^abc"), line(target, "abc-1")] == [
        1,
        1,
        None,
        0,
    ]
    assert line(target, "A#^abc-1") == 1


def test_b20_b22_only_notes_have_parts_that_can_be_missing() -> None:
    assert [has_subpaths(path) for path in ("N.md", "N.MD", "doc.pdf", "v.base", "img.png")] == [True] * 2 + [
        False
    ] * 3


def test_hashes_and_carets_alone_name_nothing() -> None:
    written = [None, "", "#", "^", " ", "[^1]", "A", "^id"]

    assert [names_a_part(subpath) for subpath in written] == [False] * 6 + [True] * 2


def test_a_slug_is_what_markdown_hosts_make_of_a_heading() -> None:
    assert [slug("What's new?"), slug("A_b - Ünï")] == ["whats-new", "a_b---ünï"]
