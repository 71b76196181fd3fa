"""`knapper models`: which models are used, getting them, and whether they are any good on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from knapper.cli.bar import progress_bar
from knapper.cli.opened import find_root, settings_of
from knapper.cli.options import Trouble, vault_command
from knapper.cli.output import counted, faint, print_json, say
from knapper.cli.trial import KINDS, Trial, chosen, state_of, try_model
from knapper.models.choice import models_folder


@click.group()
def models() -> None:
    """The models for search by meaning: what is there, downloading, trying out.

    Search works without any. Models are downloaded by `fetch` or when you accept the editor's offer, and then
    run on this machine alone.
    """


@models.command("list")
@vault_command
def list_models(vault: Path | None, as_json: bool) -> None:
    """List the models of the settings, and whether they are there."""
    settings = settings_of(find_root(vault))
    found = [{"kind": kind, "name": name, "state": state_of(kind, name)} for kind, name in chosen(settings)]
    if as_json:
        print_json({"folder": str(models_folder()), "models": found})
        return
    for model in found:
        say(f"{model['kind']:9} {click.style(model['name'], bold=True)}  {model['state']}")
    if not found:
        say("The settings switch search by meaning and reranking off.")
    say(faint(f"downloaded models lie in {models_folder()}"))


@models.command()
@click.argument("name", required=False)
@vault_command
def fetch(name: str | None, vault: Path | None, as_json: bool) -> None:
    """Download the models of the settings, or NAME alone. What is there and whole is left as it is."""
    from knapper.models.download import fetch as download  # noqa: PLC0415 -- Only this command needs it.
    from knapper.models.ports import ModelError  # noqa: PLC0415 -- The same.

    wanted = [(kind, model) for kind, model in chosen(settings_of(find_root(vault))) if name in (None, model)]
    if name and not wanted:
        raise Trouble(f"The settings name no model {name}; `knapper models list` tells which they name.")
    done: list[str] = []
    for kind, model in wanted:
        if Path(model).expanduser().is_absolute():
            continue
        try:
            with progress_bar() as progress:
                download(model, kind, progress)
        except ModelError as error:
            raise Trouble(str(error)) from error
        done.append(model)
    if as_json:
        print_json({"folder": str(models_folder()), "models": done})
    elif done:
        say(f"{', '.join(done)} {'is' if len(done) == 1 else 'are'} there; `knapper models test` tries them.")
    else:
        say("There is nothing to download: the settings name folders, or no models.")


@models.command()
@vault_command
@click.pass_context
def test(ctx: click.Context, vault: Path | None, as_json: bool) -> None:
    """Load each model, have it tell sense from nonsense, and measure its speed. Exit code 1: one fails."""
    trials = [try_model(kind, name, settings_of(find_root(vault))) for kind, name in chosen_or_trouble(vault)]
    if as_json:
        print_json([_as_json(trial) for trial in trials])
    else:
        for trial in trials:
            _show(trial)
    if any(trial.problem for trial in trials):
        ctx.exit(1)


def chosen_or_trouble(vault: Path | None) -> list[tuple[str, str]]:
    """The models of the settings. Raises `Trouble` if they name none."""
    found = chosen(settings_of(find_root(vault)))
    if not found:
        raise Trouble("The settings switch search by meaning and reranking off.")
    return found


def _as_json(trial: Trial) -> dict[str, Any]:
    return {"kind": trial.kind, "name": trial.name, "problem": trial.problem, **trial.figures}


def _show(trial: Trial) -> None:
    say(f"{trial.kind:9} {click.style(trial.name, bold=True)}")
    if trial.problem:
        say(f"          {click.style('fails', fg='red')}  {trial.problem}")
        return
    for name, unit in KINDS[trial.kind]:
        if name in trial.figures:
            say(f"          {trial.figures[name]:>8g}  {unit}")
    if passages := trial.figures.get("passagesPerSecond"):
        say(faint(f"          {counted(10_000, 'passage')} would take {10_000 / passages / 60:.0f} minutes"))
