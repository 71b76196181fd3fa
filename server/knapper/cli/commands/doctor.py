"""`knapper doctor`: whether everything works, in plain sentences."""

from __future__ import annotations

from pathlib import Path

import click

from knapper.cli.checks import (
    FAIL,
    OK,
    WARN,
    check_engine,
    check_folders,
    check_index,
    check_models,
    check_provider,
    check_settings,
    check_vault,
    check_watching,
)
from knapper.cli.opened import find_root, settings_of
from knapper.cli.options import vault_command
from knapper.cli.output import print_json, say
from knapper.index.location import locate

_COLOURS = {OK: "green", WARN: "yellow", FAIL: "red"}


@click.command()
@vault_command
@click.pass_context
def doctor(ctx: click.Context, vault: Path | None, as_json: bool) -> None:
    """Check that everything Knapper needs works.

    Looks at SQLite, Knapper's folders, the settings, the vault, its index, the watching of files, the
    models and who writes answers. Exit code 1 if something is broken.
    """
    root = find_root(vault)
    settings = settings_of(root)
    location = locate(root, settings["index.location"])
    found = [
        check_engine(),
        *check_folders(),
        *check_settings(root),
        *check_vault(root),
        *check_index(location),
        check_watching(),
        *check_models(settings),
        check_provider(settings),
    ]
    if as_json:
        print_json([check._asdict() for check in found])
    else:
        for check in found:
            say(f"{click.style(f'{check.level:4}', fg=_COLOURS[check.level])}  {check.name}: {check.message}")
    if any(check.level == FAIL for check in found):
        ctx.exit(1)
