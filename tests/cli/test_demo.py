"""The demo: the real server answers it, and it fails when a server does not do as it should."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import knapper
from knapper.cli.demo_client import Client, Misbehaved

EXAMPLE = Path(__file__).parents[2] / "examples" / "vault"


def test_the_demo_shows_what_a_person_sees_and_changes_nothing(vault: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in EXAMPLE.rglob("*")}
    seen = subprocess.run(
        [sys.executable, "-m", "knapper", "demo", "--vault", str(EXAMPLE)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert (seen.returncode, seen.stderr) == (0, "")
    headings = [line.partition("  ")[0] for line in seen.stdout.split("\n") if line and line[0] != " "]
    assert headings == ["The vault", "Completion", "Hover", "Backlinks", "Search", "Diagnostics"]
    assert "accepted" in seen.stdout
    assert {path: path.stat().st_mtime_ns for path in EXAMPLE.rglob("*")} == before
    assert list(vault.parent.rglob("usage.jsonl")) == []


def test_where_there_is_no_example_a_vault_is_asked_for(tmp_path: Path) -> None:
    """An installed package has no examples."""
    shutil.copytree(Path(knapper.__file__).parent, tmp_path / "lib/site-packages/knapper")
    found = subprocess.run(
        [sys.executable, "-m", "knapper", "demo"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "lib/site-packages")},
    )

    assert (found.returncode, found.stderr) == (
        2,
        "Error: The example vault is in the project's folder only; name a vault with --vault.\n",
    )


ANSWER = """
import json, sys
body = json.dumps({%s}).encode()
sys.stdin.buffer.readline()
sys.stdout.buffer.write(b"Content-Length: %%d\\r\\n\\r\\n%%s" %% (len(body), body))
sys.stdout.buffer.flush()
sys.stdin.buffer.read()
"""


@pytest.mark.parametrize(
    ("server", "said"),
    [
        ("", "the server ended while initialize was waited for"),
        ("print('no protocol')", "the server ended while initialize was waited for"),
        ("import sys; sys.stdin.read()", "the server said nothing about initialize for 1 s"),
        (
            ANSWER % '"id": 1, "error": {"code": -32603, "message": "it hurts"}',
            "the server refused initialize: it hurts",
        ),
    ],
)
def test_a_server_that_misbehaves_is_told_of(server: str, said: str) -> None:
    with (
        pytest.raises(Misbehaved, match=said),
        Client([sys.executable, "-c", server], {}, patience=1) as client,
    ):
        client.request("initialize", {})


def test_an_empty_vault_ends_the_demo_with_a_sentence(tmp_path: Path) -> None:
    seen = subprocess.run(
        [sys.executable, "-m", "knapper", "demo", "--vault", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert seen.returncode == 1
    assert seen.stderr.startswith("Error: The demo stopped: there is no note in ")
