"""The parts of a note by name are those that the rules of subpaths find."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from knapper.ide.parts import Parts
from knapper.vault.paths import NotePath
from knapper.vault.subpath import find_subpath
from tests.scene import note_from

HEADINGS = ("A", "a", "A: b", "A b", "**B**", "See [[N|x]]", "?", "What's new?", "Straße", "a-b", "c#d")
SUBPATHS = (
    *HEADINGS,
    " A ",
    "A#a",
    "A#A b",
    "^x",
    "^X",
    " ^x",
    "^y",
    "",
    "#",
    "whats-new",
    "a-1",
    "a-b-1",
    "STRASSE",
)


@given(
    st.lists(st.tuples(st.integers(1, 3), st.sampled_from(HEADINGS)), max_size=8),
    st.lists(st.sampled_from("xyX"), max_size=3),
)
def test_a_part_is_found_as_by_going_through_all(headings: list[tuple[int, str]], ids: list[str]) -> None:
    text = "".join(f"{'#' * level} {heading}\n\n" for level, heading in headings)
    text += "".join(f"text ^{block}\n\n" for block in ids)
    note = note_from(NotePath("n.md"), text)
    for subpath in SUBPATHS:
        for markdown in (False, True):
            assert Parts(note).find(subpath, markdown=markdown) == find_subpath(note, subpath, markdown)
