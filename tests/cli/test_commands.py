"""The subcommands, as a person sees them."""

from __future__ import annotations

import json
import os
from pathlib import Path

from knapper.index.locks import Ownership
from tests.cli.transcript import check_transcript, run


def test_search_prints_the_place_the_heading_and_the_words(vault: Path) -> None:
    check_transcript(
        vault,
        """
        $ knapper search sourdough
        Bread.md:9  Bread › Starter
            Feed the sourdough starter.
        Only words were searched: `knapper models fetch` gets a model for their meaning.
        $ knapper search --mode text sourdogh
        Bread.md:9  Bread › Starter
            Feed the sourdough starter.
        Also searched: sourdough.
        $ knapper search --mode text nowhere
        [1]
        $ knapper search '(*'
        There is no letter or digit to look for.
        [1]
        $ knapper search --mode text tag:kitchen starter
        Bread.md:7  Bread › Starter
            ## Starter Feed the sourdough starter.
        """,
    )


def test_backlinks_are_the_links_from_other_notes(vault: Path) -> None:
    check_transcript(
        vault,
        """
        $ knapper backlinks Bread
        Diary/2024-05-01.md:1  Baked [the bread](../Bread.md). `[[no link]]` [[missing note|soon]]
        Oven.md:1  The oven needs [[Bread]] and ![[Bread#Starter]].
        Oven.md:1  The oven needs [[Bread]] and ![[Bread#Starter]].
        $ knapper backlinks VAULT/Alone.md
        No other note links to it.
        [1]
        $ knapper backlinks Brad
        Error: There is no note called Brad in VAULT.
        [2]
        $ knapper backlinks brea
        Error: There is no note called brea in VAULT. There is Bread.
        [2]
        """,
    )


def test_links_in_code_are_no_links(vault: Path) -> None:
    assert json.loads(run(vault, "links", "--json").stdout) == [
        {
            "source": "Diary/2024-05-01.md",
            "line": 1,
            "text": "[the bread](../Bread.md)",
            "kind": "markdown",
            "target": "Bread.md",
        },
        {
            "source": "Diary/2024-05-01.md",
            "line": 1,
            "text": "[[missing note|soon]]",
            "kind": "wikilink",
            "target": None,
        },
        {"source": "Oven.md", "line": 1, "text": "[[Bread]]", "kind": "wikilink", "target": "Bread.md"},
        {"source": "Oven.md", "line": 1, "text": "![[Bread#Starter]]", "kind": "embed", "target": "Bread.md"},
        {"source": "Oven.md", "line": 2, "text": "[[Missing note]]", "kind": "wikilink", "target": None},
    ]


def test_unresolved_links_are_grouped_by_what_is_missing(vault: Path) -> None:
    check_transcript(
        vault,
        """
        $ knapper unresolved
        missing note  2 links
            Diary/2024-05-01.md:1  [[missing note|soon]]
            Oven.md:2  [[Missing note]]
        """,
    )


def test_a_note_without_any_link_is_an_orphan(vault: Path) -> None:
    check_transcript(
        vault,
        """
        $ knapper orphans
        Alone.md
        """,
    )


def test_the_graph_is_nodes_and_edges(vault: Path) -> None:
    found = json.loads(run(vault, "graph", "--json").stdout)

    assert {node["title"] for node in found["nodes"]} == {
        "Alone",
        "Bread",
        "2024-05-01",
        "Oven",
        "missing note",
    }
    assert {(edge["source"], edge["target"], edge["count"]) for edge in found["edges"]} == {
        ("Diary/2024-05-01.md", "Bread.md", 1),
        ("Diary/2024-05-01.md", "missing:missing note", 1),
        ("Oven.md", "Bread.md", 2),
        ("Oven.md", "missing:missing note", 1),
    }


def test_every_command_that_reads_a_vault_prints_json(vault: Path) -> None:
    for command in (
        ["index"],
        ["status"],
        ["search", "bread"],
        ["backlinks", "Bread"],
        ["links"],
        ["unresolved"],
    ):
        assert json.loads(run(vault, *command, "--json").stdout)
    for command in (["orphans"], ["graph"], ["doctor"], ["rebuild"]):
        assert json.loads(run(vault, *command, "--json").stdout)


