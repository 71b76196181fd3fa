"""Backlink counts above a note, its headings and blocks; and the link graph as a call hierarchy."""

from __future__ import annotations

from knapper.ide.calls import incoming, outgoing, prepare
from knapper.ide.lenses import lenses
from knapper.ide.references import references_to
from knapper.ide.results import Call
from knapper.ide.snapshot import Snapshot
from tests.ide.render import said
from tests.scene import scene, snapshot_of

VAULT = """
    //- /Note.md
    # Note<|>

    Text ^b1

    ## A

    ### Tasks

    ## B

    ### Tasks

    [[#A]]
    //- /one.md
    [[Note]] and [[Note#B#Tasks]]
    //- /two.md
    ![[Note#^b1]]
"""


def check_lenses(text: str, *expected: str, settings: dict[str, object] | None = None) -> None:
    built = scene(text)
    snap = snapshot_of(built, settings)
    found = lenses(snap, built.opened)
    assert [f"{lens.place.line + 1}: {lens.title}" for lens in found] == [*expected]
    for lens in found:
        assert len(references_to(snap, built.opened, lens.subpath)) == lens.count


def test_a_note_and_its_linked_parts_show_their_backlinks() -> None:
    check_lenses(
        VAULT,
        "1: 3 backlinks",
        "3: 1 backlink to this block",
        "5: 1 backlink to this heading",
        "11: 1 backlink to this heading",
    )


def test_a_note_without_backlinks_shows_none() -> None:
    check_lenses("# A\n\n[[note]]\n")


def test_the_setting_switches_the_lenses_off() -> None:
    check_lenses(VAULT, settings={"lens.backlinks": False})


def described(snap: Snapshot, calls: list[Call], source: str | None = None) -> list[str]:
    return [
        f"{call.item.name}: "
        + ", ".join(said(snap, source or call.item.path, place) for place in call.places)  # type: ignore[arg-type]
        for call in calls
    ]


def test_backlinks_come_in_and_links_go_out() -> None:
    links = "[[No<|>te]] [[pic.png]] [x](Note.md) [[Gone]] [[note]]"
    built = scene(f"{links}\n//- /Note.md\n//- /x.md\n[[Note]]\n//- /pic.png\n")
    snap = snapshot_of(built)
    item = prepare(snap, built.opened, built.offset)
    assert item
    assert item.path == "Note.md"
    assert described(snap, incoming(snap, item.path)) == ["note: [[Note]], [x](Note.md)", "x: [[Note]]"]
    assert described(snap, outgoing(snap, built.opened), "note.md") == [
        "Note: [[Note]], [x](Note.md)",
        "pic.png: [[pic.png]]",
    ]


def test_away_from_a_link_the_hierarchy_begins_with_the_note_itself() -> None:
    built = scene("pl<|>ain\n")
    item = prepare(snapshot_of(built), built.opened, built.offset)
    assert item
    assert item.path == "note.md"


def test_a_link_to_nothing_begins_no_hierarchy() -> None:
    built = scene("[[Go<|>ne]]\n")
    assert prepare(snapshot_of(built), built.opened, built.offset) is None
