"""`knapper completion`: the script that a shell needs to complete `knapper`."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from knapper.cli.options import Trouble
from knapper.cli.output import say

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes `knapper` in SHELL.

    \b
    bash   eval "$(knapper completion bash)"          in ~/.bashrc
    zsh    eval "$(knapper completion zsh)"           in ~/.zshrc
    fish   knapper completion fish | source           in ~/.config/fish/config.fish
    """  # noqa: D301 -- The \b keeps click from joining the lines.
    kind = get_completion_class(shell)
    if kind is None:
        raise Trouble(f"There is no completion for {shell}.")
    say(kind(ctx.find_root().command, {}, "knapper", "_KNAPPER_COMPLETE").source())
