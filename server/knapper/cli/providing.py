"""Who writes answers by the settings, and whether all is there for it. Asks the keychain, but no provider."""

from __future__ import annotations

from dataclasses import dataclass, replace

from knapper.base.settings import Settings
from knapper.memory.writer import choice_of
from knapper.models.providers.choice import generator_of, host_of
from knapper.models.providers.keys import find_key
from knapper.models.providers.ports import ProviderError

NOBODY = "Nobody writes answers: questions are answered with quotes from the notes, and nothing is sent."


@dataclass(frozen=True, slots=True)
class Provided:
    """Who is asked; `key` says where the key was found, `problem` what is missing."""

    provider: str = "none"
    model: str = ""
    host: str = ""
    context: int = 0
    key: str = ""
    problem: str = ""
    remarks: tuple[str, ...] = ()


def provided(settings: Settings) -> Provided:
    """Who is asked. May take the seconds that a keychain takes."""
    choice = choice_of(settings)
    if choice is None:
        return Provided()
    known = Provided(choice.provider, choice.model, context=choice.context)
    try:
        known = replace(known, host=host_of(choice))
        found = find_key(choice.provider, known.host, file_allowed=settings["ask.keyFile"])
        if found.value:
            known = replace(known, key=f"in {found.where}")
        else:
            known = replace(known, remarks=found.remarks)
        generator_of(choice, found.value)
    except ProviderError as error:
        return replace(known, problem=str(error))
    return known
