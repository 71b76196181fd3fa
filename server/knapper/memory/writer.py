"""Who writes answers, as the person's settings say. Knows settings and keys; must not know notes."""

from __future__ import annotations

from dataclasses import dataclass

from knapper.base.settings import Settings
from knapper.memory.egress import EgressLog, egress_file
from knapper.models.providers.choice import Choice, generator_of, host_of
from knapper.models.providers.keys import PATIENCE, find_key
from knapper.models.providers.ports import Generator, ProviderError

_BRIEFLY = 3.0
"""Seconds for the keychain, where most servers want no key at all."""


@dataclass(frozen=True, slots=True)
class Writer:
    """A model that writes answers, the name of its provider (`anthropic`), and the log of what it is sent."""

    generator: Generator
    provider: str
    log: EgressLog


def choice_of(settings: Settings) -> Choice | None:
    """The provider and the model that *settings* choose, or None if nobody is to write."""
    if settings["ask.provider"] == "none":
        return None
    return Choice(
        settings["ask.provider"], settings["ask.model"], settings["ask.baseUrl"], settings["ask.context"]
    )


def writer_of(settings: Settings, vault: str = "") -> Writer | None:
    """Who writes answers on the vault called *vault*; None if nobody is to write, which is the default.

    Looks for the key, which may take seconds: never in the main thread. Raises `ProviderError`.
    """
    choice = choice_of(settings)
    if choice is None:
        return None
    patience = _BRIEFLY if choice.provider == "compatible" else PATIENCE
    key = find_key(choice.provider, host_of(choice), file_allowed=settings["ask.keyFile"], patience=patience)
    try:
        generator = generator_of(choice, key.value)
    except ProviderError as error:
        if error.trouble == "no-key" and key.remarks:
            raise ProviderError("no-key", f"{error} {' '.join(key.remarks)}") from None
        raise
    return Writer(generator, choice.provider, EgressLog(egress_file(), vault))
