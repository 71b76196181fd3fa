"""`knapper index`: bring the index up to date, and say what that took."""

from __future__ import annotations

import time
from pathlib import Path

import click

from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import counted, faint, print_json, say, where


@click.command()
@vault_command
def index(vault: Path | None, as_json: bool) -> None:
    """Bring the index of a vault up to date. Only what has changed is read.

    With a model on this machine, passages without a vector get one; that may take minutes, can be broken
    off, and goes on from there the next time.
    """
    began = time.monotonic()
    with opened(vault, embed=True) as it:
        counts, problems = it.reader.counts(), it.reader.problems()
        seconds = time.monotonic() - began
        root, database = it.root, it.index.database
    if as_json:
        print_json(
            {
                "vault": str(root),
                "notes": counts.notes,
                "links": counts.links,
                "unresolved": counts.unresolved,
                "chunks": counts.chunks,
                "embedded": counts.meaning.embedded,
                "seconds": round(seconds, 3),
                "index": {"path": str(database), "bytes": database.stat().st_size},
                "problems": [{"path": path, "reason": reason} for path, reason in problems.items()],
            }
        )
        return
    links = f"{counted(counts.links, 'link')} ({counts.unresolved:,} unresolved)"
    passages = counted(counts.chunks, "passage")
    if counts.meaning.embedded:
        passages += f" ({counts.meaning.embedded:,} with a vector)"
    say(f"{counted(counts.notes, 'note')}, {links}, {passages} {faint(f'in {seconds:.1f} s')}")
    for path, reason in problems.items():
        say(f"{where(path)}  {reason}")
