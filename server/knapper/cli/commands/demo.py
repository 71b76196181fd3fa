"""`knapper demo`: what an editor shows, from the real server on a copy of the example vault."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import click

import knapper
from knapper.cli.demo_client import Client, Misbehaved
from knapper.cli.options import Trouble
from knapper.cli.tour import Tour, configuration

_EXAMPLE = Path(knapper.__file__).resolve().parents[2] / "examples" / "vault"


@click.command()
@click.option(
    "--vault", type=click.Path(path_type=Path), metavar="FOLDER", help="A vault of your own; it is copied."
)
def demo(vault: Path | None) -> None:
    """Open the example vault through the real server and show what a person would see.

    A completion, a hover, the backlinks, a search and the diagnostics. Exit code 1 if the server misbehaves.
    """
    source = vault or _EXAMPLE
    if vault is None and not source.is_dir():
        raise Trouble("The example vault is in the project's folder only; name a vault with --vault.")
    if not source.is_dir():
        raise Trouble(f"There is no folder {source}; name a vault with --vault.")
    with tempfile.TemporaryDirectory(prefix="knapper-demo-") as folder:
        # A copy, so that nothing a person owns is changed; the index goes into it, too.
        root = Path(folder).resolve() / source.resolve().name
        shutil.copytree(source, root, symlinks=True)
        try:
            with Client(
                [sys.executable, "-m", "knapper", "serve", "--stdio"],
                {"workspace/configuration": configuration},
            ) as client:
                Tour(client, root).walk()
                client.close()
        except Misbehaved as error:
            raise click.ClickException(f"The demo stopped: {error}.") from None
