"""`knapper related` and `knapper clusters`, as a person sees them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.transcript import check_transcript, run


def test_related_notes_come_with_their_passage_and_why(vault: Path) -> None:
    (vault / "Rye.md").write_text("#kitchen/baking\n\nFeed a sourdough starter of rye.\n", encoding="utf-8")
    check_transcript(
        vault,
        """
        $ knapper related Bread
        Rye.md:1  0.52  Rye
            #kitchen/baking Feed a sourdough starter of rye.
            shares Starter, Feed, sourdough; #kitchen/baking
        Oven.md:1  0.36  Oven
            The oven needs [[Bread]] and ![[Bread#Starter]]. See [[Missing note]].
            shares Bread, Starter; linked
        No passage of the note has a vector yet; these are related by their words.
        $ knapper related Alone
        No other note is related to it.
        [1]
        $ knapper related Brad
        Error: There is no note called Brad in VAULT.
        [2]
        """,
    )


def test_related_notes_as_json_tell_the_same(vault: Path) -> None:
    (vault / "Rye.md").write_text("#kitchen/baking\n\nFeed a sourdough starter of rye.\n", encoding="utf-8")
    found = json.loads(run(vault, "related", "Bread", "--json").stdout)
    (item,) = (one for one in found if one["path"] == "Rye.md")

    assert item["title"] == "Rye"
    assert item["uri"] == (vault / "Rye.md").as_uri()
    assert item["why"]["there"]["range"]["end"] == {"line": 2, "character": 32}
    assert run(vault, "related", "Alone", "--json").stdout == "[]\n"


def test_clusters_name_topics_and_their_notes(vault: Path) -> None:
    for number in range(6):
        (vault / f"Hive {number}.md").write_text(
            f"The hive and its queen swarm. {number}\n", encoding="utf-8"
        )
    found = json.loads(run(vault, "clusters", "--json").stdout)

    hives = next(one for one in found if "Hive 1.md" in one["notes"])
    assert sorted(hives["notes"]) == [f"Hive {number}.md" for number in range(6)]
    assert hives["label"].split(", ")[0] == "Hive"
    assert "  6 notes" in run(vault, "clusters").output


def test_a_vault_of_few_notes_has_no_topics(vault: Path) -> None:
    for path in ("Oven.md", "Alone.md"):
        (vault / path).unlink()
    check_transcript(
        vault,
        """
        $ knapper clusters
        There are too few notes to find topics in.
        [1]
        """,
    )


def test_daily_notes_weigh_what_the_setting_says(vault: Path, tmp_path: Path) -> None:
    def factors() -> dict[str, float]:
        found = json.loads(run(vault, "related", "Oven", "--json").stdout)
        return {item["path"]: item["why"]["factor"] for item in found}

    (vault / ".obsidian" / "daily-notes.json").write_text('{"folder": "Diary"}', encoding="utf-8")
    usual = factors()
    config = tmp_path / "own" / "XDG_CONFIG_HOME" / "knapper" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[related]\ndailyWeight = 1.1\n", encoding="utf-8")
    heavy = factors()
    config.write_text("[related]\ndailyWeight = 0\n", encoding="utf-8")
    without = factors()

    assert usual == {"Bread.md": 1.0, "Diary/2024-05-01.md": 0.8}
    assert heavy == {"Bread.md": 1.0, "Diary/2024-05-01.md": 1.1}
    assert without == {"Bread.md": 1.0}
