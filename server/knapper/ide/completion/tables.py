"""What completion looks through in a whole vault: names, headings, blocks, tags. Made once for each view.

A new view's tables are made from those of an older view of the same vault and of what changed between the
two. Owned by the main thread, but for `prepare`, which may run anywhere.

Invariant: tables made by changes find what tables made from scratch find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice

from knapper.ide.completion.haystack import Haystack
from knapper.text.fold import name_fold
from knapper.vault.fuzzy import Entry, Match, NameTable, entries_of
from knapper.vault.note import Note
from knapper.vault.paths import NotePath, is_note, linkable
from knapper.vault.resolve import meant_path
from knapper.vault.view import VaultView

Tags = Mapping[str, tuple[str, str, int]]
"""By folded name: what is matched with the query, how it is shown, and how often it stands."""


_TABLES = ("notes", "files", "excluded", "missing", "headings", "blocks", "tags")


class Tables:
    """The tables of one view, each made when it is first asked for."""

    def __init__(self, view: VaultView, older: Tables | None = None) -> None:
        self.view = view
        self._origins: dict[str, Tables] = older.made() if older else {}

    def made(self) -> dict[str, Tables]:
        """For each table the tables to make a newer one from: these if it is made here, else older ones."""
        return self._origins | {name: self for name in _TABLES if name in self.__dict__}

    @cached_property
    def notes(self) -> NameTable:
        """The names and aliases of notes, but those of excluded ones."""
        return self._names("notes")

    @cached_property
    def files(self) -> NameTable:
        """The names of files that are no notes, but those of excluded ones."""
        return self._names("files")

    @cached_property
    def excluded(self) -> NameTable:
        """The names of excluded files. A table of their own keeps them from crowding out the others."""
        return self._names("excluded")

    def search_notes(self, query: str, limit: int) -> list[Match]:
        """The notes that *query* may mean by name or alias, the likeliest first, excluded ones last."""
        hidden = (match for match in self.excluded.search(query, limit) if is_note(match.entry.path))
        return [*self.notes.search(query, limit), *hidden][:limit]

    def _names(self, group: str) -> NameTable:
        view, origin = self.view, self._origins.pop(group, None)
        if origin is None or origin.view.excluded != view.excluded:
            return NameTable.of(_entries(view, view.names, group))
        old = origin.view
        came, went = view.names.changed_since(old.names)
        renamed = {
            path
            for path in view.notes.changed_since(old.notes)
            if _aliases(view.notes.get(path)) != _aliases(old.notes.get(path)) and view.names.has(path)
        }
        changed = came | renamed
        table: NameTable = getattr(origin, group)
        return table.with_changes(_entries(view, sorted(changed), group), changed | went)

    @cached_property
    def missing(self) -> NameTable:
        """The names that links write and no file has. Their paths are the keys of `graph.missing()`."""
        view, origin = self.view, self._origins.pop("missing", None)
        missing = view.graph.missing()
        if origin is None:
            return NameTable.of(_missing_entries(view, missing))
        changed = [NotePath(meant) for meant in missing.changed_since(origin.view.graph.missing())]
        return origin.missing.with_changes(_missing_entries(view, changed), changed)

    @cached_property
    def headings(self) -> Haystack:
        """The headings of all notes."""
        return self._haystack("headings", lambda note: [heading.text for heading in note.headings])

    @cached_property
    def blocks(self) -> Haystack:
        """The blocks that have an id, each with its id behind its text."""
        return self._haystack("blocks", lambda note: [f"{block.text} {block.id}" for block in note.blocks])

    def _haystack(self, name: str, texts: Callable[[Note], Iterable[str]]) -> Haystack:
        origin = self._origins.pop(name, None)
        if origin is not None:
            changed = list(self.view.notes.changed_since(origin.view.notes))
            notes = [note for path in changed if (note := self.view.notes.get(path))]
            patched: Haystack | None = getattr(origin, name).changed(notes, changed, texts)
            if patched is not None:
                return patched
        return Haystack.of(self.view.notes.values(), texts)

    @cached_property
    def tags(self) -> Tags:
        """The tags of the saved notes."""
        view, origin = self.view, self._origins.pop("tags", None)
        tags = view.tally.tags
        changed: Iterable[str] = tags
        known: dict[str, tuple[str, str, int]] = {}
        if origin is not None:
            known = dict(origin.tags)
            changed = list(tags.changed_since(origin.view.tally.tags))
        for name in changed:
            use = tags.get(name)
            if use is None:
                known.pop(name, None)
            else:
                known[name] = (name_fold(use.display), use.display, use.count)
        return known


def tables_of(view: VaultView) -> Tables:
    """The tables of *view*; views of the same vault that are asked for one after the other share work."""
    for kept in _KEPT:
        if kept.view is view:
            return kept
    older = [kept for kept in _KEPT if _same_vault(kept.view, view)]
    tables = Tables(view, older[0] if older else None)
    # The view before stays: while another thread prepares this one, it is still asked.
    _KEPT[:] = [tables, *(kept for kept in _KEPT if kept not in older[1:])][:_MOST]
    return tables


def prepare(view: VaultView) -> None:
    """Make the tables of *view*, so that the first completion finds them. May run in any thread."""
    tables = tables_of(view)
    for name in _TABLES:
        getattr(tables, name)


_MOST = 8
_KEPT: list[Tables] = []


def _same_vault(older: VaultView, newer: VaultView) -> bool:
    """Whether the views share a note: views of two vaults never hold the same object."""
    return any(newer.notes.get(path) is note for path, note in islice(older.notes.items(), 5))


def _entries(view: VaultView, paths: Iterable[NotePath], group: str) -> Iterator[Entry]:
    for path in paths:
        found = "excluded" if view.is_excluded(path) else "notes" if is_note(path) else "files"
        if found == group:
            yield from entries_of(path, view.notes.get(path))


def _aliases(note: Note | None) -> tuple[str, ...]:
    return note.aliases if note else ()


def _missing_entries(view: VaultView, wanted: Iterable[str]) -> Iterator[Entry]:
    """Each missing file as its first link writes it; `../x` would mean another file elsewhere."""
    missing = view.graph.missing()
    by_source: dict[NotePath, set[str]] = {}
    for meant in wanted:
        if meant in missing:
            by_source.setdefault(missing[meant][0], set()).add(meant)
    for source, left in by_source.items():
        for link, target in zip(view.notes[source].links, view.graph.outgoing(source), strict=True):
            meant = meant_path(source, link.target) if target is None else ""
            if meant in left:
                left.discard(meant)
                relative = link.target.startswith((".", "/"))
                yield Entry(meant if relative else linkable(link.target), NotePath(meant), "unresolved")
