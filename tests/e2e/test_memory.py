"""What a person gets of the vault's memory, in an editor with no code of ours, with a real model."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.raw_client import RawClient, raw_client, vault
from tests.model import lay_out_constant_reranker, lay_out_lexical_reranker, lay_out_model

NOTES = {
    "Kitten.md": "Our young tomcat naps on the sofa and chases mice in the garden.\n",
    "Tabby.md": "A small cat sleeps upon a couch all day and hunts rodents.\n",
    "Sourdough.md": "A loaf of bread with a crisp crust, baked from flour, water and salt.\n",
    "Hound.md": "A puppy barks at the postman and fetches sticks from the river.\n",
    "Saturn.md": "The rings of the planet are seen best through a large telescope.\n",
    "Galaxy.md": "Astronomers count billions of stars beyond the Milky Way.\n",
    "Tax.md": "The annual return of income is due in May; keep every receipt.\n",
    "Invoice.md": "Customers pay their bills within thirty days by bank transfer.\n",
}
CLIENT: dict[str, Any] = {
    "workspace": {"codeLens": {"refreshSupport": True}},
    "window": {"showDocument": {"support": True}},
    "textDocument": {"hover": {"contentFormat": ["markdown"]}},
}
AT_START = {"line": 0, "character": 0}
EMBEDDING_S = 150.0
"""The index process is nice to all others: on a busy machine it takes its time."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return vault(tmp_path, NOTES)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    with raw_client(tmp_path) as client:
        yield client


def begin(client: RawClient, root: Path, model: Path, **settings: Any) -> None:
    client.answers["window/showDocument"] = lambda _: {"success": True}
    options = {"embeddings": {"model": str(model)}, "salience": {"enabled": False}, **settings}
    client.start(root, capabilities=CLIENT, options=options)


def embedded(client: RawClient) -> dict[str, Any]:
    """The status, once every passage has a vector."""
    return until(
        lambda: client.result("knapper/status", {}),
        lambda s: s["state"] == "ready" and not s["pending"] and s["chunks"] == s["embedded"] > 0,
    )


def until(look: Callable[[], Any], holds: Callable[[Any], object]) -> Any:
    end = time.monotonic() + EMBEDDING_S
    while not holds(seen := look()):
        assert time.monotonic() < end, seen
        time.sleep(0.1)
    return seen


def by_meaning(client: RawClient, query: str) -> dict[str, Any]:
    """The answer of a hybrid search. A model at work may be late for one; the next one gets its vector."""
    return by_meaning_of(client, {"query": query, "explain": True})


def by_meaning_of(client: RawClient, search: dict[str, Any]) -> dict[str, Any]:
    return until(
        lambda: client.result("knapper/search", search),
        lambda answer: not any("in time" in remark for remark in answer["remarks"]),
    )


def lens(client: RawClient, uri: str) -> str:
    """The title of the lens with related notes, or nothing."""
    lenses = client.result("textDocument/codeLens", {"textDocument": {"uri": uri}})
    return "".join(c["command"]["title"] for c in lenses if c["command"]["command"] == "knapper.related")


def test_a_search_finds_by_meaning_what_words_do_not(client: RawClient, root: Path, model: Path) -> None:
    begin(client, root, model)
    status = embedded(client)
    by_words = client.result("knapper/search", {"query": "feline pet", "mode": "text"})
    found = by_meaning(client, "feline pet")

    assert (status["embedded"], status["notEmbedded"], status["model"]) == (len(NOTES), [], str(model))
    assert status["memory"]["index"] > 0
    assert by_words["items"] == []
    assert {item["path"] for item in found["items"][:2]} == {"Kitten.md", "Tabby.md"}
    for item in found["items"]:
        assert sum(stage["score"] for stage in item["trace"]) == pytest.approx(item["score"], abs=1e-4)
    assert by_meaning(client, "crisp crust")["items"][0]["path"] == "Sourdough.md"


