"""Questions on the command line, answered by real servers on this machine or by nobody."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import keyring.backends.fail
import pytest

from knapper.search.journal import journal_file
from tests.cli.transcript import check_transcript, run
from tests.models.providers.streams import chat, chunk
from tests.models.providers.wire import Answer, Silence, Wire, document, stream, wire

KEY = "sk-secret-0123456789"
HELD = "Feed the sourdough starter [1].\n"


@pytest.fixture(autouse=True)
def own_machine(vault: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No keychain, and nobody's keys but one for compatible servers."""
    assert vault.is_dir()
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setenv("KNAPPER_API_KEY", KEY)
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    yield
    keyring.set_keyring(before)


def choose(server: Wire) -> None:
    """Have *server* write the answers."""
    file = Path(os.environ["XDG_CONFIG_HOME"]) / "knapper/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f'[ask]\nprovider = "compatible"\nmodel = "m"\nbaseUrl = "{server.base}"\ncontext = 9000\n'
    )


def asked(vault: Path, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(vault, "ask", *arguments, "--json").stdout)
    return found


def test_without_a_provider_the_notes_are_quoted(vault: Path) -> None:
    result = run(vault, "ask", "how do I feed the sourdough starter?")
    found = asked(vault, "how do I feed the sourdough starter?")

    assert result.exit_code == 0
    assert result.stdout.count("Feed the sourdough starter.") == 1
    assert "\n[1] Bread.md:9  Bread" in result.stdout
    assert (found["provider"], found["sent"], found["complete"], found["inNotes"]) == (
        "none",
        None,
        True,
        True,
    )
    assert found["citations"][0]["path"] == "Bread.md"
    assert found["citations"][0]["uri"] == (vault / "Bread.md").as_uri()


def test_a_written_answer_is_printed_with_its_sources(vault: Path) -> None:
    with wire(stream(chat("Feed the sourdough", " starter [1].\n"), 9)) as server:
        choose(server)
        result = run(vault, "ask", "how do I feed the sourdough starter?")
        found = asked(vault, "how do I feed the sourdough starter?")
        bodies = [received.json for received in server.received]

    assert result.exit_code == 0
    assert result.stdout.startswith(
        "Feed the sourdough starter [1].\n\n"
        "[1] Bread.md:9  Bread › Starter\n    Feed the sourdough starter.\n"
    )
    assert f"Written by m at {server.host}, which was sent passages of " in result.stderr
    assert (found["answer"].strip(), found["provider"], found["model"]) == (HELD.strip(), "compatible", "m")
    assert found["sent"]["host"] == server.host
    assert "Bread.md" in found["sent"]["notes"]
    assert "Feed the sourdough starter." in str(bodies[0])
    assert KEY not in result.output + str(bodies)


def test_a_note_that_a_written_answer_cites_counts_as_used(vault: Path) -> None:
    with wire(stream(chat(HELD))) as server:
        choose(server)
        asked(vault, "how do I feed the sourdough starter?", "--no-provider")
        before = journal_file(vault).exists()
        asked(vault, "how do I feed the sourdough starter?")

    assert not before
    [line] = journal_file(vault).read_text().splitlines()
    assert {**json.loads(line), "day": ""} == {"day": "", "did": "cited", "path": "Bread.md"}


def test_what_the_notes_do_not_say_is_asked_of_nobody(vault: Path) -> None:
    with wire(stream(chat(HELD))) as server:
        choose(server)
        result = run(vault, "ask", "who won the chess tournament in Reykjavik?")
        received = server.received

    assert result.exit_code == 1
    assert "Your notes do not say" in result.stdout
    assert received == []


def test_nothing_is_sent_with_no_provider_or_in_a_dry_run(vault: Path) -> None:
    question = "how do I feed the sourdough starter?"
    with wire(stream(chat(HELD))) as server:
        choose(server)
        quoted = asked(vault, question, "--no-provider")
        tried = asked(vault, question, "--dry-run")
        shown = run(vault, "ask", question, "--dry-run").stdout
        before = list(server.received)
        asked(vault, question)
        body = server.received[0].json

    assert before == []
    assert quoted["provider"] == "none"
    assert (tried["host"], tried["provider"], tried["model"]) == (server.host, "compatible", "m")
    assert "Bread.md" in [passage["path"] for passage in tried["passages"]]
    assert shown.startswith(f"{server.host} (m) would be sent ")
    assert "Feed the sourdough starter." in shown
    assert set(json.loads(tried["body"])) == set(body)
    assert json.loads(tried["body"])["model"] == body["model"]


