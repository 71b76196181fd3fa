"""The log of what is sent: every line whole, nothing of the notes' text, and nothing sent without it."""

from __future__ import annotations

import json
import os
import re
import stat
import threading
from pathlib import Path

import pytest
from filelock import FileLock

from knapper.memory import egress
from knapper.memory.answer import Sent
from knapper.memory.egress import EgressLog, egress_file
from knapper.models.providers.ports import ProviderError
from knapper.vault.paths import NotePath

SENT = Sent("example.org", (NotePath("Bread.md"), NotePath("a\udc80.md")), 3, 1200, 400)


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text().split("\n")[:-1]]


def test_a_line_says_to_whom_of_what_and_how_much(tmp_path: Path) -> None:
    file = tmp_path / "state" / "sent.jsonl"
    EgressLog(file, "Garden").write(SENT, "anthropic", "model-1")
    (line,) = lines(file)

    assert str(line.pop("at")).endswith("+00:00")
    assert line == {
        "host": "example.org",
        "provider": "anthropic",
        "model": "model-1",
        "vault": "Garden",
        "notes": ["Bread.md", "a\udc80.md"],
        "passages": 3,
        "characters": 1200,
        "tokens": 400,
    }
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_torn_line_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "sent.jsonl"
    file.write_text('{"at": "torn')
    EgressLog(file).write(SENT, "openai", "m")

    torn, line, end = file.read_text().split("\n")
    assert (torn, json.loads(line)["provider"], end) == ('{"at": "torn', "openai", "")


def test_a_long_log_makes_room_for_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(egress, "LONGEST", 600)
    file = tmp_path / "sent.jsonl"
    for _ in range(6):
        EgressLog(file).write(SENT, "openai", "m")

    assert len(lines(file)) + len(lines(tmp_path / "sent.old.jsonl")) == 6
    assert file.stat().st_size <= 1000


def test_several_may_write(tmp_path: Path) -> None:
    file = tmp_path / "sent.jsonl"
    writers = [threading.Thread(target=lambda: EgressLog(file).write(SENT, "openai", "m")) for _ in range(8)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    assert len(lines(file)) == 8


def test_what_cannot_be_logged_is_an_error_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ProviderError) as error:
        EgressLog(tmp_path / "file" / "sent.jsonl").write(SENT, "openai", "m")

    assert re.fullmatch(
        r"Nothing was sent, for the log of what is sent cannot be written \([\w ]+\): check that Knapper's"
        r" state folder can be written and the disk is not full\.",
        str(error.value),
    )


def test_a_log_that_another_program_holds_is_waited_for_only_so_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(egress, "_PATIENCE", 0.05)
    file = tmp_path / "sent.jsonl"
    with FileLock(f"{file}.lock"), pytest.raises(ProviderError, match="another program holds it"):
        EgressLog(file).write(SENT, "openai", "m")

    assert not file.exists()


def test_the_log_lies_in_the_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    assert egress_file().name == "sent.jsonl"
