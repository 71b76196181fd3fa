"""Answers as plain data, in the form that PROTOCOL.md describes, for the protocol and for the command line.

How a path or a place is told is given by who asks. Must not know who that is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from knapper.memory.answer import Answer, Cited, DryRun, Sent
from knapper.memory.asked import FoundPassage
from knapper.text.span import Place
from knapper.vault.paths import NotePath


@dataclass(frozen=True, slots=True)
class Plain:
    """Tells answers, a note by its `uri_of` and a place by its `range_of`."""

    uri_of: Callable[[NotePath], str]
    range_of: Callable[[Place], Any]

    def answer(self, answer: Answer) -> dict[str, Any]:
        """The whole answer."""
        return {
            "answer": answer.text,
            "citations": [self.citation(cited) for cited in answer.citations],
            "alsoRetrieved": [self.passage(passage) for passage in answer.also],
            "unverified": list(answer.unverified),
            "provider": answer.provider,
            "model": answer.model,
            "sent": _sent(answer.sent) if answer.sent else None,
            "complete": answer.complete,
            "inNotes": answer.in_notes,
            "remarks": list(answer.remarks),
        }

    def trial(self, run: DryRun) -> dict[str, Any]:
        """What would be sent, with the very body."""
        return {
            "host": run.host,
            "provider": run.provider,
            "model": run.model,
            "tokens": run.tokens,
            "body": run.body.decode("utf-8", "replace"),
            "passages": [{**self.passage(passage), "text": passage.text} for passage in run.passages],
            "withheld": run.withheld,
        }

    def citation(self, cited: Cited) -> dict[str, Any]:
        """What a marker means."""
        return {
            "number": cited.number,
            **self.passage(cited.passage),
            "range": self.range_of(cited.place),
            "heading": cited.heading,
            "quote": cited.quote,
            "byProvider": cited.by_provider,
            "changed": cited.changed,
        }

    def passage(self, found: FoundPassage) -> dict[str, Any]:
        """Where a passage stands."""
        return {
            "path": found.path,
            "uri": self.uri_of(found.path),
            "title": found.title,
            "heading": found.heading,
            "range": self.range_of(found.place),
        }


def _sent(sent: Sent) -> dict[str, Any]:
    return {
        "host": sent.host,
        "notes": list(sent.notes),
        "passages": sent.passages,
        "characters": sent.characters,
        "tokens": sent.tokens,
    }
