"""What means the same as the thing under the cursor."""

from __future__ import annotations

import pytest

from knapper.base.cancel import Cancelled, CancelToken
from knapper.ide.references import references, references_to
from knapper.vault.paths import NotePath
from tests.ide.render import shown
from tests.scene import scene, snapshot_of


def check(text: str, *expected: str, declaration: bool = False) -> None:
    built = scene(text)
    snap = snapshot_of(built)
    found = references(snap, built.opened, built.offset, declaration=declaration)
    assert shown(snap, found) == [*expected]


def test_all_spellings_and_embeds_are_references_to_the_note() -> None:
    check(
        """
        [[tar<|>get]] and [[TARGET.md|x]]
        //- /one.md
        ![[target]]
        [y](target.md "t")
        //- /two.md
        ![[target#Part]] [[target#^b1]] [[other]]
        //- /target.md
        ## Part

        Text ^b1
        """,
        "note.md:1 [[target]]",
        "note.md:1 [[TARGET.md|x]]",
        "one.md:1 ![[target]]",
        'one.md:2 [y](target.md "t")',
        "two.md:1 ![[target#Part]]",
        "two.md:1 [[target#^b1]]",
    )


def test_the_half_behind_the_hash_asks_for_the_heading() -> None:
    check(
        """
        [[N#Pl<|>an]] and [[N]] and [[N#Other]]
        //- /N.md
        ## Plan

        See [[#plan]] and [x](#Plan).

        ## Other
        //- /x.md
        [y](N.md#Plan) [[N#^b]]
        """,
        "N.md:3 [[#plan]]",
        "N.md:3 [x](#Plan)",
        "note.md:1 [[N#Plan]]",
        "x.md:1 [y](N.md#Plan)",
    )


def test_a_heading_is_referred_to_by_the_links_that_lead_to_it_and_not_to_its_twin() -> None:
    check(
        """
        //- /N.md
        # A

        ## Details

        # B

        ## Det<|>ails
        //- /x.md
        [[N#A#Details]] and [[N#B#Details]] and [[N#Details]]
        """,
        "x.md:1 [[N#B#Details]]",
    )


def test_a_block_id_is_referred_to_by_its_links() -> None:
    check(
        """
        //- /N.md
        Text ^ab<|>c
        //- /x.md
        [[N#^abc]] ![[N#^ABC|s]] [[N#^abcd]] [[N]]
        """,
        "x.md:1 [[N#^abc]]",
        "x.md:1 ![[N#^ABC|s]]",
    )


def test_a_tag_counts_in_any_letter_case_in_properties_and_with_those_below_it() -> None:
    check(
        """
        see #In<|>box
        //- /a.md
        ---
        tags: [INBOX, inbox/later, inboxes]
        ---
        //- /b.md
        to do #inbox #other `#inbox`
        """,
        "a.md:2 INBOX",
        "a.md:2 inbox/later",
        "b.md:1 #inbox",
        "note.md:1 #Inbox",
    )


def test_links_to_the_same_missing_note_belong_together() -> None:
    check(
        """
        [[Gho<|>st]] [[Ghostly]]
        //- /sub/x.md
        [[ghost.md|g]] [y](Ghost.md) [[sub/Ghost]]
        """,
        "note.md:1 [[Ghost]]",
        "sub/x.md:1 [[ghost.md|g]]",
        "sub/x.md:1 [y](Ghost.md)",
    )


def test_links_to_the_same_missing_heading_belong_together() -> None:
    check(
        """
        [[N#No<|>pe]] [[N#Here]] [[N#nope]]
        //- /N.md
        # Here
        """,
        "note.md:1 [[N#Nope]]",
        "note.md:1 [[N#nope]]",
    )


def test_uses_of_a_footnote() -> None:
    text = "One[^<|>a] two[^A].\n\n[^a]: Note.\n"
    check(text, "note.md:1 [^a]", "note.md:1 [^A]")
    check(text, "note.md:1 [^a]", "note.md:1 [^A]", "note.md:3 [^a]", declaration=True)


def test_an_alias_and_an_empty_first_line_stand_for_the_note() -> None:
    aliased = "//- /Elk.md\n---\naliases: [Mo<|>ose]\n---\n//- /x.md\n[[Elk]]\n"
    check(aliased, "x.md:1 [[Elk]]")
    check("//- /Elk.md\n<|>\n//- /x.md\n[[Elk]]\n", "x.md:1 [[Elk]]")


@pytest.mark.parametrize(
    "text", ["one\n\nplain <|>word\n", "[a](https://ex<|>ample.com)\n", "[[https://<|>x.org]]\n"]
)
def test_nothing_refers_to(text: str) -> None:
    check(text)


def test_the_declaration_comes_along_when_it_is_asked_for() -> None:
    check("[[N#Pl<|>an]]\n//- /N.md\n## Plan\n", "N.md:1 ## Plan", "note.md:1 [[N#Plan]]", declaration=True)
    check("[[<|>N]]\n//- /N.md\n## Plan\n", "N.md", "note.md:1 [[N]]", declaration=True)


def test_a_note_that_links_to_itself_is_referred_to_but_not_by_a_bare_hash() -> None:
    check("//- /N.md\n# H\n\n[[N<|>]] [[#H]]\n", "N.md:3 [[N]]")


def test_canvases_refer_to_their_notes() -> None:
    check(
        """
        [[Id<|>ea]]
        //- /Idea.md
        //- /board.canvas
        {"nodes": [{"id": "1", "type": "file", "file": "Idea.md"}], "edges": []}
        """,
        "board.canvas:1 Idea.md",
        "note.md:1 [[Idea]]",
    )


def test_answers_about_closed_notes_read_no_file() -> None:
    built = scene("[[N<|>]]\n//- /N.md\n//- /a.md\n[[N]]\n//- /b.md\n[[N]]\n")
    snap = snapshot_of(built)
    read: list[str] = []
    object.__setattr__(snap, "read", read.append)
    assert len(references(snap, built.opened, built.offset)) == 3
    assert read == []


def test_what_a_lens_counts_leaves_the_note_itself_out() -> None:
    built = scene("# A\n\n[[note]] [[#A]]\n//- /x.md\n[[note]] [[note#A]]\n")
    snap = snapshot_of(built)
    note = NotePath("note.md")
    assert shown(snap, references_to(snap, note, None)) == ["x.md:1 [[note]]", "x.md:1 [[note#A]]"]
    assert shown(snap, references_to(snap, note, "A")) == ["note.md:3 [[#A]]", "x.md:1 [[note#A]]"]


def test_a_cancelled_request_stops() -> None:
    built = scene("#ta<|>g\n")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        references(snapshot_of(built), built.opened, built.offset, token=token)
