"""The link graph, whole or around a note, as nodes and edges to draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from knapper.ide.preview import title_of
from knapper.ide.results import GraphEdge, GraphNode, LinkGraph
from knapper.ide.snapshot import Snapshot
from knapper.vault.graph import is_missed
from knapper.vault.paths import NotePath
from knapper.vault.resolve import meant_path


def graph(snap: Snapshot, path: NotePath | None = None, depth: int = 1) -> LinkGraph:
    """All notes and what they link to; with *path* only what is at most *depth* links away from it.

    Notes hidden by Obsidian's settings are left out, the note in the middle excepted. Links of a note to
    itself are no edges.
    """
    shown = _around(snap, path, depth) if path else {note.path for note in snap.notes()}
    shown = {item for item in shown if item == path or not snap.view.is_excluded(item)}
    edges: Counter[tuple[str, str]] = Counter()
    nodes = {item: GraphNode(item, item, title_of(snap, item)) for item in sorted(shown)}
    for source in sorted(shown):
        for target, name in _links(snap, source):
            if target is None:
                node = GraphNode(f"missing:{meant_path(source, name)}", None, name)
            elif target == source or (target not in shown and (path or snap.view.is_excluded(target))):
                continue
            else:
                node = GraphNode(target, target, title_of(snap, target))
            nodes.setdefault(node.id, node)  # type: ignore[arg-type]
            edges[source, node.id] += 1
    return LinkGraph(tuple(nodes.values()), tuple(GraphEdge(*pair, count) for pair, count in edges.items()))


def _links(snap: Snapshot, source: NotePath) -> Iterable[tuple[NotePath | None, str]]:
    """The targets of a note's links, with the target as written."""
    note = snap.note(source)
    for link, target in zip(note.links if note else (), snap.outgoing(source), strict=True):
        if target is not None or is_missed(link, target):
            yield target, link.target


def _around(snap: Snapshot, path: NotePath, depth: int) -> set[NotePath]:
    """The files at most *depth* links away, in either direction."""
    reached = edge = {path}
    for _ in range(depth):
        linked = {target for item in edge for target in snap.outgoing(item) if target is not None}
        edge = (linked | {source for item in edge for source in snap.sources(item)}) - reached
        reached = reached | edge
    return reached
