"""Notes, aliases and headings of the whole vault by a few letters of them."""

from __future__ import annotations

from collections.abc import Iterator

from knapper.base.cancel import CancelToken
from knapper.ide.completion.match import folded, tier
from knapper.ide.completion.tables import tables_of
from knapper.ide.results import FoundSymbol, Location
from knapper.ide.snapshot import Snapshot
from knapper.text.fold import name_fold
from knapper.text.span import START
from knapper.vault.note import Note
from knapper.vault.paths import NotePath, is_note, linkable, stem_of

_KINDS = ("note", "alias", "heading")
_SCATTERED = 6  # the tier of a fuzzy match


def workspace_symbols(
    snap: Snapshot, query: str, limit: int = 100, token: CancelToken | None = None
) -> list[FoundSymbol]:
    """What *query* may mean, the best match first; of equal ones notes before aliases before headings.

    Without a query the notes used last, then those changed last.
    """
    wanted = name_fold(query).strip()
    if not wanted:
        return _lately(snap, limit)
    found = dict.fromkeys((*_saved(snap, wanted, limit, token or CancelToken()), *_open(snap, wanted)))

    def order(symbol: FoundSymbol) -> tuple[object, ...]:
        path, place = symbol.location.path, symbol.location.place
        grade = tier(wanted, folded(symbol.name))
        match = _SCATTERED if grade is None else grade
        return snap.view.is_excluded(path), match, _KINDS.index(symbol.kind), len(symbol.name), path, place

    return sorted(found, key=order)[:limit]


def _lately(snap: Snapshot, limit: int) -> list[FoundSymbol]:
    recent = dict.fromkeys((*snap.used, *snap.view.recent(limit)))
    shown = (path for path in recent if snap.names.has(path) and is_note(path))
    return [_note(path) for _, path in zip(range(limit), shown, strict=False)]


def _saved(snap: Snapshot, wanted: str, limit: int, token: CancelToken) -> Iterator[FoundSymbol]:
    """From the tables of the saved notes; what is open is left to `_open`."""
    tables = tables_of(snap.view)
    for match in tables.search_notes(wanted, limit):
        entry = match.entry
        if entry.path not in snap.overlays:
            yield _note(entry.path) if entry.kind == "name" else _alias(entry.path, entry.text)
    for _, place in tables.headings.search(wanted, limit, token):
        note = snap.view.notes.get(place.path)
        if note and place.path not in snap.overlays:
            yield _heading(note, place.index)


def _open(snap: Snapshot, wanted: str) -> Iterator[FoundSymbol]:
    for path, opened in snap.open_notes.items():
        if not is_note(path):
            continue
        symbols = (
            _note(path),
            *(_alias(path, alias) for alias in opened.note.aliases),
            *(_heading(opened.note, index) for index in range(len(opened.note.headings))),
        )
        yield from (symbol for symbol in symbols if tier(wanted, folded(symbol.name)) is not None)


def _note(path: NotePath) -> FoundSymbol:
    return FoundSymbol(stem_of(path), "note", Location(path, START), path.rpartition("/")[0])


def _alias(path: NotePath, alias: str) -> FoundSymbol:
    return FoundSymbol(alias, "alias", Location(path, START), linkable(path))


def _heading(note: Note, index: int) -> FoundSymbol:
    heading = note.headings[index]
    return FoundSymbol(heading.text, "heading", Location(note.path, heading.place), linkable(note.path))