def test_vaults_with_and_without_vectors_are_searched_together(
    client: RawClient, root: Path, model: Path, tmp_path: Path
) -> None:
    words = vault(
        tmp_path / "plain",
        {
            ".knapper.toml": "[embeddings]\nenabled = false\n",
            "Cat.md": "The cat, the cat, and the couch of the cat.\n",
            "Sofa.md": "A sofa on which now and then a cat sleeps for a while, as cats will do everywhere.\n",
            "Dog.md": "A dog that never met a cat.\n",
            "Rust.md": "Iron turns red in the rain.\n",
        },
    )
    client.answers["window/showDocument"] = lambda _: {"success": True}
    client.start(root, words, options={"embeddings": {"model": str(model)}, "salience": {"enabled": False}})
    query = {"query": "cat on a couch", "explain": True}

    def of_vault(folder: Path) -> list[str]:
        one = client.result("knapper/search", {**query, "vault": folder.as_uri()})
        assert not any("in time" in remark for remark in one["remarks"])
        return [item["uri"] for item in one["items"]]

    def stages(item: dict[str, Any]) -> set[str]:
        return {stage["stage"] for stage in item["trace"]}

    until(
        lambda: client.result("knapper/status", {})["vaults"],
        lambda vaults: [(one["chunks"], one["embedded"]) for one in vaults] == [(8, 8), (4, 0)],
    )
    found = by_meaning_of(client, query)
    uris = [item["uri"] for item in found["items"]]
    meant = [item for item in found["items"] if item["vault"] == root.as_uri()]
    worded = [item for item in found["items"] if item["vault"] == words.as_uri()]

    assert {item["vault"] for item in found["items"][:2]} == {root.as_uri(), words.as_uri()}
    assert {item["path"] for item in meant[:2]} == {"Tabby.md", "Kitten.md"}
    assert [item["path"] for item in worded] == ["Cat.md", "Sofa.md", "Dog.md"]
    assert all("meaning" in stages(item) for item in meant[:2])
    assert not any("meaning" in stages(item) for item in worded)
    for folder in (root, words):
        assert [uri for uri in uris if uri in of_vault(folder)] == [u for u in of_vault(folder) if u in uris]
    assert found["remarks"] == []


def test_an_unsaved_paragraph_is_found_by_its_meaning(client: RawClient, root: Path, model: Path) -> None:
    begin(client, root, model)
    embedded(client)
    uri = client.open(root / "Tax.md")
    client.change(uri, "Each weekday a crowded train brings commuters downtown.\n")
    client.wait_until_ready()
    embedded(client)

    found = by_meaning(client, "railway passengers")

    assert found["items"][0]["path"] == "Tax.md"
    assert (root / "Tax.md").read_text() == NOTES["Tax.md"]


def test_related_notes_by_meaning_come_as_a_lens_with_a_refresh(
    client: RawClient, root: Path, model: Path
) -> None:
    client.answers["window/showMessageRequest"] = lambda params: params["actions"][0]
    begin(client, root, model)
    uri = client.open(root / "Kitten.md")
    at_once = lens(client, uri)
    embedded(client)
    until(lambda: client.messages("workspace/codeLens/refresh"), bool)
    title = lens(client, uri)
    answer = client.result("knapper/related", {"uri": uri})
    at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 2}}
    run = {"command": "knapper.related", "arguments": [{"uri": uri, "show": True}]}
    client.result("workspace/executeCommand", run)
    shown = until(lambda: client.messages("window/showDocument"), bool)

    assert (at_once, title) == ("", "Related: Tabby")
    assert [(item["title"], item["why"]["by"]) for item in answer["items"]] == [("Tabby", "meaning")]
    assert shown[0]["params"]["uri"] == (root / "Tabby.md").as_uri()
    assert client.result("textDocument/hover", at) is None


