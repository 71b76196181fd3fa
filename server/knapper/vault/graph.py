"""Which link of which note leads to which file, kept as the vault changes.

Knows resolved targets, never texts. A link can change its meaning only when a file with one of its
names comes or goes; the graph keeps for every such name (`resolve.head`) the notes that write it, so
that a change looks at exactly those links.

Invariant: `graph.changed(…)` equals `Graph.build` of the notes and names after the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Self

from knapper.vault.names import Names
from knapper.vault.note import Note, NoteLink
from knapper.vault.paths import NotePath
from knapper.vault.persistent import PersistentMap, with_members
from knapper.vault.resolve import head, heads, ignorable, is_address, meant_path, resolve_link

Targets = tuple[NotePath | None, ...]
_Sources = PersistentMap[str, tuple[NotePath, ...]]


@dataclass(frozen=True, slots=True)
class GraphChange:
    """What changed: the notes as they were and as they are (None: not there), the files that came or went."""

    before: Mapping[NotePath, Note | None]
    after: Mapping[NotePath, Note | None]
    files: Iterable[NotePath] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """The links of a vault, immutable. Notes without links take no room."""

    _outgoing: PersistentMap[NotePath, Targets] = field(default_factory=PersistentMap)
    _writers: _Sources = field(default_factory=PersistentMap)  # head: the notes that write it, by path
    _missing: _Sources = field(default_factory=PersistentMap)  # meant path: the notes that miss it, by path

    @classmethod
    def build(cls, notes: Iterable[Note], names: Names) -> Self:
        """The graph of *notes*, from scratch."""
        outgoing: dict[NotePath, Targets] = {}
        writers: dict[str, list[NotePath]] = {}
        missing: dict[str, list[NotePath]] = {}
        for note in notes:
            if not note.links:
                continue
            targets = tuple(resolve_link(names, note.path, link) for link in note.links)
            outgoing[note.path] = targets
            for name in _heads_of(note):
                writers.setdefault(name, []).append(note.path)
            for meant in _missed_by(note, targets):
                missing.setdefault(meant, []).append(note.path)
        return cls(PersistentMap(outgoing), _sorted(writers), _sorted(missing))

    def changed(self, notes: Mapping[NotePath, Note], names: Names, change: GraphChange) -> Self:
        """The graph after *change*; *notes* and *names* are those after it."""
        came_or_went = {name for path in change.files for name in heads(path)}
        before, after = dict(change.before), dict(change.after)
        targets: dict[NotePath, Targets] = {}
        for path, note in after.items():
            if note is not None and note.links:
                targets[path] = tuple(resolve_link(names, path, link) for link in note.links)
        for path in {path for name in came_or_went for path in self._writers.get(name, ())} - after.keys():
            before[path] = after[path] = notes[path]
            targets[path] = self._looked_up_again(names, notes[path], came_or_went)
        return type(self)(
            self._outgoing.with_changes(targets, [path for path in after if path not in targets]),
            _moved(self._writers, _heads_by_note(before), _heads_by_note(after)),
            _moved(self._missing, self._missed(before), _missed_by_note(after, targets)),
        )

    def _looked_up_again(self, names: Names, note: Note, came_or_went: AbstractSet[str]) -> Targets:
        """The targets of a note that did not change, where only files with these heads came or went."""
        return tuple(
            resolve_link(names, note.path, link) if head(link.target) in came_or_went else old
            for link, old in zip(note.links, self._outgoing[note.path], strict=True)
        )

    def outgoing(self, path: NotePath) -> Targets:
        """Where the links of the note lead, in the order of `note.links`."""
        return self._outgoing.get(path, ())

    def sources(self, path: NotePath) -> tuple[NotePath, ...]:
        """The notes with a link to *path*, by path; the note itself is among them if it links to itself."""
        writers = {source for name in heads(path) for source in self._writers.get(name, ())}
        writers.add(path)  # `[[#Heading]]` writes no name.
        return tuple(sorted(source for source in writers if path in self._outgoing.get(source, ())))

    def missing(self) -> PersistentMap[str, tuple[NotePath, ...]]:
        """For each missing file (`resolve.meant_path`) the notes that link to it, by path."""
        return self._missing

    def _missed(self, notes: Mapping[NotePath, Note | None]) -> dict[NotePath, set[str]]:
        return _missed_by_note(notes, self._outgoing)


def is_missed(link: NoteLink, target: NotePath | None) -> bool:
    """Whether the link names a file that does not exist: addresses and bare slashes name none."""
    return target is None and not ignorable(link.target) and not is_address(link.target)


def _heads_of(note: Note) -> set[str]:
    return {name for link in note.links if (name := head(link.target))}


def _missed_by(note: Note, targets: Targets) -> set[str]:
    pairs = zip(note.links, targets, strict=True)
    return {meant_path(note.path, link.target) for link, target in pairs if is_missed(link, target)}


def _heads_by_note(notes: Mapping[NotePath, Note | None]) -> dict[NotePath, set[str]]:
    return {path: _heads_of(note) for path, note in notes.items() if note is not None}


def _missed_by_note(
    notes: Mapping[NotePath, Note | None], targets: Mapping[NotePath, Targets]
) -> dict[NotePath, set[str]]:
    return {
        path: _missed_by(note, targets[path])
        for path, note in notes.items()
        if note is not None and note.links
    }


def _sorted(sources: dict[str, list[NotePath]]) -> _Sources:
    return PersistentMap({name: tuple(sorted(paths)) for name, paths in sources.items()})


def _moved(
    sources: _Sources, before: Mapping[NotePath, AbstractSet[str]], after: Mapping[NotePath, AbstractSet[str]]
) -> _Sources:
    """*sources* where each of these notes no longer stands under the names before, but those after."""
    came, went = dict[str, list[NotePath]](), dict[str, list[NotePath]]()
    for path in before.keys() | after.keys():
        old, new = before.get(path, frozenset()), after.get(path, frozenset())
        for name in new - old:
            came.setdefault(name, []).append(path)
        for name in old - new:
            went.setdefault(name, []).append(path)
    changed = {
        name: with_members(sources.get(name, ()), came.get(name, ()), went.get(name, ()))
        for name in came.keys() | went.keys()
    }
    put = {name: paths for name, paths in changed.items() if paths}
    return sources.with_changes(put, changed.keys() - put.keys())
