"""What lights up with the thing under the cursor."""

from __future__ import annotations

from knapper.ide.highlight import highlights
from tests.ide.render import said
from tests.scene import scene, snapshot_of


def check(text: str, *expected: str) -> None:
    built = scene(text)
    snap = snapshot_of(built)
    found = highlights(snap, built.opened, built.offset)
    assert [f"{place.line + 1} {said(snap, built.opened, place)}" for place in found] == [*expected]


def test_links_to_one_note_light_up_together_whatever_part_they_lead_to() -> None:
    check(
        "[[N<|>]] [[M]]\n[[n.md#Plan|p]] [t][l]\n\n[l]: N.md\n//- /N.md\n# Plan\n//- /M.md\n",
        "1 [[N]]",
        "2 [[n.md#Plan|p]]",
        "2 [t][l]",
        "4 [l]: N.md",
    )


def test_a_heading_lights_up_with_the_links_to_it() -> None:
    check("# Pl<|>an\n\n[[#Plan]] [[note#plan]] [[note]]\n", "1 # Plan", "3 [[#Plan]]", "3 [[note#plan]]")


def test_a_block_lights_up_with_the_links_to_it() -> None:
    check("Text ^a<|>b\n\n[[#^ab]] [[#^abc]]\n", "1 ^ab", "3 [[#^ab]]")


def test_a_tag_lights_up_with_those_below_it() -> None:
    check("---\ntags: [A]\n---\n#a<|> #a/b #ab\n", "2 A", "4 #a", "4 #a/b")


def test_a_footnote_lights_up_with_its_uses() -> None:
    check("One[^1].\n\n[^<|>1]: Note.\n", "1 [^1]", "3 [^1]")


def test_links_to_one_missing_note_light_up() -> None:
    check("[[Go<|>ne]] [[gone|x]] [[Gone too]]\n", "1 [[Gone]]", "1 [[gone|x]]")