def test_a_hover_on_a_link_tells_why_notes_are_related(client: RawClient, root: Path, model: Path) -> None:
    (root / "Plan.md").write_text("see [[Kitten]]\n")
    begin(client, root, model)
    uri = client.open(root / "Plan.md")
    embedded(client)
    at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 7}}

    hover = until(lambda: client.result("textDocument/hover", at), lambda h: "Related" in str(h))

    assert "- Tabby: A small cat sleeps upon a couch" in hover["contents"]["value"]


def test_the_lens_stays_while_somebody_types_and_follows_the_saved_text(
    client: RawClient, root: Path
) -> None:
    for name in ("Levain.md", "Rye.md"):
        (root / name).write_text("The levain wants rye flour, and the levain wants warmth.\n")
    (root / "Comet.md").write_text("A comet has a tail of dust; the comet returns.\n")
    (root / "Meteor.md").write_text("A comet is no meteor; a comet has a tail.\n")
    begin(client, root, Path(), embeddings={"enabled": False})
    uri = client.open(root / "Levain.md")
    client.wait_until_ready()
    before = until(lambda: lens(client, uri), bool)

    client.change(uri, (root / "Comet.md").read_text())
    client.wait_until_ready()
    meanwhile = lens(client, uri)
    (root / "Levain.md").write_text((root / "Comet.md").read_text())
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    after = until(lambda: lens(client, uri), lambda title: title != before)

    assert (before, meanwhile) == ("Related: Rye", "Related: Rye")
    assert "Comet" in after


def test_where_nothing_of_ours_can_be_written_everything_works_until_the_end(
    tmp_path: Path, root: Path, model: Path
) -> None:
    for name in ("cache", "state", "data", "config"):
        (tmp_path / name).write_text("A file where a folder should be.\n")
    with raw_client(tmp_path, environment={"TMPDIR": str(tmp_path)}) as client:
        begin(client, root, model)
        uri = client.open(root / "Tax.md")
        embedded(client)
        client.change(uri, "Each weekday a crowded train brings commuters downtown.\n")
        client.wait_until_ready()
        embedded(client)
        found = by_meaning(client, "railway passengers")
        client.result("textDocument/hover", {"textDocument": {"uri": uri}, "position": AT_START})
        related = client.result("knapper/related", {"uri": (root / "Kitten.md").as_uri()})
        topics = client.result("knapper/clusters", {})
        answer = client.result("knapper/ask", {"question": "When do trains bring commuters downtown?"})
        code = client.end()

    assert found["items"][0]["path"] == "Tax.md"
    assert related["items"][0]["path"] == "Tabby.md"
    assert topics["items"]
    assert answer["citations"][0]["path"] == "Tax.md"
    assert code == 0
    assert "Traceback" not in client.errors()
    assert "failed" not in client.errors()


def test_after_a_restart_nothing_is_embedded_again(tmp_path: Path, root: Path, model: Path) -> None:
    last: list[int] = []
    for _ in range(2):
        with raw_client(tmp_path) as client:
            begin(client, root, model)
            database = embedded(client)["index"]["path"]
            client.end()
        rows = sqlite3.connect(database)
        last += rows.execute("SELECT max(id) FROM embedding").fetchone()
        rows.close()
    assert last == [len(NOTES), len(NOTES)]


def test_what_is_edited_while_a_new_model_is_not_there_is_found_by_the_former_one(
    tmp_path: Path, root: Path, model: Path
) -> None:
    with raw_client(tmp_path) as client:
        begin(client, root, model)
        embedded(client)
        client.end()
    with raw_client(tmp_path) as client:
        begin(client, root, tmp_path / "not there yet")
        uri = client.open(root / "Tax.md")
        client.change(uri, "Each weekday a crowded train brings commuters downtown.\n")
        client.wait_until_ready()
        first = client.result("knapper/search", {"query": "railway passengers"})
        found = until(
            lambda: client.result("knapper/search", {"query": "railway passengers"}),
            lambda answer: answer["items"] and answer["items"][0]["path"] == "Tax.md",
        )
        reason = client.result("knapper/status", {})["modelReason"]

    assert first["remarks"]  # The former model is loaded by the first question that needs it.
    assert found["remarks"] == ["No note holds these words; these are near to them in meaning."]
    assert "not there yet" in reason


