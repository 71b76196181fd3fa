"""`knapper graph`: what links to what."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from knapper.cli.opened import OpenedVault, opened
from knapper.cli.options import vault_command
from knapper.cli.output import counted, faint, print_json, say, where
from knapper.ide.graph import graph as link_graph
from knapper.ide.snapshot import Ground, Snapshot


@click.command()
@click.argument("note", required=False)
@click.option("--depth", default=1, type=click.IntRange(1, 20), help="How far from NOTE.  [default: 1]")
@vault_command
def graph(note: str | None, depth: int, vault: Path | None, as_json: bool) -> None:
    """Print the link graph of the vault, or of what lies around NOTE.

    As JSON: nodes {id, path, title}, where `path` is null for a note that is linked and does not exist, and
    edges {source, target, count} between ids.
    """
    with opened(vault) as it:
        found = link_graph(_snapshot(it), it.note_called(note) if note else None, depth)
    if as_json:
        print_json(
            {"nodes": [asdict(node) for node in found.nodes], "edges": [asdict(edge) for edge in found.edges]}
        )
        return
    titles = {node.id: node.title if node.path is None else node.path for node in found.nodes}
    for edge in found.edges:
        say(f"{where(titles[edge.source])} {faint('→')} {titles[edge.target]}")
    say(faint(f"{counted(len(found.nodes), 'node')}, {counted(len(found.edges), 'edge')}"))


def _snapshot(it: OpenedVault) -> Snapshot:
    return Snapshot(
        revision=0,
        ground=Ground(it.view),
        overlays={},
        settings=it.settings,
        read=it.text_of,
        size=lambda _: None,
    )
