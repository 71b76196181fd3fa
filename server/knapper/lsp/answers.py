"""Answers from the notes as plain data for the client. Knows paths and places; must not know who writes."""

from __future__ import annotations

from typing import Any

from knapper.lsp.here import Vault, range_of
from knapper.memory.answer import Answer, Cited, DryRun, Part, Said
from knapper.memory.asked import FoundPassage


def piece_of(vault: Vault, part: Part) -> dict[str, Any] | None:
    """A piece on its way: `{text}` or `{citation}`. The whole answer is none."""
    if isinstance(part, Said):
        return {"text": part.text}
    return {"citation": _citation(vault, part)} if isinstance(part, Cited) else None


def answered(vault: Vault, answer: Answer) -> dict[str, Any]:
    """The whole answer."""
    sent = answer.sent
    return {
        "answer": answer.text,
        "citations": [_citation(vault, cited) for cited in answer.citations],
        "alsoRetrieved": [_passage(vault, passage) for passage in answer.also],
        "unverified": list(answer.unverified),
        "provider": answer.provider,
        "model": answer.model,
        "sent": sent
        and {
            "host": sent.host,
            "notes": list(sent.notes),
            "passages": sent.passages,
            "characters": sent.characters,
            "tokens": sent.tokens,
        },
        "complete": answer.complete,
        "inNotes": answer.in_notes,
        "remarks": list(answer.remarks),
    }


def tried(vault: Vault, run: DryRun) -> dict[str, Any]:
    """What would be sent, in the form of an answer that says nothing."""
    nothing = Answer("", provider=run.provider, model=run.model, remarks=run.remarks)
    return {
        **answered(vault, nothing),
        "dryRun": {
            "host": run.host,
            "provider": run.provider,
            "model": run.model,
            "tokens": run.tokens,
            "body": run.body.decode("utf-8", "replace"),
            "passages": [{**_passage(vault, found), "text": found.text} for found in run.passages],
            "withheld": run.withheld,
        },
    }


def _citation(vault: Vault, cited: Cited) -> dict[str, Any]:
    return {
        "number": cited.number,
        **_passage(vault, cited.passage),
        "range": range_of(cited.place),
        "heading": cited.heading,
        "quote": cited.quote,
        "byProvider": cited.by_provider,
        "changed": cited.changed,
    }


def _passage(vault: Vault, found: FoundPassage) -> dict[str, Any]:
    return {
        "path": found.path,
        "uri": vault.uri_of(found.path),
        "title": found.title,
        "heading": found.heading,
        "range": range_of(found.place),
    }
