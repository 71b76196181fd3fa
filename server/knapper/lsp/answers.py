"""Answers from the notes as plain data for the client. Knows paths and places; must not know who writes."""

from __future__ import annotations

from typing import Any

from knapper.lsp.here import Vault, range_of
from knapper.memory.answer import Answer, Cited, DryRun, Part, Said
from knapper.memory.plain import Plain


def piece_of(vault: Vault, part: Part) -> dict[str, Any] | None:
    """A piece on its way: `{text}` or `{citation}`. The whole answer is none."""
    if isinstance(part, Said):
        return {"text": part.text}
    return {"citation": _plain(vault).citation(part)} if isinstance(part, Cited) else None


def answered(vault: Vault, answer: Answer) -> dict[str, Any]:
    """The whole answer."""
    return _plain(vault).answer(answer)


def tried(vault: Vault, run: DryRun) -> dict[str, Any]:
    """What would be sent, in the form of an answer that says nothing."""
    nothing = Answer("", provider=run.provider, model=run.model, remarks=run.remarks)
    return {**answered(vault, nothing), "dryRun": _plain(vault).trial(run)}


def _plain(vault: Vault) -> Plain:
    return Plain(vault.uri_of, range_of)
