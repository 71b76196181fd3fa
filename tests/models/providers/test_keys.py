"""Where keys are found, where they are kept, and that a keychain that hangs holds nobody up."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import keyring
import keyring.backends.fail
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from knapper.models.providers.keys import (
    FoundKey,
    KeyTrouble,
    account,
    find_key,
    forget_key,
    keep_key,
    key_file,
    redact,
)

KEY = "sk-secret-0123456789"
HOST = "localhost:11434"
NO_KEYCHAIN = (
    "This machine has no keychain. An environment variable or `knapper provider set --key-file`"
    " does without it."
)


class Keychain(KeyringBackend):
    """A keychain in memory."""

    priority = 1.0  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class LockedKeychain(Keychain):
    """A keychain that says no, and quotes the key."""

    def get_password(self, *_: str) -> str | None:
        raise KeyringLocked(KEY)

    def set_password(self, *given: str) -> None:
        raise KeyringLocked(given[-1])


class HangingKeychain(Keychain):
    """A keychain that waits for somebody who is not there."""

    def __init__(self) -> None:
        super().__init__()
        self.freed = threading.Event()

    def get_password(self, *_: str) -> str | None:
        self.freed.wait(30)
        return None


@pytest.fixture(autouse=True)
def own_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nobody's keys, nobody's folder, and no keychain unless a test has one."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "KNAPPER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    before = keyring.get_keyring()
    keyring.set_keyring(keyring.backends.fail.Keyring())
    yield
    keyring.set_keyring(before)


def with_keychain(one: Keychain) -> Keychain:
    keyring.set_keyring(one)
    return one


def test_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    with_keychain(Keychain())
    keep_key("anthropic", "", "sk-other", in_file=False)
    monkeypatch.setenv("ANTHROPIC_API_KEY", f" {KEY}\n")

    assert find_key("anthropic", "", file_allowed=True) == FoundKey(
        KEY, "the environment variable ANTHROPIC_API_KEY"
    )


def test_the_keychain_comes_before_the_file() -> None:
    keychain = with_keychain(Keychain())
    keep_key("openai", "", "sk-other", in_file=True)

    assert keep_key("openai", "", KEY, in_file=False) == "the keychain"
    assert keychain.kept == {("knapper", "openai"): KEY}
    assert find_key("openai", "", file_allowed=True) == FoundKey(KEY, "the keychain")


def test_the_file_is_read_only_if_the_person_wants_that() -> None:
    keep_key("openai", "", KEY, in_file=True)

    assert find_key("openai", "", file_allowed=False) == FoundKey(remarks=(NO_KEYCHAIN,))
    assert find_key("openai", "", file_allowed=True) == FoundKey(KEY, str(key_file()), (NO_KEYCHAIN,))


def test_the_key_of_a_compatible_server_goes_to_no_other() -> None:
    with_keychain(Keychain())
    keep_key("compatible", HOST, KEY, in_file=False)

    assert account("compatible", HOST) == "compatible at localhost:11434"
    assert find_key("compatible", HOST, file_allowed=True).value == KEY
    assert find_key("compatible", "models.example.org", file_allowed=True) == FoundKey()


def test_the_key_of_one_provider_is_not_that_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    with_keychain(Keychain())
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    assert find_key("compatible", HOST, file_allowed=True) == FoundKey()


def test_a_locked_keychain_is_said_without_its_words() -> None:
    with_keychain(LockedKeychain())
    sentence = (
        "The keychain failed (KeyringLocked). An environment variable or `knapper provider set --key-file`"
        " does without it."
    )

    assert find_key("openai", "", file_allowed=False) == FoundKey(remarks=(sentence,))
    with pytest.raises(KeyTrouble) as caught:
        keep_key("openai", "", KEY, in_file=False)
    assert str(caught.value) == sentence


def test_a_keychain_that_hangs_holds_nobody_up() -> None:
    hanging = HangingKeychain()
    with_keychain(hanging)
    found = find_key("openai", "", file_allowed=False, patience=0.05)
    hanging.freed.set()

    assert found.remarks == (
        (
            "The keychain did not answer within 0.05 s: unlock it. An environment variable or"
            " `knapper provider set --key-file` does without it."
        ),
    )


def test_the_file_is_its_owners_alone() -> None:
    previous = os.umask(0)
    try:
        where = keep_key("openai", "", KEY, in_file=True)
        keep_key("anthropic", "", "sk-other", in_file=True)
    finally:
        os.umask(previous)

    assert where == str(key_file())
    assert key_file().stat().st_mode & 0o777 == 0o600
    assert json.loads(key_file().read_text()) == {"openai": KEY, "anthropic": "sk-other"}
    assert [path.name for path in key_file().parent.iterdir()] == ["keys.json"]


def test_a_file_that_others_can_read_is_not_used() -> None:
    keep_key("openai", "", KEY, in_file=True)
    key_file().chmod(0o640)

    assert find_key("openai", "", file_allowed=True) == FoundKey(
        remarks=(NO_KEYCHAIN, f"{key_file()} can be read by others and is not used: `chmod 600` it.")
    )


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_a_damaged_file_is_said(content: bytes) -> None:
    keep_key("openai", "", KEY, in_file=True)
    key_file().write_bytes(content)

    assert find_key("openai", "", file_allowed=True).remarks[1:] == (
        f"{key_file()} cannot be read: remove it, and set the key again.",
    )


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "no-folder").touch()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "no-folder"))

    with pytest.raises(KeyTrouble, match=r"cannot be (read|written)"):
        keep_key("openai", "", KEY, in_file=True)


def test_a_key_is_forgotten_everywhere() -> None:
    with_keychain(Keychain())
    keep_key("openai", "", KEY, in_file=True)
    keep_key("openai", "", KEY, in_file=False)

    assert forget_key("openai", "") == ("the keychain", str(key_file()))
    assert find_key("openai", "", file_allowed=True) == FoundKey()
    assert forget_key("openai", "") == ()


def test_forgetting_works_without_a_keychain() -> None:
    keep_key("openai", "", KEY, in_file=True)

    assert forget_key("openai", "") == (str(key_file()),)


def test_a_found_key_does_not_show_itself() -> None:
    assert KEY not in repr(FoundKey(KEY, "the keychain"))


def test_keys_are_hidden_in_texts() -> None:
    text = (
        f"Authorization: Bearer abc.def x-api-key: hunter2 {KEY} my-own-key sk-or-v1-00112233 task-oriented"
    )

    assert redact(text, "my-own-key", "") == (
        "Authorization: Bearer [hidden] x-api-key: [hidden] [hidden] [hidden] [hidden] task-oriented"
    )
