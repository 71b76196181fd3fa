"""`knapper backlinks`: who links to a note."""

from __future__ import annotations

from pathlib import Path

import click

from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import faint, print_json, range_of, say, where
from knapper.markup.note import LinkKind


@click.command()
@click.argument("note")
@vault_command
@click.pass_context
def backlinks(ctx: click.Context, note: str, vault: Path | None, as_json: bool) -> None:
    """List the links to NOTE from other notes.

    NOTE is a path, from here or in the vault, or a note's name.
    """
    with opened(vault) as it:
        found = list(it.view.backlinks(it.note_called(note)))
    if as_json:
        print_json(
            [
                {
                    "path": source,
                    "uri": (it.root / source).as_uri(),
                    "line": link.place.line + 1,
                    "range": range_of(link.place),
                    "text": link.text,
                    "context": link.context,
                    "embed": link.kind in {LinkKind.EMBED, LinkKind.IMAGE},
                }
                for source, link in found
            ]
        )
    else:
        for source, link in found:
            say(f"{where(source, link.place.line)}  {link.context}")
    if not found:
        if not as_json:
            say(faint("No other note links to it."))
        ctx.exit(1)
