"""`knapper rebuild`: drop the index and build it anew."""

from __future__ import annotations

import time
from pathlib import Path

import click

from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import counted, faint, print_json, say


@click.command()
@vault_command
def rebuild(vault: Path | None, as_json: bool) -> None:
    """Drop the index of a vault and build it anew. No note is touched."""
    began = time.monotonic()
    with opened(vault, anew=True) as it:
        counts = it.reader.counts()
        seconds = time.monotonic() - began
        root, database = it.root, it.index.database
    if as_json:
        print_json(
            {"vault": str(root), "notes": counts.notes, "seconds": round(seconds, 3), "index": str(database)}
        )
    else:
        say(f"{counted(counts.notes, 'note')} indexed anew {faint(f'in {seconds:.1f} s')}")