def test_switched_off_it_leaves_everything_as_it_is_by_words(client: RawClient, root: Path) -> None:
    begin(client, root, Path(), embeddings={"enabled": False}, lens={"related": False})
    uri = client.open(root / "Sourdough.md")
    client.wait_until_ready()
    status = client.result("knapper/status", {})
    search = {mode: client.result("knapper/search", {"query": "crust", "mode": mode}) for mode in MODES}

    assert (status["embedded"], status["model"], status["modelReason"]) == (0, None, None)
    assert [item["path"] for item in search["hybrid"]["items"]] == ["Sourdough.md"]
    assert search["hybrid"] == search["text"]
    assert search["semantic"]["items"] == search["text"]["items"]
    assert search["semantic"]["remarks"] == ["Search by meaning is switched off; this is full text."]
    assert lens(client, uri) == ""


MODES = ("hybrid", "text", "semantic")


def test_without_its_model_a_search_says_that_it_is_full_text(client: RawClient, root: Path) -> None:
    client.start(root)
    client.wait_until_ready()
    answer = until(
        lambda: client.result("knapper/search", {"query": "crust"}),
        lambda found: any("not downloaded" in remark for remark in found["remarks"]),
    )
    assert [item["path"] for item in answer["items"]] == ["Sourdough.md"]
    assert all(remark.endswith("This is full text.") for remark in answer["remarks"])


@pytest.mark.parametrize("works", [True, False])
def test_a_reranker_looks_a_second_time_and_a_broken_one_is_switched_off(
    client: RawClient, root: Path, tmp_path: Path, works: bool
) -> None:
    lay_out = lay_out_lexical_reranker if works else lay_out_constant_reranker
    folder = lay_out(tmp_path / "reranker")
    (root / "Crumbs.md").write_text("Crust, and nothing else.\n")
    begin(client, root, Path(), embeddings={"enabled": False}, reranker={"model": str(folder)})
    client.wait_until_ready()

    answer = until(
        lambda: client.result("knapper/search", {"query": "crust of bread", "explain": True}),
        lambda found: not any("loaded" in said or "in time" in said for said in found["remarks"]),
    )
    status = client.result("knapper/status", {})

    stages = {stage["stage"] for item in answer["items"] for stage in item["trace"]}
    assert ("reranker" in stages) == works
    assert status["reranker"] == (str(folder) if works else None)
    assert ("the same" in str(status["rerankerReason"])) == (not works)
    assert any("reranker was left out" in said for said in answer["remarks"]) == (not works)


def test_a_download_that_fails_is_told_in_a_sentence_and_may_be_asked_for_again(
    client: RawClient, root: Path
) -> None:
    client.start(root)
    client.wait_until_ready()
    run = {"command": "knapper.fetchModel", "arguments": [{}]}
    for _ in range(2):
        error = client.request("workspace/executeCommand", run)["error"]
        assert error["code"] == -32803
        assert error["message"].endswith(".")
        assert "\n" not in error["message"]


def test_where_nothing_can_be_downloaded_nobody_is_asked(client: RawClient, tmp_path: Path) -> None:
    root = vault(tmp_path, {f"{n}.md": f"Note number {n}\n" for n in range(70)})
    client.start(root)
    client.wait_until_ready()
    until(lambda: client.result("knapper/status", {})["modelReason"], bool)
    time.sleep(0.5)
    assert client.messages("window/showMessageRequest") == []


