"""`knapper unresolved`: links to what does not exist."""

from __future__ import annotations

from pathlib import Path

import click

from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import counted, faint, print_json, say, where


@click.command()
@vault_command
def unresolved(vault: Path | None, as_json: bool) -> None:
    """List the files that links name and that do not exist, the one with the most links first."""
    with opened(vault) as it:
        found = it.view.unresolved()
    if as_json:
        print_json(
            [
                {
                    "target": missing.target,
                    "count": len(missing.links),
                    "places": [
                        {"path": source, "line": link.place.line + 1, "text": link.text}
                        for source, link in missing.links
                    ],
                }
                for missing in found
            ]
        )
        return
    for missing in found:
        say(f"{click.style(missing.target, bold=True)}  {faint(counted(len(missing.links), 'link'))}")
        for source, link in missing.links:
            say(f"    {where(source, link.place.line)}  {link.text}")
    if not found:
        say(faint("Every link leads somewhere."))
