"""`knapper orphans`: notes without any link."""

from __future__ import annotations

from pathlib import Path

import click

from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import faint, print_json, say, where
from knapper.vault.paths import stem_of


@click.command()
@vault_command
def orphans(vault: Path | None, as_json: bool) -> None:
    """List the notes that link to no other file and that nothing links to."""
    with opened(vault) as it:
        paths = it.view.orphans()
        titles = {path: it.view.notes[path].title or stem_of(path) for path in paths}
    if as_json:
        print_json([{"path": path, "title": titles[path]} for path in paths])
        return
    for path in paths:
        say(where(path))
    if not paths:
        say(faint("Every note has a link."))