def test_the_download_is_offered_again_after_a_week_and_never_after_never(tmp_path: Path) -> None:
    root = vault(tmp_path, {f"{n}.md": f"Note number {n}\n" for n in range(70)})
    marker = tmp_path / "state" / "knapper" / "model-offered"
    day = date.today()  # noqa: DTZ011 -- The server asks the machine's clock too.

    def asked(answer: int | None) -> list[list[str]]:
        """The choices of the questions that a session of its own asks; it answers with one of them or not."""
        choose = lambda params: None if answer is None else params["actions"][answer]  # noqa: E731
        with raw_client(tmp_path, environment={"HF_HUB_OFFLINE": ""}) as client:
            client.answers["window/showMessageRequest"] = choose
            client.start(root)
            client.wait_until_ready()
            until(lambda: client.result("knapper/status", {})["modelReason"], bool)
            time.sleep(0.7)
            said = [m["params"] for m in client.messages("window/showMessageRequest")]
            client.end()
        assert all("67 MB" in question["message"] or "147 MB" in question["message"] for question in said)
        return [[action["title"] for action in question["actions"]] for question in said]

    def days_pass(days: int) -> None:
        name, answer, *_ = marker.read_text().split("\n")
        marker.write_text(f"{name}\n{answer}\n{day - timedelta(days=days)}\n")

    question = ["Download", "Not now", "Never"]
    assert asked(1) == [question]
    assert marker.read_text().split("\n")[1:] == ["Not now", str(day), ""]
    assert asked(1) == []
    days_pass(6)
    assert asked(1) == []
    days_pass(7)
    assert asked(None) == [question]  # No answer is “Not now”.
    assert marker.read_text().split("\n")[1:] == ["Not now", str(day), ""]
    days_pass(8)
    assert asked(2) == [question]
    days_pass(4000)
    assert asked(0) == []


def test_a_note_counts_as_used_once_somebody_works_in_it(
    client: RawClient, root: Path, tmp_path: Path
) -> None:
    client.start(root, options={"embeddings": {"enabled": False}})
    client.open(root / "Tax.md")
    worked_in = client.open(root / "Hound.md")
    edited = client.open(root / "Galaxy.md")
    client.wait_until_ready()
    client.result("knapper/search", {"query": "telescope"})
    for _ in range(2):
        at = {"textDocument": {"uri": worked_in}, "position": {"line": 0, "character": 0}}
        client.result("textDocument/hover", at)
        client.change(edited, "Other stars.\n")
    files = [{"oldUri": worked_in, "newUri": (root / "Dog.md").as_uri()}]
    (root / "Hound.md").rename(root / "Dog.md")
    client.notify("workspace/didRenameFiles", {"files": files})
    client.wait_until_ready()
    client.end()

    journal = next(tmp_path.glob("state/**/usage.jsonl"))
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [(line["did"], line["path"], line.get("to")) for line in lines] == [
        ("opened", "Hound.md", None),
        ("opened", "Galaxy.md", None),
        ("renamed", "Hound.md", "Dog.md"),
    ]


def test_the_use_of_notes_follows_a_vault_that_is_moved(tmp_path: Path, root: Path) -> None:
    settings = {"embeddings": {"enabled": False}}
    with raw_client(tmp_path) as client:
        client.start(root, options=settings)
        uri = client.open(root / "Hound.md")
        client.wait_until_ready()
        at = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        client.result("textDocument/hover", at)
        client.end()
    (old,) = tmp_path.glob("state/**/usage.jsonl")
    moved = root.rename(tmp_path / "moved")
    with raw_client(tmp_path) as client:
        client.start(moved, options=settings)
        client.wait_until_ready()
        until(lambda: len(list(tmp_path.glob("state/**/usage.jsonl"))), lambda count: count == 2)
        client.end()

    (new,) = {*tmp_path.glob("state/**/usage.jsonl")} - {old}
    assert new.parent.name.startswith("moved-")
    assert new.read_bytes() == old.read_bytes()


