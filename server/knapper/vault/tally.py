"""The tags and properties of a vault, counted, as its notes change.

Knows that `#Inbox` and `#inbox` are one tag, shown as first seen (in the order of paths), and that a
note with `#a/b` has `#a` too. Every count depends only on the notes there are, never on their history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import Self, TypeVar

from knapper.vault.note import Note, NoteProperty
from knapper.vault.paths import NotePath, key
from knapper.vault.persistent import PersistentMap, with_members

U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class TagUse:
    """A tag: as first seen, how often it stands in the vault (tags below it included), and where."""

    display: str
    count: int
    notes: tuple[NotePath, ...]  # by path


@dataclass(frozen=True, slots=True)
class PropertyUse:
    """A property: its name as first seen, the notes that have it, and how often each value stands."""

    display: str
    notes: tuple[NotePath, ...]  # by path
    values: PersistentMap[str, int] = field(default_factory=PersistentMap)

    def common_values(self, limit: int = 100) -> list[tuple[str, int]]:
        """The most frequent values with their counts; of equally frequent ones the first by alphabet."""
        return nsmallest(limit, self.values.items(), key=lambda item: (-item[1], key(item[0]), item[0]))


@dataclass(frozen=True, slots=True)
class Tally:
    """The tags and properties of a vault by their folded names, immutable."""

    tags: PersistentMap[str, TagUse] = field(default_factory=PersistentMap)
    properties: PersistentMap[str, PropertyUse] = field(default_factory=PersistentMap)

    @classmethod
    def build(cls, notes: Iterable[Note]) -> Self:
        """The tally of *notes*, from scratch."""
        by_path = {note.path: note for note in notes}
        return cls().changed(by_path, (), by_path.values())

    def changed(self, notes: Mapping[NotePath, Note], before: Iterable[Note], after: Iterable[Note]) -> Self:
        """The tally without the notes *before* and with those *after*; *notes* are all there are then."""
        tags: dict[str, _Changes] = {}
        properties: dict[str, _Changes] = {}
        for sign, changed in ((-1, before), (1, after)):
            for note in changed:
                _count_tags(tags, note, sign)
                _count_properties(properties, note, sign)
        new_tags = {name: _tag_use(name, self.tags.get(name), change, notes) for name, change in tags.items()}
        new_properties = {
            name: _property_use(name, self.properties.get(name), change, notes)
            for name, change in properties.items()
        }
        return type(self)(_kept(self.tags, new_tags), _kept(self.properties, new_properties))


_LONGEST_VALUE = 100  # characters


class _Changes:
    """What changed for one tag or property."""

    __slots__ = ("added", "count", "removed", "values")

    def __init__(self) -> None:
        self.count = 0
        self.added: set[NotePath] = set()
        self.removed: set[NotePath] = set()
        self.values: Counter[str] = Counter()

    def stand_in(self, path: NotePath, sign: int) -> None:
        (self.added if sign > 0 else self.removed).add(path)

    def notes(self, old: tuple[NotePath, ...]) -> tuple[NotePath, ...]:
        if self.added == self.removed:
            return old
        return with_members(old, self.added, self.removed)


def tag_and_parents(name: str) -> list[str]:
    """`a/b/c` gives `a`, `a/b` and `a/b/c`."""
    parts = name.split("/")
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def _count_tags(changes: dict[str, _Changes], note: Note, sign: int) -> None:
    for tag in note.tags:
        for name in tag_and_parents(tag.name):
            change = changes.setdefault(key(name), _Changes())
            change.count += sign
            change.stand_in(note.path, sign)


def _count_properties(changes: dict[str, _Changes], note: Note, sign: int) -> None:
    for item in note.properties:
        change = changes.setdefault(key(item.name), _Changes())
        change.stand_in(note.path, sign)
        for value in _worth_offering(item):
            change.values[value] += sign


def _worth_offering(item: NoteProperty) -> Iterable[str]:
    """The values that completion may offer again. A vault of daily notes would fill memory with its dates."""
    if item.kind not in {"text", "list"}:
        return ()
    return (value for value in item.values if value and len(value) <= _LONGEST_VALUE)


def _tag_use(
    name: str, old: TagUse | None, change: _Changes, notes: Mapping[NotePath, Note]
) -> TagUse | None:
    paths = change.notes(old.notes if old else ())
    if not paths:
        return None
    written = (form for tag in notes[paths[0]].tags for form in tag_and_parents(tag.name))
    display = next(form for form in written if key(form) == name)
    return TagUse(display, (old.count if old else 0) + change.count, paths)


def _property_use(
    name: str, old: PropertyUse | None, change: _Changes, notes: Mapping[NotePath, Note]
) -> PropertyUse | None:
    paths = change.notes(old.notes if old else ())
    if not paths:
        return None
    display = next(item.name for item in notes[paths[0]].properties if key(item.name) == name)
    values: PersistentMap[str, int] = old.values if old else PersistentMap()
    counts = {value: values.get(value, 0) + by for value, by in change.values.items() if by}
    put = {value: count for value, count in counts.items() if count}
    return PropertyUse(display, paths, values.with_changes(put, counts.keys() - put.keys()))


def _kept(uses: PersistentMap[str, U], changed: Mapping[str, U | None]) -> PersistentMap[str, U]:
    put = {name: use for name, use in changed.items() if use is not None}
    return uses.with_changes(put, [name for name, use in changed.items() if use is None])
