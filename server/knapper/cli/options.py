"""Options that every subcommand shares, and the one exception for what a person can mend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from knapper.cli.output import harmless

Command = TypeVar("Command", bound=Callable[..., Any])


class Trouble(click.ClickException):
    """Something the person can mend; the message says what, in one sentence. Exit code 2."""

    exit_code = 2

    def format_message(self) -> str:
        """The message, as it may be printed: it may name a note."""
        return harmless(self.message)


vault_option = click.option(
    "--vault",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="The vault. Without it, the nearest folder upwards with .obsidian or .knapper.toml, else this one.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def vault_command(command: Command) -> Command:
    """Add `--vault` and `--json`."""
    return vault_option(json_option(command))
