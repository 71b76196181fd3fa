"""Choosing, trying and showing who writes answers, against real servers on this machine."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backends.fail
import pytest
from click.testing import CliRunner

from knapper.cli.main import knapper
from knapper.models.providers.keys import key_file
from tests.cli.transcript import check_transcript, run
from tests.models.providers.streams import block, chat, chunk, messages
from tests.models.providers.test_keys import Keychain
from tests.models.providers.wire import Answer, document, stream, wire

KEY = "sk-secret-0123456789"
LOCAL = "http://localhost:11434/v1"


@pytest.fixture(autouse=True)
def keychain(vault: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Keychain]:
    """An empty keychain, and nobody's keys in the environment."""
    assert vault.is_dir()
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "KNAPPER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    before, one = keyring.get_keyring(), Keychain()
    keyring.set_keyring(one)
    yield one
    keyring.set_keyring(before)


@pytest.fixture
def no_keychain(keychain: Keychain) -> None:
    assert keychain.kept == {}
    keyring.set_keyring(keyring.backends.fail.Keyring())


def config() -> Path:
    return Path(os.environ["XDG_CONFIG_HOME"]) / "knapper/config.toml"


def written(text: str) -> None:
    config().parent.mkdir(parents=True, exist_ok=True)
    config().write_bytes(text.encode())


def set_provider(*arguments: str, key: str = "") -> str:
    """What `knapper provider set` says, with the exit code in front if it is not 0."""
    result = CliRunner().invoke(knapper, ["provider", "set", *arguments], input=f"{key}\n" if key else "")
    assert not result.exception or isinstance(result.exception, SystemExit)
    assert KEY not in result.output
    return f"[{result.exit_code}] {result.output}" if result.exit_code else result.output


def test_setting_a_provider_keeps_what_else_stands_in_the_settings(keychain: Keychain) -> None:
    written('# Mine.\n[links] # how they look\nstyle = "wikilink"\n\n[ask]\ncontext = 0 # all of it\n')

    assert set_provider("anthropic", "--model", "claude-x", key=KEY) == (
        "Anthropic writes answers now: claude-x at api.anthropic.com, with the key in the keychain.\n"
        "`knapper provider test` tries it.\n"
    )
    assert config().read_text() == (
        '# Mine.\n[links] # how they look\nstyle = "wikilink"\n\n'
        '[ask]\nprovider = "anthropic"\nmodel = "claude-x"\n'
    )
    assert keychain.kept == {("knapper", "anthropic"): KEY}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[ask]\nprovider = "compatible"\nmodel = "m"\nbaseUrl = "http://localhost:11434/v1"\n'),
        (
            '[knapper.ask]\nprovider = "none"\n',
            '[knapper.ask]\nprovider = "compatible"\nmodel = "m"\nbaseUrl = "http://localhost:11434/v1"\n',
        ),
        (
            'ask.provider = "none" # nobody\r\n"ask.model" = "old"\r\n',
            (
                'ask.provider = "compatible" # nobody\r\nask.model = "m"\r\n'
                'ask.baseUrl = "http://localhost:11434/v1"\r\n'
            ),
        ),
    ],
)
def test_settings_are_changed_where_they_stand(before: str, after: str) -> None:
    written(before)
    set_provider("compatible", "--model", "m", "--base-url", LOCAL)

    assert config().read_bytes().decode() == after


