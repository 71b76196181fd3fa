"""What no model, vault or query should be: the real server answers, or says in a sentence what is wrong."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.raw_client import RawClient, raw_client, vault
from tests.model import lay_out_model

EMBEDDING_S = 150.0
ALIKE = "The same few words about bread, flour and water.\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out_model(tmp_path_factory.mktemp("model"))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[RawClient]:
    with raw_client(tmp_path) as client:
        yield client


def until(look: Callable[[], Any], holds: Callable[[Any], object]) -> Any:
    end = time.monotonic() + EMBEDDING_S
    while not holds(seen := look()):
        assert time.monotonic() < end, seen
        time.sleep(0.1)
    return seen


def begin(client: RawClient, root: Path, model: Path) -> None:
    client.start(root, options={"embeddings": {"model": str(model)}, "salience": {"enabled": False}})


def embedded(client: RawClient) -> dict[str, Any]:
    """The status, once every passage has a vector."""
    return until(
        lambda: client.result("knapper/status", {}),
        lambda s: s["state"] == "ready" and not s["pending"] and s["model"] and s["chunks"] == s["embedded"],
    )


def search(client: RawClient, query: str, mode: str = "hybrid") -> dict[str, Any]:
    """The answer; a model that is at work may be late for one, the next one gets its vector."""
    return until(
        lambda: client.result("knapper/search", {"query": query, "mode": mode}),
        lambda answer: not any("in time" in said for said in answer["remarks"]),
    )


def asked(client: RawClient, root: Path, notes: Mapping[str, str], model: Path) -> dict[str, Any]:
    """How many items each request gives in a vault of *notes* whose passages all have vectors."""
    begin(client, root, model)
    embedded(client)
    counts = {mode: len(search(client, "flour", mode)["items"]) for mode in ("text", "semantic", "hybrid")}
    for path in notes:
        uri = client.open(root / path)
        counts[path] = len(client.result("knapper/related", {"uri": uri})["items"])
    return counts | {"topics": len(client.result("knapper/clusters", {})["items"])}


@pytest.mark.parametrize(
    ("break_it", "said"),
    [
        (lambda folder: (folder / "tokenizer.json").unlink(), "has no tokenizer.json."),
        (
            lambda folder: (folder / "config.json").write_text(json.dumps({"hidden_size": 512})),
            "says that its vectors have 512 dimensions; they have 384.",
        ),
    ],
    ids=["no tokenizer", "other dimensions"],
)
def test_a_model_folder_that_is_broken_is_named_and_words_answer(
    client: RawClient, tmp_path: Path, model: Path, break_it: Callable[[Path], object], said: str
) -> None:
    folder = shutil.copytree(model, tmp_path / "broken")
    break_it(folder)
    begin(client, vault(tmp_path, {"Bread.md": ALIKE}), folder)
    client.wait_until_ready()
    status = until(lambda: client.result("knapper/status", {}), lambda s: said in str(s["modelReason"]))
    answer = until(lambda: search(client, "flour"), lambda answer: said in str(answer["remarks"]))

    assert (status["model"], status["embedded"]) == (None, 0)
    assert [item["path"] for item in answer["items"]] == ["Bread.md"]
    assert answer["remarks"] == [f"The model folder {folder} {said} This is full text."]


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ({}, {"text": 0, "semantic": 0, "hybrid": 0, "topics": 0}),
        ({"Empty.md": ""}, {"text": 0, "semantic": 1, "hybrid": 1, "Empty.md": 0, "topics": 0}),
        ({"One.md": ALIKE}, {"text": 1, "semantic": 1, "hybrid": 1, "One.md": 0, "topics": 0}),
    ],
    ids=["no note", "an empty note", "one note"],
)
def test_next_to_nothing_is_answered_with_next_to_nothing(
    client: RawClient, tmp_path: Path, model: Path, notes: dict[str, str], expected: dict[str, int]
) -> None:
    assert asked(client, vault(tmp_path, notes), notes, model) == expected


def test_notes_that_are_all_alike_are_all_found(client: RawClient, tmp_path: Path, model: Path) -> None:
    notes = {f"{number:02}.md": ALIKE for number in range(12)}
    counts = asked(client, vault(tmp_path, notes), notes, model)
    topics = counts.pop("topics")  # Their names alone tell them apart.
    assert counts == {"text": 12, "semantic": 12, "hybrid": 12, **dict.fromkeys(notes, 10)}
    assert topics in range(1, 4)


def test_a_query_of_ten_thousand_words_or_of_stop_words_is_answered(
    client: RawClient, tmp_path: Path, model: Path
) -> None:
    notes = {"Bread.md": ALIKE, "Speech.md": "To be, or not to be, that is the question.\n"}
    begin(client, vault(tmp_path, notes), model)
    embedded(client)
    endless = "flour " + " ".join(f"word{number}" for number in range(10_000))
    for mode in ("text", "semantic", "hybrid"):
        answer = client.result(
            "knapper/search", {"query": endless, "mode": mode}
        )  # In time or by words alone.
        assert answer["items"][0]["path"] == "Bread.md"
        assert search(client, "to be or not to be", mode)["items"][0]["path"] == "Speech.md"


@pytest.mark.parametrize(("words", "problems"), [(550_000, 0), (620_000, 1)], ids=["5 MB", "6 MB"])
def test_a_note_of_one_endless_line_is_found_by_its_first_five_million_characters(
    client: RawClient, tmp_path: Path, words: int, problems: int
) -> None:
    said = "amber birch cedar delta ember flint grove heath inlet jetty".split()
    line = " ".join(f"{said[at % 10]}{at % 997}" for at in range(words)) + " wolframite"
    root = vault(tmp_path, {"Long.md": line, "Bread.md": ALIKE})
    client.start(root, options={"embeddings": {"enabled": False}})
    client.wait_until_ready()
    uri = client.open(root / "Bread.md")
    found = {
        query: [item["path"] for item in search(client, query)["items"]] for query in ("amber0", "wolframite")
    }

    assert 4_800_000 < len(line) < 6_000_000
    assert found == {"amber0": ["Long.md"], "wolframite": [] if problems else ["Long.md"]}
    assert client.result("knapper/related", {"uri": uri})["items"] == []
    assert len(client.result("knapper/status", {})["problems"]) == problems