def test_links_are_suggested_to_notes_that_are_named(client: RawClient, root: Path) -> None:
    text = "Plans\n\nThe Hound and the [[Kitten]] watch Saturn.\n"
    (root / "Plans.md").write_text(text)
    client.start(root, options={"embeddings": {"enabled": False}})
    uri = client.open(root / "Plans.md")
    client.wait_until_ready()
    here = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 12}}

    whole = client.result("knapper/suggestLinks", {"uri": uri})["items"]
    part = client.result("knapper/suggestLinks", {"uri": uri, "range": here})["items"]

    assert {item["path"] for item in whole if item["by"] == "title"} == {"Hound.md", "Saturn.md"}
    assert [item["path"] for item in part if item["by"] == "title"] == ["Hound.md"]
    assert part[0]["range"] == {"start": {"line": 2, "character": 4}, "end": {"line": 2, "character": 9}}


def test_a_change_of_the_weight_of_daily_notes_counts_at_once(client: RawClient, root: Path) -> None:
    (root / "2024-05-07.md").write_text("Saturn and the rings of the planet, seen through the telescope.\n")
    client.start(root, options={"embeddings": {"enabled": False}})
    uri = client.open(root / "Saturn.md")
    client.wait_until_ready()
    found = []
    for weight in (0.8, 0.7, 0):
        settings = {"knapper": {"related": {"dailyWeight": weight}}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        client.wait_until_ready()
        items = client.result("knapper/related", {"uri": uri})["items"]
        found.append([(item["path"], item["why"]["factor"]) for item in items])

    assert found == [[("2024-05-07.md", 0.8)], [("2024-05-07.md", 0.7)], []]


def test_topics_are_listed_and_told_in_the_graph(client: RawClient, tmp_path: Path) -> None:
    bread = {f"Loaf {n}.md": f"Bread dough with flour, baked in the oven for {n} hours.\n" for n in range(6)}
    stars = {f"Star {n}.md": f"Telescope and galaxy, seen at night {n} times.\n" for n in range(6)}
    root = vault(tmp_path, bread | stars)
    client.start(root, options={"embeddings": {"enabled": False}})
    client.wait_until_ready()
    topics = client.result("knapper/clusters", {})["items"]
    graph = client.result("knapper/graph", {"clusters": True})

    assert sorted(sorted(note["path"] for note in topic["notes"]) for topic in topics) == [
        sorted(bread),
        sorted(stars),
    ]
    assert all(topic["label"] and topic["words"] and topic["vault"] == root.as_uri() for topic in topics)
    labels = {note["path"]: topic["label"] for topic in topics for note in topic["notes"]}
    assert {node["path"]: node["cluster"] for node in graph["nodes"]} == labels


def test_topics_are_kept_over_a_restart_and_follow_the_notes(tmp_path: Path) -> None:
    bread = {f"Loaf {n}.md": f"Bread dough with flour, baked in the oven for {n} hours.\n" for n in range(6)}
    stars = {f"Star {n}.md": f"Telescope and galaxy, seen at night {n} times.\n" for n in range(6)}
    root = vault(tmp_path, bread | stars)
    found, written = [], []
    for _ in range(2):
        with raw_client(tmp_path) as client:
            client.start(root, options={"embeddings": {"enabled": False}})
            client.wait_until_ready()
            found.append(client.result("knapper/clusters", {}))
            (kept,) = tmp_path.glob("cache/**/topics.json")
            written.append(kept.stat().st_mtime_ns)
            if len(found) == 2:
                (root / "Star 1.md").write_text(bread["Loaf 1.md"])
                (root / "Star 9.md").write_text(stars["Star 2.md"])
                paths = [{"uri": (root / name).as_uri(), "type": 1} for name in ("Star 1.md", "Star 9.md")]
                client.notify("workspace/didChangeWatchedFiles", {"changes": paths})
                client.wait_until_ready()
                changed = client.result("knapper/clusters", {})["items"]
            client.end()

    assert found[0] == found[1]
    assert written[0] == written[1]
    topic = {note["path"]: one["label"] for one in changed for note in one["notes"]}
    assert topic["Star 9.md"] == topic["Star 2.md"] != topic["Loaf 1.md"] == topic["Star 1.md"]