def test_settings_that_are_a_link_stay_one(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("# Mine.\n")
    mine.chmod(0o640)
    config().parent.mkdir(parents=True)
    config().symlink_to(mine)
    set_provider("compatible", "--model", "m", "--base-url", LOCAL)

    assert config().is_symlink()
    assert mine.read_text().startswith('# Mine.\n\n[ask]\nprovider = "compatible"\n')
    assert mine.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml", "own", "vault"]


def test_another_provider_takes_over_neither_model_nor_address() -> None:
    set_provider("compatible", "--model", "m", "--base-url", LOCAL, "--context", "9000")
    set_provider("--model", "n")
    same = config().read_text()
    set_provider("openrouter", "--model", "o", key=KEY)
    other = config().read_text()
    set_provider("none")

    assert 'model = "n"\nbaseUrl = "http://localhost:11434/v1"\ncontext = 9000\n' in same
    assert other.partition("[ask]")[2] == '\nprovider = "openrouter"\nmodel = "o"\n'
    assert config().read_text().partition("[ask]")[2] == "\n"


@pytest.mark.usefixtures("no_keychain")
def test_without_a_keychain_the_key_may_stand_in_a_file_of_its_own() -> None:
    chosen = ("openai", "--model", "gpt-x")

    assert set_provider(*chosen, key=KEY) == (
        "[2] Error: The provider is set, but its key could not be kept. This machine has no keychain. An"
        " environment variable or `knapper provider set --key-file` does without it.\n"
    )
    assert not key_file().exists()
    for option in ("--file", "--key-file"):
        assert set_provider(option, key=KEY) == (
            f"OpenAI writes answers now: gpt-x at api.openai.com, with the key in {key_file()}.\n"
            "`knapper provider test` tries it.\n"
        )
        assert json.loads(key_file().read_text()) == {"openai": KEY}
        assert key_file().stat().st_mode & 0o777 == 0o600
    assert KEY not in config().read_text()


def test_a_key_in_a_file_is_not_hidden_by_an_older_one_in_the_keychain(keychain: Keychain) -> None:
    set_provider("openai", "--model", "gpt-x", key="sk-older")
    set_provider("--file", key=KEY)

    assert keychain.kept == {}
    assert json.loads(key_file().read_text()) == {"openai": KEY}


def test_a_missing_key_is_told_and_the_rest_is_set() -> None:
    assert set_provider("anthropic", "--model", "claude-x") == (
        "Anthropic writes answers now: claude-x at api.anthropic.com.\n"
        "Anthropic wants a key: put it into ANTHROPIC_API_KEY, or `knapper provider set` sets one.\n"
    )


def test_a_key_in_the_environment_is_not_asked_for(
    keychain: Keychain, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

    assert set_provider("anthropic", "--model", "claude-x", key="sk-other").startswith(
        "Anthropic writes answers now: claude-x at api.anthropic.com,"
        " with the key in the environment variable ANTHROPIC_API_KEY.\n"
    )
    assert keychain.kept == {}


def test_wrong_choices_are_answered_in_words_and_change_nothing() -> None:
    told = [
        set_provider("openai"),
        set_provider("--model", "m"),
        set_provider("compatible", "--model", "m"),
        set_provider("compatible", "--model", "m", "--base-url", "http://models.example.org/v1"),
        set_provider("openai", "--model", "m", key="two words"),
    ]

    assert told == [
        "[2] Error: Name a model, as the provider calls it: `knapper provider set openai --model …`.\n",
        (
            "[2] Error: Say which provider: `knapper provider set` takes anthropic, openai, openrouter,"
            " compatible.\n"
        ),
        (
            "[2] Error: No address is set: put that of your model server into knapper.ask.baseUrl, for Ollama"
            " http://localhost:11434/v1.\n"
        ),
        (
            "[2] Error: The address in knapper.ask.baseUrl cannot be used: text of notes is sent without"
            " encryption to this machine only (127.0.0.1, localhost); use https:// for any other.\n"
        ),
        (
            "[2] Error: The key holds characters that no key has: copy it again into OPENAI_API_KEY, or"
            " `knapper provider set` sets one.\n"
        ),
    ]
    assert not config().exists()


def test_damaged_settings_are_left_alone() -> None:
    written("[ask\n")

    assert "is damaged" in set_provider("openai", "--model", "m", key=KEY)
    assert config().read_text() == "[ask\n"


def test_what_is_set_is_shown_without_the_key(vault: Path, keychain: Keychain) -> None:
    check_transcript(
        vault,
        f"""
        $ knapper provider show
        Nobody writes answers: questions are answered with quotes from the notes, and nothing is sent.
        settings are in {config()}
        """,
    )
    set_provider("openai", "--model", "gpt-x", key=KEY)
    check_transcript(
        vault,
        f"""
        $ knapper provider show
        provider  openai
        model     gpt-x
        host      api.openai.com
        context   -
        key       in the keychain
        settings are in {config()}
        """,
    )
    keychain.kept.clear()
    shown = json.loads(run(vault, "provider", "show", "--json").stdout)

    assert shown == {
        "provider": "openai",
        "model": "gpt-x",
        "host": "api.openai.com",
        "context": 0,
        "key": "",
        "problem": "OpenAI wants a key: put it into OPENAI_API_KEY, or `knapper provider set` sets one.",
        "remarks": [],
    }


def test_the_doctor_looks_for_the_key_and_asks_nobody(vault: Path, keychain: Keychain) -> None:
    def check() -> dict[str, str]:
        checks = json.loads(run(vault, "doctor", "--json").stdout)
        found: dict[str, str] = next(check for check in checks if check["name"] == "provider")
        return found

    with wire(stream(chat("ready"))) as server:
        nobody = check()
        set_provider("openai", "--model", "gpt-x", "--base-url", server.base, key=KEY)
        whole = check()
        keychain.kept.clear()
        missing = check()
        received = server.received

    assert received == []
    assert (nobody["level"], whole["level"], missing["level"]) == ("ok", "ok", "warn")
    assert whole["message"] == (
        f"gpt-x at {server.host} writes answers, its key is in the keychain."
        " `knapper provider test` tries it."
    )
    assert missing["message"].startswith("OpenAI wants a key: put it into OPENAI_API_KEY")


def test_a_vault_can_switch_the_provider_off(vault: Path) -> None:
    set_provider("openai", "--model", "gpt-x", key=KEY)
    (vault / ".knapper.toml").write_text('[ask]\nprovider = "none"\n')

    assert run(vault, "provider", "test").output == (
        "Error: Nobody writes answers: questions are answered with quotes from the notes, and nothing is"
        " sent. `knapper provider set` chooses a provider.\n"
    )


def test_a_key_is_forgotten(vault: Path, keychain: Keychain, monkeypatch: pytest.MonkeyPatch) -> None:
    set_provider("openai", "--model", "gpt-x", key=KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    check_transcript(
        vault,
        """
        $ knapper provider forget
        The key was removed from the keychain.
        The environment variable OPENAI_API_KEY still holds one.
        $ knapper provider forget anthropic
        No key is kept.
        [1]
        """,
    )
    assert keychain.kept == {}


@pytest.mark.parametrize(
    ("provider", "answer"),
    [
        ("anthropic", messages(block(0, "rea", "dy"))),
        ("openai", chat("rea", "dy")),
        ("compatible", chat("ready\x1b[2J")),
    ],
)
def test_a_provider_is_tried_with_one_word(vault: Path, provider: str, answer: str) -> None:
    with wire(stream(answer, 7)) as server:
        set_provider(provider, "--model", "m", "--base-url", server.base, key=KEY)
        tried = json.loads(run(vault, "provider", "test", "--json").stdout)
        said = run(vault, "provider", "test").output
        sent = server.received[0].body.decode()

    word = "“ready [2J”" if provider == "compatible" else "“ready”"
    tokens = (25, 15) if provider == "anthropic" else (11, 7)
    assert said.startswith(f"{server.host} answers after ")
    assert f": {word} ({tokens[0]} tokens in, {tokens[1]} tokens out)" in said
    assert {**tried, "seconds": 0} == {
        "host": server.host,
        "model": "m",
        "answer": word,
        "seconds": 0,
        "problem": "",
        "tokensIn": tokens[0],
        "tokensOut": tokens[1],
    }
    assert "sourdough" not in sent
    assert KEY not in sent


def test_a_server_that_counts_no_tokens_is_not_said_to_take_none(vault: Path) -> None:
    uncounted = chunk({"content": "ready"}) + chunk({}, "stop") + "data: [DONE]\n\n"
    with wire(stream(uncounted)) as server:
        set_provider("compatible", "--model", "m", "--base-url", server.base)
        said = run(vault, "provider", "test").stdout

    assert said.endswith(" s: “ready”\n")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            document(401, {"error": {"message": f"Incorrect API key: {KEY}"}}),
            (
                "OpenAI does not accept the key: check the one in OPENAI_API_KEY,"
                " or `knapper provider set` sets one."
            ),
        ),
        (
            document(404, {"error": {"message": "The model `m` does not exist", "code": "model_not_found"}}),
            "OpenAI does not offer the model m: set knapper.ask.model to another.",
        ),
        (
            document(200, "<html>Please log in</html>"),
            (
                "HOST answers with a web page (HTTP 200): it is no provider of models, or a proxy or"
                " login page stands before it; check knapper.ask.baseUrl and the network."
            ),
        ),
        (
            stream(chat("rea", finish=None, done=False), cut=True),
            "The answer stops here: the connection to HOST broke.",
        ),
    ],
)
def test_what_is_wrong_with_a_provider_is_one_sentence(vault: Path, answer: Answer, sentence: str) -> None:
    with wire(answer) as server:
        set_provider("openai", "--model", "m", "--base-url", server.base, key=KEY)
        result = run(vault, "provider", "test")

    assert (result.exit_code, result.output.replace(server.host, "HOST")) == (1, f"fails  {sentence}\n")


