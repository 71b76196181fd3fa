"""`knapper links`: every link of a vault."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import faint, print_json, say, where


@click.command()
@vault_command
def links(vault: Path | None, as_json: bool) -> None:
    """List every link of the vault: where it stands, how it is written, which file it means.

    As JSON, a list of {source, line, text, kind, target}: lines count from 1, `target` is null if there is
    no such file, `kind` is wikilink, embed, markdown, image, reference, property or canvas.
    """
    with opened(vault) as it:
        found = it.reader.links()
    if as_json:
        print_json([asdict(link) for link in found])
        return
    for link in found:
        target = link.target if link.target is not None else click.style("unresolved", fg="red")
        say(f"{where(link.source, link.line - 1)}  {link.text} {faint('→')} {target}")
