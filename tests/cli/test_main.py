"""What holds for the whole command line: help, exit codes, completion, bad input."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from knapper.cli.main import COMMANDS, knapper
from tests.cli.transcript import check_transcript, run

KNAPPER = (sys.executable, "-m", "knapper")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_page(tmp_path: Path, name: str) -> None:
    result = run(tmp_path, name, "--help")

    assert result.exit_code == 0
    assert result.output.startswith("Usage:")


def test_help_lists_every_command_with_one_sentence(tmp_path: Path) -> None:
    output = run(tmp_path, "--help").output

    for name, about in COMMANDS.items():
        assert f"{name} " in output
        assert about in output


def test_help_loads_no_server_and_no_index() -> None:
    script = (
        "import sys; from knapper.cli.main import knapper; knapper(['--help'], standalone_mode=False);"
        "heavy = ('knapper.lsp', 'knapper.index', 'knapper.vault', 'numpy', 'pygls', 'sqlite3');"
        "print([name for name in sys.modules if name.startswith(heavy)])"
    )
    seen = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert seen.stdout.strip().split("\n")[-1] == "[]"


def test_bad_input_is_answered_in_words(vault: Path) -> None:
    check_transcript(
        vault,
        """
        $ knapper links --vault VAULT/nowhere
        Error: There is no folder VAULT/nowhere.
        [2]
        $ knapper links --vault VAULT/Bread.md
        Error: VAULT/Bread.md is no folder but a file; --vault takes the folder of a vault.
        [2]
        $ knapper serve --tcp elsewhere
        Error: --tcp takes HOST:PORT or PORT, not elsewhere.
        [2]
        $ knapper serve --stdio --tcp 7777
        Error: Choose one of --stdio and --tcp.
        [2]
        """,
    )


def test_the_home_folder_is_no_vault(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(vault))

    result = run(vault, "links", "--vault", str(vault))

    assert result.exit_code == 2
    assert "home folder" in result.output


def test_the_vault_is_the_nearest_one_upwards(vault: Path) -> None:
    assert run(vault / "Diary", "orphans").output == "Alone.md\n"


def test_a_note_is_named_by_its_path_from_here(vault: Path) -> None:
    assert run(vault / "Diary", "backlinks", "../Bread.md").output == run(vault, "backlinks", "Bread").output


def test_a_reader_that_has_had_enough_is_no_error(vault: Path) -> None:
    notes = "".join(f"[[Missing {number}]]\n" for number in range(3_000))
    (vault / "many.md").write_text(notes, encoding="utf-8")
    with subprocess.Popen(
        [*KNAPPER, "links", "--vault", str(vault)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        complaint = process.stderr.read()

    assert (process.returncode, complaint) == (1, b"")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(tmp_path: Path, shell: str) -> None:
    result = run(tmp_path, "completion", shell)

    assert result.exit_code == 0
    assert "_KNAPPER_COMPLETE" in result.output


def test_a_shell_completes_commands_and_options_quickly() -> None:
    def completed(words: str) -> list[str]:
        asked = {
            "_KNAPPER_COMPLETE": "fish_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": words.rpartition(" ")[2],
        }
        seen = subprocess.run(KNAPPER, env=os.environ | asked, capture_output=True, text=True, check=True)
        return [line.partition(",")[2].partition("\t")[0] for line in seen.stdout.split("\n") if "," in line]

    assert completed("knapper un") == ["unresolved"]
    assert completed("knapper re") == ["related", "rebuild"]
    assert "--explain" in completed("knapper search --e")


def test_colours_are_for_terminals_only(vault: Path) -> None:
    plain = subprocess.run([*KNAPPER, "orphans", "--vault", str(vault)], capture_output=True, check=True)

    assert plain.stdout == b"Alone.md\n"
    assert plain.stderr == b""


def test_the_command_is_called_knapper() -> None:
    assert knapper.name == "knapper"
