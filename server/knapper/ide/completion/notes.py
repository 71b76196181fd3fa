"""Files to link to by name, path or alias, and missing notes that are linked elsewhere already.

Knows what makes a file likely: near ones first, attachments first in embeds, excluded notes last. Must not
know how a link is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from knapper.base.cancel import CancelToken
from knapper.ide.completion.items import SEARCHED
from knapper.ide.completion.near import Nearness, near_notes, nearness
from knapper.ide.completion.tables import Tables, tables_of
from knapper.ide.snapshot import Snapshot
from knapper.vault.fuzzy import Match, NameTable, entries_of
from knapper.vault.paths import NotePath, is_note, stem_of
from knapper.vault.resolve import meant_path

_RELATIVE = re.compile(r"^(?:\.{1,2}/|/)+")
# In the unit of `NameTable.search`'s boost, of which 1 weighs less than a better class of match and 1.7 as
# much: an attachment that begins with what was typed comes behind a note that holds it.
_EXCLUDED = -100.0
_ATTACHMENT = -1.7
_ATTACHMENT_IN_EMBED = 1.7
# In the unit of its scores.
_LESS = {"alias": 8.0, "unresolved": 60.0}


@dataclass(frozen=True, slots=True)
class FoundName:
    """A file under its name, or under an *alias*; without a path it is a missing note."""

    label: str
    path: NotePath | None
    alias: str | None = None


class _Likely(Mapping[NotePath, float]):
    """The boost of every file, worked out for those that match only."""

    def __init__(self, near: Nearness, tables: Tables, *, embed: bool) -> None:
        self._near, self._tables = near, tables
        self._excludes = tables.view.excluded is not None
        self._attachment = _ATTACHMENT_IN_EMBED if embed else _ATTACHMENT

    def __getitem__(self, path: NotePath) -> float:
        # Asked for thousands of files with the first letter; most end here.
        boost = self._near.of(path)
        if not path.endswith(".md") and not is_note(path):
            boost += self._attachment
        return _EXCLUDED if self._excludes and self._tables.is_excluded(path) else boost

    def __contains__(self, path: object) -> bool:
        return True

    def get(self, path: NotePath, _default: object = None, /) -> float:
        """The boost of *path*; every file has one."""
        return self[path]

    def __iter__(self) -> Iterator[NotePath]:
        return iter(self._near.ranks)

    def __len__(self) -> int:
        return max(len(self._near.ranks), 1)


def find_names(
    snap: Snapshot, path: NotePath, query: str, *, embed: bool, token: CancelToken
) -> list[FoundName]:
    """What *query*, typed in the note at *path*, may name, the likeliest first."""
    wanted = _RELATIVE.sub("", query)
    wanted = wanted[:-3] if is_note(wanted) else wanted
    if not wanted.strip():
        return _before_typing(snap, path, embed=embed)
    tables = tables_of(snap.view)
    likely = _Likely(nearness(snap, path), tables, embed=embed)
    matches = [match for match in tables.names.search(wanted, SEARCHED, likely) if _still_holds(snap, match)]
    token.check()
    matches += _unsaved_names(snap).search(wanted, SEARCHED, likely)
    typed = meant_path(path, query.strip())  # The link that is typed names itself.
    matches += [
        match
        for match in tables.missing.search(wanted, SEARCHED)
        if match.entry.path != typed and snap.resolve(path, match.entry.text) is None
    ]
    matches.sort(key=lambda match: _LESS.get(match.entry.kind, 0.0) - match.score)
    return _found(matches)


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
