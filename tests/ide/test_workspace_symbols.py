"""Finding notes, aliases and headings of the whole vault."""

from __future__ import annotations

from knapper.ide.host import Host
from knapper.ide.workspace_symbols import workspace_symbols
from knapper.vault.paths import NotePath
from tests.scene import host_of, scene

VAULT = """
    one
    //- /bread/Sourdough bread.md
    ---
    aliases: [Levain]
    ---
    ## Feeding the starter
    //- /Sour milk.md
    //- /pic sourdough.png
    //- /Archive/Sourdough.md
    //- /.obsidian/app.json
    {"userIgnoreFilters": ["Archive/"]}
"""


def found(host: Host, query: str) -> list[str]:
    return [
        f"{symbol.kind} {symbol.name} ({symbol.container})"
        for symbol in workspace_symbols(host.snapshot(), query)
    ]


def test_notes_are_found_by_a_part_of_their_name_hidden_ones_last() -> None:
    assert found(host_of(scene(VAULT)), "sourd") == [
        "note Sourdough bread (bread)",
        "note Sourdough (Archive)",
    ]


def test_aliases_and_headings_are_found() -> None:
    host = host_of(scene(VAULT))
    assert found(host, "leva") == ["alias Levain (bread/Sourdough bread)"]
    assert found(host, "starter feeding") == ["heading Feeding the starter (bread/Sourdough bread)"]


def test_open_notes_count_as_they_are_in_the_editor() -> None:
    host = host_of(scene(VAULT))
    path = NotePath("bread/Sourdough bread.md")
    host.open(path, 1, "---\naliases: [Poolish]\n---\n# Kneading\n")
    host.open(NotePath("New.md"), 1, "# Newest\n")
    assert found(host, "levain") == []
    assert found(host, "poolish") == ["alias Poolish (bread/Sourdough bread)"]
    assert found(host, "kneading") == ["heading Kneading (bread/Sourdough bread)"]
    assert found(host, "new") == ["note New ()", "heading Newest (New)"]


def test_without_a_query_the_notes_used_last_come_first() -> None:
    host = host_of(scene(VAULT))
    host.open(NotePath("Sour milk.md"), 1, "")
    assert found(host, "")[:2] == ["note Sour milk ()", "note note ()"]
