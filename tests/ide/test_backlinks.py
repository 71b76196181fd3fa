"""Backlinks, unlinked mentions and the link graph."""

from __future__ import annotations

import pytest

from knapper.ide.backlinks import backlinks
from knapper.ide.graph import graph
from knapper.ide.mentions import unlinked, unlinked_in
from knapper.ide.results import BacklinkItem
from knapper.ide.snapshot import Snapshot
from knapper.markup.parse import parse
from knapper.text.lines import Text
from knapper.vault.paths import NotePath
from tests.ide.render import said
from tests.scene import scene, snapshot_of


def lines(snap: Snapshot, items: list[BacklinkItem]) -> list[str]:
    return [
        f"{item.path}:{item.place.line + 1} {'embed ' if item.embed else ''}"
        f"{said(snap, item.path, item.place)} | {item.text}"
        for item in items
    ]


def test_backlinks_come_with_their_lines_and_from_canvases_too() -> None:
    built = scene(
        """
        //- /Idea.md
        [[#x]] [[Idea]]<|>
        //- /board.canvas
        {"nodes": [{"id": "1", "type": "file", "file": "Idea.md"}], "edges": []}
        //- /one.md
        First.

        - as in [[Idea|this]] or ![[idea]]
        """
    )
    snap = snapshot_of(built)
    assert lines(snap, backlinks(snap, built.opened)) == [
        "board.canvas:1 Idea.md | ",
        "one.md:3 [[Idea|this]] | - as in [[Idea|this]] or ![[idea]]",
        "one.md:3 embed ![[idea]] | - as in [[Idea|this]] or ![[idea]]",
    ]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("Ada met [[Ada]] in Adana, ada and Ada's.", ["Ada"], ["Ada", "ada", "Ada"]),
        ("Ada Lovelace, Lovelace, Ada.", ["Ada", "Ada Lovelace"], ["Ada Lovelace", "Ada"]),
        ("`Ada` #Ada [Ada](x.md) <https://Ada.org> $Ada$ Ada ^Ada", ["Ada"], ["Ada"]),
        ("---\nname: Ada\n---\n# Ada\n\n```\nAda\n```\n", ["Ada"], ["Ada"]),
        ("私は東京都に住む", ["東京"], ["東京"]),
        ("私はAliceです。Alices", ["Alice"], ["Alice"]),
        ("서울에서 만나요", ["서울"], ["서울"]),
        ("C++ and C+++ (C++)", ["C++"], ["C++", "C++", "C++"]),
        ("nothing", [], []),
    ],
)
def test_a_name_is_mentioned_as_a_whole_word(text: str, names: list[str], expected: list[str]) -> None:
    spans = unlinked_in(Text(text), parse(text), names)
    assert [span.of(text) for span in spans] == expected


def test_mentions_are_found_in_the_notes_that_full_text_names_and_in_open_ones() -> None:
    built = scene(
        """
        //- /Elk.md
        ---
        aliases: [Moose]
        ---
        An Elk<|> is an elk.
        //- /a.md
        Saw a moose and an [[Elk]].
        //- /b.md
        Elk and Elks.
        //- /Archive/old.md
        Elk
        //- /open.md
        Elk
        //- /unasked.md
        Elk
        //- /.obsidian/app.json
        {"userIgnoreFilters": ["Archive/"]}
        """
    )
    snap = snapshot_of(built, opened=["open.md"])
    asked: list[str] = []

    def candidates(phrase: str) -> list[NotePath]:
        asked.append(phrase)
        return [NotePath(name) for name in ("a.md", "b.md", "Archive/old.md", "gone.md", "Elk.md")]

    assert lines(snap, unlinked(snap, built.opened, candidates)) == [
        "a.md:1 moose | Saw a moose and an [[Elk]].",
        "b.md:1 Elk | Elk and Elks.",
        "open.md:1 Elk | Elk",
    ]
    assert asked == ["Elk", "Moose"]
    assert len(unlinked(snap, built.opened, candidates, limit=2)) == 2


def drawn(text: str, path: str | None = None, depth: int = 1) -> list[str]:
    snap = snapshot_of(scene(text))
    found = graph(snap, NotePath(path) if path else None, depth)
    alone = {node.id for node in found.nodes} - {
        end for edge in found.edges for end in (edge.source, edge.target)
    }
    return [*(f"{edge.source} -> {edge.target} {edge.count}" for edge in found.edges), *sorted(alone)]


GRAPH = """
    //- /a.md
    [[b]] [[b|x]] [[a]] [[Gone]] [[https://x.org]] [[pic.png]]
    //- /b.md
    [[c]]
    //- /c.md
    [[gone]] [[d]]
    //- /d.md
    //- /e.md
    //- /pic.png
"""


def test_the_graph_of_the_vault() -> None:
    assert drawn(GRAPH) == [
        "a.md -> b.md 2",
        "a.md -> missing:gone 1",
        "a.md -> pic.png 1",
        "b.md -> c.md 1",
        "c.md -> missing:gone 1",
        "c.md -> d.md 1",
        "e.md",
    ]


def test_the_graph_around_a_note() -> None:
    assert drawn(GRAPH, "b.md") == [
        "a.md -> b.md 2",
        "a.md -> missing:gone 1",
        "b.md -> c.md 1",
        "c.md -> missing:gone 1",
    ]
    assert drawn(GRAPH, "e.md", 3) == ["e.md"]
    assert drawn(GRAPH, "d.md", 2) == ["b.md -> c.md 1", "c.md -> missing:gone 1", "c.md -> d.md 1"]


def test_hidden_notes_are_not_drawn() -> None:
    hidden = '//- /.obsidian/app.json\n{"userIgnoreFilters": ["x/"]}\n//- /a.md\n[[b]]\n//- /x/b.md\n[[a]]\n'
    assert drawn(hidden) == ["a.md"]
    assert drawn(hidden, "x/b.md") == ["a.md -> x/b.md 1", "x/b.md -> a.md 1"]


def test_of_a_flood_of_aliases_the_first_are_looked_for() -> None:
    aliases = "\n".join(f"  - alias{number}" for number in range(20_000))
    built = scene(f"//- /A.md\n---\naliases:\n{aliases}\n---\n<|>\n//- /B.md\nalias0 and alias19999.\n")
    asked: list[str] = []

    def candidates(phrase: str) -> list[NotePath]:
        asked.append(phrase)
        return [NotePath("B.md")]

    found = unlinked(snapshot_of(built), built.opened, candidates)

    assert (len(found), asked[:1], len(asked) <= 100) == (1, ["alias0"], True)
