"""Related notes above a note and its long sections, and beside the cursor."""

from __future__ import annotations

from knapper.ide.hover import hover
from knapper.ide.nearby import related_lenses, related_subject, with_related, words_of
from knapper.ide.sections import long_sections, section_at, section_lines
from knapper.search.related import Quoted, RelatedNote, Why
from knapper.text.span import START
from knapper.vault.paths import NotePath
from tests.scene import scene, snapshot_of

LONG = "word " * 400


def note(path: str, text: str = "") -> RelatedNote:
    here = there = Quoted(START, "", text)
    why = Why(by="meaning", here=here, there=there, near=0.6, noise=0.1, parts={"meaning": 0.5})
    return RelatedNote(NotePath(path), path.removesuffix(".md"), 0.5, why)


SECTIONS = f"""
    # Title<|>

    ## Short

    words

    ## Long

    {LONG}

    ### Inner

    {LONG}

    ## Long

    {LONG}
"""


def test_long_sections_are_the_note_s_own_parts_and_not_its_title() -> None:
    built = scene(SECTIONS)
    snap = snapshot_of(built)
    found, text = snap.note(built.opened), snap.text(built.opened)
    assert found
    assert text
    assert long_sections(found, text) == ["Title#Long", "Title#Long#Inner"]
    assert section_lines(found, "Title#Short") == (2, 5)
    assert section_lines(found, "Title#Gone") is None
    assert [section_at(found, line) for line in (0, 1, 2, 4, 8, 12)] == [
        None,
        None,
        "Title#Short",
        "Title#Short",
        "Title#Long",
        "Title#Long#Inner",
    ]


def test_lenses_name_three_notes_and_stand_where_their_section_is_now() -> None:
    built = scene("New line\n\n# Title<|>\n\n## Part\n")
    many = [note(f"{name}.md") for name in "ABCD"]
    found = {
        None: many,
        "Title#Part": [note("A very long title of a note that goes on and on.md")],
        "Gone": many,
    }
    lenses = related_lenses(snapshot_of(built), built.opened, found)
    assert [(lens.place.line, lens.title, lens.subpath) for lens in lenses] == [
        (0, "Related: A, B, C", None),
        (4, "Related: A very long title of a note that goes o…", "Title#Part"),
    ]


def test_lenses_are_off_by_setting() -> None:
    built = scene("# Title<|>\n")
    snap = snapshot_of(built, {"lens.related": False})
    assert related_lenses(snap, built.opened, {None: [note("A.md")]}) == []


def check_subject(text: str, expected: object) -> None:
    built = scene(text)
    assert related_subject(snapshot_of(built), built.opened, built.offset) == expected


def test_a_hover_is_about_the_note_behind_a_link_or_the_section_of_a_heading() -> None:
    other = "\n//- /B.md\n# B\n\n## Part\n\nText ^b\n"
    check_subject(f"[[B<|>]]{other}", ("B.md", None))
    check_subject(f"[[B#Par<|>t|x]]{other}", None)
    check_subject(f"[x](B.md#^b<|>){other}", None)
    check_subject(f"[[Gone<|>]]{other}", None)
    check_subject(f"pl<|>ain [[B]]{other}", None)
    check_subject("# Title<|>\n\n## Part\n", ("note.md", None))
    check_subject("# Title\n\n## Par<|>t\n", ("note.md", "Title#Part"))


def test_a_hover_tells_the_passage_that_makes_a_note_related() -> None:
    built = scene("# Ti<|>tle\n")
    snap = snapshot_of(built)
    related = [note("note.md", "itself"), note("B.md", "# B see [[C|that]] and ![](https://x.org/a.png)")]
    found = with_related(snap, built.opened, built.offset, None, related)
    assert found
    assert found.markdown == "Related:\n\n- B: B see that and"
    assert with_related(snap, built.opened, built.offset, None, related[:1]) is None
    linked = hover(snap, built.opened, built.offset)
    assert linked is None


def test_a_passage_is_shown_as_words() -> None:
    assert words_of("## Rye **loaf** `x` [[Bread|this]] [[Oven]] [site](https://x.org) <b>") == (
        "Rye loaf x this Oven site ‹b>"
    )
    assert words_of("![[photo.png]] ![](https://x.org/a.png) 1. one") == "photo.png   one"
