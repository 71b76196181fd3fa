"""A vault as questions are answered from it on the command line, and an answer as JSON.

Knows opened vaults and the memory; must not know what is printed.
"""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import Any

from knapper.cli.aids import aids_for
from knapper.cli.opened import OpenedVault
from knapper.cli.output import range_of
from knapper.index.excluded import excluded_now
from knapper.memory.answer import Answer, Cited, DryRun
from knapper.memory.asked import FoundPassage, Memory, Scope
from knapper.search.journal import Journal, journal_file
from knapper.store.lexical import LexicalReader
from knapper.vault.paths import NotePath


def memory_of(vault: OpenedVault, today: date) -> tuple[Memory, list[str]]:
    """The vault to answer from, and remarks on models that are there and cannot be used."""
    aids, troubles = aids_for(vault, "hybrid", today)
    hidden = vault.hidden or (lambda _: False)
    _, unsure = excluded_now(vault.root, vault.text_of, vault.settings)
    memory = Memory(
        LexicalReader(vault.reader.connection),
        aids,
        today,
        vault.text_of,
        hidden,
        lambda path: vault.view.neighbours(path),  # noqa: PLW0108 -- The view is loaded when it is wanted.
        unsure,
    )
    return memory, troubles


def scope_of(
    vault: OpenedVault, *, note: str | None, folder: str | None, tag: str | None, linked: str | None
) -> Scope:
    """The part of the vault that the options name. Raises `Trouble` for a note that does not exist."""
    return Scope(
        vault.note_called(note) if note else None,
        _folder(vault.root, folder) if folder else None,
        tag,
        vault.note_called(linked) if linked else None,
    )


def journalled(vault: OpenedVault, answer: Answer, today: date) -> None:
    """Count the notes that a written answer cites as used; quotations show only what a search would."""
    if answer.provider == "none" or not vault.settings["salience.enabled"]:
        return
    journal = Journal(journal_file(vault.root))
    for path in dict.fromkeys(cited.passage.path for cited in answer.citations):
        journal.cited(path, today)


def as_json(answer: Answer, root: Path) -> dict[str, Any]:
    """The answer as the protocol has it."""
    sent = answer.sent
    return {
        "answer": answer.text,
        "citations": [_citation(cited, root) for cited in answer.citations],
        "alsoRetrieved": [_passage(passage, root) for passage in answer.also],
        "unverified": list(answer.unverified),
        "provider": answer.provider,
        "model": answer.model,
        "sent": None
        if sent is None
        else {
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


def trial_as_json(run: DryRun, root: Path) -> dict[str, Any]:
    """What would be sent, with the very body."""
    return {
        "host": run.host,
        "provider": run.provider,
        "model": run.model,
        "tokens": run.tokens,
        "body": run.body.decode("utf-8", "replace"),
        "passages": [{**_passage(passage, root), "text": passage.text} for passage in run.passages],
        "withheld": run.withheld,
        "remarks": list(run.remarks),
    }


def _citation(cited: Cited, root: Path) -> dict[str, Any]:
    return {
        "number": cited.number,
        **_passage(cited.passage, root),
        "range": range_of(cited.place),
        "heading": cited.heading,
        "quote": cited.quote,
        "byProvider": cited.by_provider,
        "changed": cited.changed,
    }


def _passage(found: FoundPassage, root: Path) -> dict[str, Any]:
    return {
        "path": found.path,
        "uri": (root / found.path).as_uri(),
        "title": found.title,
        "heading": found.heading,
        "range": range_of(found.place),
    }


def _folder(root: Path, name: str) -> str:
    """A folder from here or in the vault, as a path in the vault: `../Garden/` may be `Garden`."""
    here = Path(os.path.abspath(name))  # noqa: PTH100 -- `..` of a link is where the person came from.
    if "\0" not in name and here.is_dir() and here.is_relative_to(root):
        name = here.relative_to(root).as_posix()
    return NotePath(name.strip("/"))