def test_a_search_explains_its_scores(vault: Path) -> None:
    item = json.loads(run(vault, "search", "sourdough starter", "--json", "--explain").stdout)["items"][0]

    assert item["path"] == "Bread.md"
    assert item["line"] == 9
    assert [stage["name"] for stage in item["trace"]] == ["words", "all words", "salience"]
    assert sum(stage["score"] for stage in item["trace"]) == item["score"]


def test_notes_that_obsidian_excludes_are_not_found(vault: Path) -> None:
    (vault / ".obsidian/app.json").write_text('{"userIgnoreFilters": ["Diary/"]}', encoding="utf-8")

    found = json.loads(run(vault, "search", "soon", "--json").stdout)

    assert found["items"] == []


def test_status_tells_what_there_is_without_indexing(vault: Path) -> None:
    assert run(vault, "status").exit_code == 1
    run(vault, "index")

    found = json.loads(run(vault, "status", "--json").stdout)

    assert (found["state"], found["notes"], found["links"], found["unresolved"]) == ("ready", 4, 5, 2)
    assert found["index"]["owner"] is None


def test_doctor_finds_a_healthy_vault_healthy(vault: Path) -> None:
    run(vault, "index")

    checks = {check["name"]: check["level"] for check in json.loads(run(vault, "doctor", "--json").stdout)}

    assert set(checks.values()) == {"ok"}, checks


def test_doctor_tells_of_each_file_of_settings_what_is_wrong_in_it(vault: Path) -> None:
    own = Path(os.environ["XDG_CONFIG_HOME"]) / "knapper/config.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[links]\nstyle = "fancy"\n')
    (vault / ".knapper.toml").write_text('[index]\nexclud = ["Diary/"]\n')
    checks = {check["name"]: check["message"] for check in json.loads(run(vault, "doctor", "--json").stdout)}

    assert checks["settings"].startswith("The setting knapper.links.style should be one of ")
    assert checks["vault settings"] == "There is no setting index.exclud."


def test_doctor_names_what_is_wrong(vault: Path) -> None:
    (vault / ".obsidian/app.json").write_text("{", encoding="utf-8")
    (vault / "latin.md").write_bytes(b"caf\xe9\n")
    run(vault, "index")

    checks = {check["name"]: check["level"] for check in json.loads(run(vault, "doctor", "--json").stdout)}

    assert {name for name, level in checks.items() if level == "warn"} == {"obsidian", "notes"}


def test_an_index_that_another_process_keeps_is_read_as_it_is(vault: Path) -> None:
    run(vault, "index")
    folder = Path(json.loads(run(vault, "status", "--json").stdout)["index"]["path"]).parent
    owner = Ownership(folder)
    assert owner.acquire()
    try:
        (vault / "New.md").write_text("[[Bread]]", encoding="utf-8")
        seen, rebuilt = run(vault, "orphans"), run(vault, "rebuild")
        status = json.loads(run(vault, "status", "--json").stdout)
    finally:
        owner.release()

    assert (seen.stdout, seen.exit_code) == ("Alone.md\n", 0)
    assert (
        seen.stderr == f"Another process ({os.getpid()}) keeps this index up to date; it was read as it is.\n"
    )
    assert rebuilt.exit_code == 2
    assert status["index"]["owner"] == os.getpid()


def test_a_damaged_index_is_rebuilt_and_told_of(vault: Path) -> None:
    before = run(vault, "links", "--json").stdout
    database = Path(json.loads(run(vault, "status", "--json").stdout)["index"]["path"])
    database.write_bytes(b"not a database " * 1000)

    doctor, after = run(vault, "doctor"), run(vault, "links", "--json")

    assert doctor.exit_code == 1
    assert "fail  index: " in doctor.output
    assert after.stdout == before
    assert "was damaged" in after.stderr


def test_rebuild_builds_the_same_index_anew(vault: Path) -> None:
    before = run(vault, "links", "--json").stdout

    assert run(vault, "rebuild").output.startswith("4 notes indexed anew")
    assert run(vault, "links", "--json").stdout == before