def test_a_dry_run_of_what_would_be_asked_of_nobody_says_so(vault: Path) -> None:
    (vault / "Diet.md").write_text("---\nprivate: true\n---\nThe allergist forbids me celery.\n")
    with wire(stream(chat(HELD))) as server:
        choose(server)
        private = run(vault, "ask", "--dry-run", "what does the allergist forbid me?")
        unknown = run(vault, "ask", "--dry-run", "who won the chess tournament in Reykjavik?")
        received = server.received

    assert private.stdout == unknown.stdout == f"Nothing would be sent to {server.host}.\n"
    assert "1 passage would not be sent, being private.\n" in private.stderr
    assert "Your notes do not say.\n" in unknown.stderr
    assert received == []


def test_a_dry_run_without_a_provider_says_that_nothing_is_sent(vault: Path) -> None:
    check_transcript(
        vault,
        """
        $ knapper ask --dry-run how do I feed the starter
        Error: Nobody writes answers, so nothing would be sent. `knapper provider set` changes that.
        [2]
        $ knapper ask " "
        Error: The question is empty: type one, as in `knapper ask when is the bread baked`.
        [2]
        $ knapper ask --note Breath how do I feed the starter
        Error: There is no note called Breath in VAULT.
        [2]
        """,
    )


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (document(401, {"error": {"message": KEY}}), "HOST does not accept the key"),
        (document(404, {"error": {"message": "model 'm' not found"}}), "HOST does not offer the model m"),
        (document(200, "<html>Please log in</html>"), "HOST answers with a web page (HTTP 200)"),
    ],
)
def test_a_provider_in_trouble_is_one_sentence(vault: Path, answer: Answer, sentence: str) -> None:
    with wire(answer) as server:
        choose(server)
        result = run(vault, "ask", "how do I feed the sourdough starter?")

    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"Error: {sentence}" in result.stderr.replace(server.host, "HOST")
    assert result.stderr.endswith(
        "With --no-provider the answer is made of quotes from the notes, and nothing is sent.\n"
    )
    assert KEY not in result.output


def test_an_answer_that_is_cut_off_is_kept_and_told(vault: Path) -> None:
    begun = chunk({"content": "Feed the sourdough starter [1].\nThen"})
    with wire(stream(begun, cut=True)) as server:
        choose(server)
        result = run(vault, "ask", "how do I feed the sourdough starter?")

    assert result.exit_code == 1
    assert result.stdout.startswith("Feed the sourdough starter [1].\n")
    assert f"The answer stops here: the connection to {server.host} broke." in result.stderr


def test_an_answer_commands_no_terminal(vault: Path) -> None:
    with wire(stream(chat("Feed\x1b[2J the sourdough starter [1].\n"))) as server:
        choose(server)
        result = run(vault, "ask", "how do I feed the sourdough starter?")

    assert "the sourdough starter" in result.stdout
    assert "\x1b" not in result.stdout


def test_an_answer_comes_from_a_part_of_the_vault(vault: Path) -> None:
    def paths(*scope: str) -> set[str]:
        found = asked(vault, "what needs the sourdough starter?", *scope)
        return {place["path"] for place in (*found["citations"], *found["alsoRetrieved"])}

    assert paths("--note", "Bread") == {"Bread.md"}
    assert paths("--tag", "kitchen") == {"Bread.md"}
    assert paths("--folder", "Diary/") <= {"Diary/2024-05-01.md"}
    assert "Bread.md" in paths("--linked", "Oven")
    assert "Alone.md" not in paths("--linked", "Oven")


@pytest.mark.parametrize("notes", [{}, {"Empty.md": ""}])
def test_a_vault_without_words_says_nothing(vault: Path, notes: dict[str, str]) -> None:
    other = vault.parent / "other"
    (other / ".obsidian").mkdir(parents=True)
    for name, text in notes.items():
        (other / name).write_text(text)
    result = run(other, "ask", "how do I feed the sourdough starter?")

    assert (result.exit_code, result.stdout.count("\n")) == (1, 1)


def test_words_are_printed_as_they_come_and_an_interrupt_hangs_up(vault: Path) -> None:
    begun = chunk({"content": "Feed the sourdough starter [1].\nThen wait"}).encode()
    headers = {"Content-Type": "text/event-stream"}
    with wire(Answer(headers=headers, parts=[begun, Silence()])) as server:
        choose(server)
        command = [sys.executable, "-m", "knapper", "ask", "how do I feed the sourdough starter?"]
        with subprocess.Popen(command, cwd=vault, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            assert process.stdout
            assert process.stderr
            first = process.stdout.readline()
            still_open = not server.hung_up.is_set()
            process.send_signal(signal.SIGINT)
            hung_up = server.hung_up.wait(10)
            rest = process.stderr.read().decode()
            code = process.wait(10)

    assert first.decode() == "Feed the sourdough starter [1].\n"
    assert (still_open, hung_up, code) == (True, True, 130)
    assert "Traceback" not in rest
