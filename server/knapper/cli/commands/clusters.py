"""`knapper clusters`: the topics of a vault."""

from __future__ import annotations

from pathlib import Path

import click

from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import counted, faint, print_json, say
from knapper.index.topics import topics
from knapper.search.semantic import caught_up

_SHOWN = 5


@click.command()
@click.option("--all", "every", is_flag=True, help="Name every note, not only the most typical ones.")
@vault_command
@click.pass_context
def clusters(ctx: click.Context, every: bool, vault: Path | None, as_json: bool) -> None:
    """List the topics of a vault: groups of notes that are alike, with the words that tell them apart."""
    with opened(vault) as it:
        matrix = caught_up(None, it.reader.vectors_since()) if it.settings["embeddings.enabled"] else None
        found = topics(it.reader, matrix.view() if matrix else None, it.hidden)
    if as_json:
        print_json([{"label": one.label, "words": one.words, "notes": one.notes} for one in found])
    else:
        for one in found:
            say(f"{click.style(one.label, bold=True)}  {faint(counted(len(one.notes), 'note'))}")
            shown = one.notes if every else one.notes[:_SHOWN]
            for path in shown:
                say(f"    {click.style(path, fg='cyan')}")
            if len(shown) < len(one.notes):
                say(faint(f"    and {len(one.notes) - len(shown):,} more"))
    if not found:
        if not as_json:
            say(faint("There are too few notes to find topics in."))
        ctx.exit(1)