def test_a_server_that_is_not_there_is_said(vault: Path) -> None:
    with wire(Answer()) as server:
        set_provider("compatible", "--model", "m", "--base-url", server.base)
    result = run(vault, "provider", "test")

    assert result.output == (
        f"fails  Nothing answers at {server.host}: start the model server there,"
        " or check knapper.ask.baseUrl.\n"
    )


def test_on_a_terminal_model_and_key_are_asked_for_and_the_key_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a terminal of its own, and no keychain, which would be the person's."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    command = [sys.executable, "-m", "knapper", "provider", "set", "openai", "--file"]
    terminal, its_end = pty.openpty()
    process = subprocess.Popen(command, stdin=its_end, stdout=its_end, stderr=its_end, start_new_session=True)
    os.close(its_end)
    seen = _until(terminal, "calls it: ")
    os.write(terminal, b"gpt-x\n")
    seen += _until(terminal, "(Enter for none): ")
    os.write(terminal, f"{KEY}\n".encode())
    seen += _until(terminal, "tries it.")
    code = process.wait()
    os.close(terminal)

    assert code == 0
    assert KEY not in seen
    assert "OpenAI writes answers now: gpt-x at api.openai.com" in seen
    assert json.loads(key_file().read_text()) == {"openai": KEY}


def _until(terminal: int, sign: str) -> str:
    """What the program prints until *sign* is there."""
    seen = b""
    while sign.encode() not in seen:
        seen += os.read(terminal, 1024)
    return seen.decode()
