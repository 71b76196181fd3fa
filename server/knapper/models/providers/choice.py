"""The generator that the person has chosen. Knows providers by name; must not know where keys are kept.

Provider, model and address are given, and must come from the person's own settings.
"""

from __future__ import annotations

from dataclasses import dataclass

from knapper.models.providers import anthropic, openai
from knapper.models.providers.address import Address, read_address
from knapper.models.providers.budget import HOSTED, LOCAL, Budget
from knapper.models.providers.client import Dialect, HttpGenerator
from knapper.models.providers.errors import Asked, no_key, no_model, unusable_key
from knapper.models.providers.exchange import Patience
from knapper.models.providers.ports import ProviderError
from knapper.models.providers.retry import Clock

_MESSAGES = Dialect(anthropic.ENDPOINT, anthropic.headers, anthropic.body, anthropic.read)
_CHAT = Dialect(openai.ENDPOINT, openai.headers, openai.body, openai.read)
_OPENAI = Dialect(openai.ENDPOINT, openai.headers, openai.openai_body, openai.read)


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider: what it is called, where it is, how it is spoken with, and where its key may stand."""

    label: str
    base: str
    dialect: Dialect
    key_name: str


PROVIDERS = {
    "anthropic": Provider("Anthropic", "https://api.anthropic.com/v1", _MESSAGES, "ANTHROPIC_API_KEY"),
    "openai": Provider("OpenAI", "https://api.openai.com/v1", _OPENAI, "OPENAI_API_KEY"),
    "openrouter": Provider("OpenRouter", "https://openrouter.ai/api/v1", _CHAT, "OPENROUTER_API_KEY"),
    "compatible": Provider("", "", _CHAT, "KNAPPER_API_KEY"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """What the settings `ask.provider`, `ask.model` and `ask.baseUrl` say.

    *base* may be empty but for `compatible`. *context* is how many tokens the model holds; 0 is unknown.
    """

    provider: str
    model: str
    base: str = ""
    context: int = 0

    @property
    def known(self) -> Provider:
        """The provider; raises KeyError for `none` and for what we do not know."""
        return PROVIDERS[self.provider]


def host_of(choice: Choice) -> str:
    """Where prompts would go; raises `ProviderError`."""
    return _address(choice).host


def generator_of(
    choice: Choice, key: str = "", *, patience: Patience | None = None, clock: Clock | None = None
) -> HttpGenerator:
    """The generator for *choice*; raises `ProviderError` if something is missing. Nothing is sent yet."""
    known = choice.known
    address = _address(choice)
    label = known.label or address.host
    key = key.strip()
    if not choice.model.strip():
        raise no_model(label)
    if not key and choice.provider != "compatible":
        raise no_key(label, known.key_name)
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise unusable_key(known.key_name)
    is_own = address.is_local and choice.provider == "compatible"
    return HttpGenerator(
        known.dialect,
        address,
        Asked(label, address.host, choice.model.strip(), known.key_name, bool(key), is_own),
        key,
        _budget(choice.context, LOCAL if is_own else HOSTED),
        patience or Patience(),
        clock or Clock(),
    )


def _address(choice: Choice) -> Address:
    known = choice.known
    base = choice.base.strip() or known.base
    if not base:
        raise ProviderError(
            "address",
            "No address is set: put that of your model server into knapper.ask.baseUrl, for Ollama"
            " http://localhost:11434/v1.",
        )
    return read_address(base, known.dialect.endpoint, "/v1")


def _budget(context: int, usual: Budget) -> Budget:
    if context <= 0:
        return usual
    return Budget(context, min(usual.answer, max(context // 4, 1)))
