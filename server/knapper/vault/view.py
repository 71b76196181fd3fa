"""A whole vault as of one state of the index: notes, names, links, tags, properties. Frozen.

Knows what the index knows; must not know unsaved texts (`ide.snapshot` lays them over), nor where the
vault lies on disk. A change makes a new view that shares all that did not change.

Invariant: `view.apply(delta)` equals `VaultView.build` of what is there after the delta; `differences`
checks it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import nlargest
from typing import NamedTuple, Self

from knapper.base.exclusion import Exclusion
from knapper.base.settings import Settings
from knapper.vault.graph import Graph, GraphChange, is_missed
from knapper.vault.names import Names
from knapper.vault.note import Note, NoteLink
from knapper.vault.obsidian import Obsidian, exclusion
from knapper.vault.paths import NotePath, is_note
from knapper.vault.persistent import PersistentMap
from knapper.vault.resolve import meant_path
from knapper.vault.tally import PropertyUse, TagUse, Tally


class Backlink(NamedTuple):
    """A link and the note it stands in."""

    source: NotePath
    link: NoteLink


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A file that links name and that does not exist: its name as written first, and all the links."""

    target: str
    links: tuple[Backlink, ...]


@dataclass(frozen=True, slots=True)
class Delta:
    """What changed up to state `seq`: notes that are new or changed, other files that came, what is gone.

    A path that is both gone and there was replaced. `problems` are all there are now; None: as before.
    """

    seq: int
    notes: tuple[Note, ...] = ()
    files: tuple[NotePath, ...] = ()
    gone: tuple[NotePath, ...] = ()
    problems: Mapping[NotePath, str] | None = None


