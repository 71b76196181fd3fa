"""The `knapper` command: finds the subcommand, and turns what went wrong into words and an exit code.

Exit codes: 0, something was found or done; 1, nothing was found, or `doctor` found something broken; 2,
the command was used wrongly or the vault cannot be read. A subcommand is imported only when it is asked
for, so that `--help` and completion are quick.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from importlib import import_module

import click
from click.shell_completion import CompletionItem

from knapper import __version__

COMMANDS = {
    "serve": "Run the language server.",
    "index": "Bring the index of a vault up to date.",
    "status": "Say what the index holds and whether it is whole.",
    "search": "Find notes by words and by meaning.",
    "ask": "Answer a question from the notes, with the passages it rests on.",
    "related": "List the notes related to a note.",
    "clusters": "List the topics of a vault.",
    "backlinks": "List the links to a note.",
    "links": "List every link of a vault.",
    "unresolved": "List the links to notes that do not exist.",
    "orphans": "List the notes without any link.",
    "graph": "Print the link graph.",
    "provider": "Choose, try out and show who writes answers.",
    "models": "List, download and try out the models for search by meaning.",
    "doctor": "Check that everything Knapper needs works.",
    "rebuild": "Drop the index of a vault and build it anew.",
    "demo": "Show what an editor sees, on an example vault.",
    "completion": "Print the script that completes `knapper` in a shell.",
}
"""The subcommands in the order of `--help`, each with the sentence that describes it."""

INTERRUPTED = 130


class Subcommands(click.Group):
    """The subcommands, known by name and imported one at a time."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- Click's own signature.
        """The names, in the order in which a person needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- The same.
        """The subcommand *cmd_name*, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"knapper.cli.commands.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        command.short_help = COMMANDS[cmd_name]
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The subcommands and options that begin with *incomplete*; nothing is imported for it."""
        names = [
            CompletionItem(name, help=about)
            for name, about in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 -- The same.
        """List the subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Subcommands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 found or done, 1 nothing found, 2 wrong use or no readable vault.",
)
@click.version_option(__version__, prog_name="knapper")
@click.pass_context
def knapper(ctx: click.Context) -> None:
    """Links, backlinks and search for a vault of Markdown notes, in any editor and in the shell."""
    if os.environ.get("NO_COLOR"):
        ctx.color = False


def main() -> None:
    """Run the command of this process and end it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # A file name may be no text at all.
    try:
        code = knapper.main(prog_name="knapper", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        code = INTERRUPTED
    except OSError as error:
        if error.errno != errno.EPIPE:
            raise
        # The reader (`| head`) has had enough. Python would complain while it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
