"""Who writes answers, as the settings and the machine's keys say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backends import fail, null

from knapper.base.settings import Settings, read_settings
from knapper.memory.egress import egress_file
from knapper.memory.writer import writer_of
from knapper.models.providers.ports import ProviderError

VARIABLES = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "KNAPPER_API_KEY")


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without keys."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    ring = keyring.get_keyring()
    keyring.set_keyring(null.Keyring())
    yield
    keyring.set_keyring(ring)


def settings(**values: Any) -> Settings:
    found, complaints = read_settings([{f"ask.{name}": value for name, value in values.items()}])
    assert complaints == []
    return found


def test_nobody_writes_unless_somebody_is_chosen() -> None:
    assert writer_of(Settings()) is None


def test_the_chosen_writer_has_the_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-0123456789")
    one = writer_of(settings(provider="anthropic", model="model-1", context=50_000), "Garden")

    assert one
    assert (one.provider, one.generator.host, one.generator.model) == (
        "anthropic", "api.anthropic.com", "model-1"
    )  # fmt: skip
    assert one.generator.room == 50_000 - 4096 - 2500
    assert (one.log.file, one.log.vault) == (egress_file(), "Garden")
    assert "secret" not in repr(one)


def test_a_server_of_ones_own_needs_no_key() -> None:
    one = writer_of(settings(provider="compatible", model="m", baseUrl="http://localhost:11434"))

    assert one
    assert one.generator.host == "localhost:11434"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"provider": "openai", "model": "m"}, "OpenAI wants a key: put it into OPENAI_API_KEY, or "),
        ({"provider": "openrouter"}, "No model of OpenRouter is chosen: "),
        ({"provider": "compatible", "model": "m"}, "No address is set: "),
        (
            {"provider": "compatible", "model": "m", "baseUrl": "http://10.0.0.1"},
            "The address in knapper.ask",
        ),
    ],
)
def test_what_is_missing_is_one_sentence(values: dict[str, str], sentence: str) -> None:
    with pytest.raises(ProviderError) as error:
        writer_of(settings(**values))

    assert str(error.value).startswith(sentence)
    assert str(error.value).endswith(".")


def test_a_machine_without_a_keychain_says_what_else_there_is() -> None:
    keyring.set_keyring(fail.Keyring())  # type: ignore[no-untyped-call]
    with pytest.raises(ProviderError) as error:
        writer_of(settings(provider="openai", model="m"))

    assert str(error.value) == (
        "OpenAI wants a key: put it into OPENAI_API_KEY, or `knapper provider set` sets one. This machine has"
        " no keychain. An environment variable or `knapper provider set --key-file` does without it."
    )
