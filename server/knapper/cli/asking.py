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
from knapper.memory.answer import Answer, DryRun
from knapper.memory.asked import Memory, Scope
from knapper.memory.plain import Plain
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
    return _plain(root).answer(answer)


def trial_as_json(run: DryRun, root: Path) -> dict[str, Any]:
    """What would be sent, with the very body."""
    return {**_plain(root).trial(run), "remarks": list(run.remarks)}


def _plain(root: Path) -> Plain:
    return Plain(lambda path: (root / path).as_uri(), range_of)


def _folder(root: Path, name: str) -> str:
    """A folder from here or in the vault, as a path in the vault: `../Garden/` may be `Garden`."""
    here = Path(os.path.abspath(name))  # noqa: PTH100 -- `..` of a link is where the person came from.
    if "\0" not in name and here.is_dir() and here.is_relative_to(root):
        name = here.relative_to(root).as_posix()
    return NotePath(name.strip("/"))
