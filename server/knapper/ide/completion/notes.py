"""Files to link to by name, path or alias, and missing notes that are linked elsewhere already.

Knows what makes a file likely: near ones first, attachments first in embeds, excluded notes last. Must not
know how a link is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from knapper.base.cancel import CancelToken
from knapper.ide.completion.items import SEARCHED
from knapper.ide.completion.near import near_notes, nearness
from knapper.ide.completion.tables import tables_of
from knapper.ide.snapshot import Snapshot
from knapper.vault.fuzzy import Match, NameTable, entries_of
from knapper.vault.paths import NotePath, is_note, stem_of
from knapper.vault.resolve import meant_path

_RELATIVE = re.compile(r"^(?:\.{1,2}/|/)+")
# In the unit of a table's scores, where 100 is a better class of match: an attachment that begins with what
# was typed comes behind a note that holds it, and before it in an embed.
_ATTACHMENT = 102.0
_EXCLUDED = 10_000.0
_SAME_FOLDER = 6.0
_LESS = {"alias": 8.0, "unresolved": 60.0}


@dataclass(frozen=True, slots=True)
class FoundName:
    """A file under its name, or under an *alias*; without a path it is a missing note."""

    label: str
    path: NotePath | None
    alias: str | None = None


def find_names(
    snap: Snapshot, path: NotePath, query: str, *, embed: bool, token: CancelToken
) -> list[FoundName]:
    """What *query*, typed in the note at *path*, may name, the likeliest first."""
    wanted = _RELATIVE.sub("", query)
    wanted = wanted[:-3] if is_note(wanted) else wanted
    if not wanted.strip():
        return _before_typing(snap, path, embed=embed)
    near = nearness(snap, path)
    matches: list[Match] = []
    for table, less in _tables(snap, embed=embed):
        token.check()
        found = table.search(wanted, SEARCHED, near.ranks)
        matches += [match._replace(score=match.score - less) for match in found if _still_holds(snap, match)]
    typed = meant_path(path, query.strip())  # The link that is typed names itself.
    matches += [
        match
        for match in tables_of(snap.view).missing.search(wanted, SEARCHED)
        if match.entry.path != typed and snap.resolve(path, match.entry.text) is None
    ]

    def rank(match: Match) -> float:
        beside = _SAME_FOLDER if near.is_beside(match.entry.path) else 0.0
        return _LESS.get(match.entry.kind, 0.0) - beside - match.score

    matches.sort(key=rank)
    return _found(matches)


def _tables(snap: Snapshot, *, embed: bool) -> list[tuple[NameTable, float]]:
    """What is searched, and by how much its matches stand behind those of notes."""
    tables = tables_of(snap.view)
    return [
        (tables.notes, 0.0),
        (_unsaved_names(snap), 0.0),
        (tables.files, -_ATTACHMENT if embed else _ATTACHMENT),
        (tables.excluded, _EXCLUDED),
    ]


def _before_typing(snap: Snapshot, path: NotePath, *, embed: bool) -> list[FoundName]:
    """Near files, each with its aliases; in an embed near attachments come first."""
    near = near_notes(snap, path, SEARCHED)
    if embed:
        near.sort(key=is_note)
    entries = chain.from_iterable(entries_of(other, snap.note(other)) for other in near)
    return _found(Match(entry, 0.0) for entry in entries)


def _found(matches: Iterable[Match]) -> list[FoundName]:
    found: dict[tuple[str, NotePath], FoundName] = {}
    for entry, _ in matches:
        if entry.kind == "unresolved":
            name = FoundName(entry.text, None)
        else:
            name = FoundName(entry.text, entry.path, entry.text if entry.kind == "alias" else None)
        found.setdefault((entry.text, entry.path), name)
    return list(found.values())[:SEARCHED]


def _still_holds(snap: Snapshot, match: Match) -> bool:
    """Whether the open note, if it is open, has the alias as the saved one has."""
    opened = snap.overlays.get(match.entry.path)
    return opened is None or match.entry.kind != "alias" or match.entry.text in opened.note.aliases


def _unsaved_names(snap: Snapshot) -> NameTable:
    """Names of open files that are not saved yet, and aliases that open notes have and saved ones not."""
    new = []
    for path, opened in snap.open_notes.items():
        saved = snap.view.notes.get(path)
        if saved is None or saved.aliases != opened.note.aliases:
            known = {stem_of(path) if snap.view.names.has(path) else "", *(saved.aliases if saved else ())}
            new += [entry for entry in entries_of(path, opened.note) if entry.text not in known]
    return NameTable.of(new)
