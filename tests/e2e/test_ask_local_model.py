"""`knapper ask` on the example vault, answered by a real model on this machine that nobody prepared.

It writes something else each time, for prompts differ by what encloses the notes: what is tested is what must
hold of every answer. How good they are is told in `tests/eval/local_model.md`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.local_model import MODEL, local_model

EXAMPLE = Path(__file__).parents[2] / "examples/vault"
OWN = ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
SENT = ("host", "notes", "passages", "characters", "tokens")
CONTEXT = 1000
"""Tokens: little, so that the prompt is soon read."""
QUESTION = "How long does the bulk rise take at 19 °C?"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with local_model(citing=True) as address:
        yield address


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str) -> Path:
    """The example vault, of somebody who has chosen the model."""
    for name in OWN:
        monkeypatch.setenv(name, str(tmp_path / "own" / name))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.delenv("KNAPPER_API_KEY", raising=False)
    root = shutil.copytree(EXAMPLE, tmp_path / "vault")
    chosen = ["--model", MODEL, "--base-url", address, "--context", str(CONTEXT)]
    assert knapper(root, "provider", "set", "compatible", *chosen).returncode == 0
    return root


def knapper(vault: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "knapper", *arguments]
    return subprocess.run(
        command, cwd=vault, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
    )


def asked(vault: Path, question: str) -> dict[str, Any]:
    result = knapper(vault, "ask", question, "--json")
    assert result.stdout, result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def logged() -> list[dict[str, Any]]:
    """What the log says of what was sent, as answers have it."""
    log = Path(os.environ["XDG_STATE_HOME"]) / "knapper/sent.jsonl"
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    return [{name: json.loads(line)[name] for name in SENT} for line in lines]


def test_an_answer_of_a_real_model_rests_on_words_that_stand_in_the_notes(vault: Path) -> None:
    answer = asked(vault, QUESTION)
    cited = {citation["number"]: citation for citation in answer["citations"]}
    markers = [int(number) for number in re.findall(r"\[(\d+)\]", answer["answer"])]

    assert (answer["provider"], answer["model"], answer["complete"]) == ("compatible", MODEL, True)
    assert list(dict.fromkeys(markers)) == sorted(cited)  # No marker without a source, and no other sources.
    assert markers or answer["unverified"] or not answer["inNotes"]  # It was made to cite in every sentence.
    for citation in cited.values():
        assert citation["quote"] in (vault / citation["path"]).read_text(encoding="utf-8")
        assert citation["path"] in answer["sent"]["notes"]
    assert "Kitchen/Bread.md" in answer["sent"]["notes"]
    assert logged() == [answer["sent"]]


def test_a_real_model_is_not_asked_what_the_notes_do_not_say(vault: Path) -> None:
    answer = asked(vault, "Who won the chess tournament in Reykjavik?")

    assert (answer["provider"], answer["sent"], answer["inNotes"]) == ("none", None, False)
    assert logged() == []


def test_a_real_model_is_tried_out_with_a_word(vault: Path, address: str) -> None:
    result = knapper(vault, "provider", "test")

    assert result.returncode == 0
    assert result.stdout.startswith(f"{address.removeprefix('http://')} answers after ")