@dataclass(frozen=True, eq=False)
class VaultView:
    """A vault, immutable. Views compare by identity; use `differences` to compare what they hold."""

    seq: int = 0
    notes: PersistentMap[NotePath, Note] = field(default_factory=PersistentMap)
    names: Names = field(default_factory=lambda: Names.of(()))
    graph: Graph = field(default_factory=Graph)
    tally: Tally = field(default_factory=Tally)
    obsidian: Obsidian = field(default_factory=Obsidian)
    excluded: Exclusion | None = None
    problems: Mapping[NotePath, str] = field(default_factory=dict)

    @classmethod
    def build(
        cls,
        notes: Iterable[Note],
        files: Iterable[NotePath] = (),
        obsidian: Obsidian | None = None,
        settings: Settings | None = None,
        seq: int = 0,
        problems: Mapping[NotePath, str] | None = None,
    ) -> Self:
        """The view of *notes*, from scratch. *files* are the other files; notes may be among them."""
        by_path = {note.path: note for note in notes}
        names = Names.of({*files, *by_path})
        obsidian = obsidian or Obsidian()
        return cls(
            seq=seq,
            notes=PersistentMap(by_path),
            names=names,
            graph=Graph.build(by_path.values(), names),
            tally=Tally.build(by_path.values()),
            obsidian=obsidian,
            excluded=exclusion(obsidian, settings or Settings())[0],
            problems=dict(problems or {}),
        )

    def apply(self, delta: Delta) -> Self:
        """The view after *delta*; the work grows with the delta, not with the vault."""
        after = {note.path: note for note in delta.notes}
        here = {*after, *delta.files}
        gone = [path for path in delta.gone if path not in here]
        came = [path for path in here if not self.names.has(path)]
        went = [path for path in gone if self.names.has(path)]
        before = {path: self.notes.get(path) for path in (*after, *delta.gone)}
        notes = self.notes.with_changes(after, [path for path in delta.gone if path not in after])
        names = self.names.with_changes(came, went)
        change = GraphChange(before, {path: after.get(path) for path in before}, (*came, *went))
        old = [note for note in before.values() if note is not None]
        return replace(
            self,
            seq=delta.seq,
            notes=notes,
            names=names,
            graph=self.graph.changed(notes, names, change),
            tally=self.tally.changed(notes, old, after.values()),
            problems=self.problems if delta.problems is None else dict(delta.problems),
        )

    def configured(self, obsidian: Obsidian, settings: Settings) -> Self:
        """The same vault under other settings."""
        return replace(self, obsidian=obsidian, excluded=exclusion(obsidian, settings)[0])

    @property
    def tags(self) -> Mapping[str, TagUse]:
        """The tags by folded name (`paths.key`), those above nested ones included."""
        return self.tally.tags

    @property
    def properties(self) -> Mapping[str, PropertyUse]:
        """The properties by folded name (`paths.key`)."""
        return self.tally.properties

    def is_excluded(self, path: str) -> bool:
        """Whether the person hides *path* from search; links to it work all the same."""
        return self.excluded is not None and self.excluded.holds(path)

    def backlinks(self, path: NotePath) -> Iterator[Backlink]:
        """The links to *path* from other notes, by path and place."""
        for source in self.graph.sources(path):
            if source != path:
                for link, target in zip(self.notes[source].links, self.graph.outgoing(source), strict=True):
                    if target == path:
                        yield Backlink(source, link)

    def unresolved(self) -> list[Unresolved]:
        """The missing files, the one with the most links first."""
        found: dict[str, list[Backlink]] = {}
        for source in sorted({source for sources in self.graph.missing().values() for source in sources}):
            for meant, link in self._missed_by(source):
                found.setdefault(meant, []).append(Backlink(source, link))
        every = [Unresolved(links[0].link.target, tuple(links)) for links in found.values()]
        return sorted(every, key=lambda item: (-len(item.links), item.target))

    def links_to_missing(self, source: NotePath, target: str) -> tuple[Backlink, ...]:
        """All links that name the same missing file as *target* does in *source*, by path and place."""
        wanted = meant_path(source, target)
        return tuple(
            Backlink(writer, link)
            for writer in self.graph.missing().get(wanted, ())
            for meant, link in self._missed_by(writer)
            if meant == wanted
        )

    def _missed_by(self, source: NotePath) -> Iterator[tuple[str, NoteLink]]:
        """The links of *source* to missing files, each with the path it means."""
        for link, target in zip(self.notes[source].links, self.graph.outgoing(source), strict=True):
            if is_missed(link, target):
                yield meant_path(source, link.target), link

    def neighbours(self, path: NotePath) -> tuple[NotePath, ...]:
        """The files that *path* links to or that link to it, by path."""
        linked = {target for target in self.graph.outgoing(path) if target is not None}
        return tuple(sorted({*linked, *self.graph.sources(path)} - {path}))

    def orphans(self) -> tuple[NotePath, ...]:
        """The notes that neither link to another file nor are linked to, by path; hidden ones left out."""
        linked: set[NotePath] = set()
        for source in self.notes:
            for target in self.graph.outgoing(source):
                if target is not None and target != source:
                    linked.update((source, target))
        alone = (path for path in self.notes if path not in linked and is_note(path))
        return tuple(sorted(path for path in alone if not self.is_excluded(path)))

    def recent(self, limit: int = 50) -> tuple[NotePath, ...]:
        """The notes changed last, the newest first."""
        return self._recent[:limit] if limit <= _RECENT else self._newest(limit)

    @cached_property
    def _recent(self) -> tuple[NotePath, ...]:
        return self._newest(_RECENT)

    def _newest(self, limit: int) -> tuple[NotePath, ...]:
        newest = nlargest(limit, self.notes.values(), key=lambda note: (note.modified, note.path))
        return tuple(note.path for note in newest)


_RECENT = 200


def differences(view: VaultView, settings: Settings | None = None) -> list[str]:
    """What in *view* differs from a view built from scratch; empty unless there is a mistake in `apply`."""
    notes, files = view.notes.values(), tuple(view.names)
    scratch = VaultView.build(notes, files, view.obsidian, settings, view.seq, view.problems)
    parts = [part for part in ("names", "graph", "tally") if getattr(view, part) != getattr(scratch, part)]
    return [f"The view is not what it should be in its {part}." for part in parts]
