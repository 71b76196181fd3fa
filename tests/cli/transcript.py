"""Command-line sessions as one would see them in a terminal, checked line by line.

    $ knapper backlinks Bread
    Oven.md:1  needs [[Bread]]
    $ knapper search zeppelin
    [1]

A line that begins with `$` is run in the vault's folder; what follows is all it prints, on both streams;
`[1]` is the exit code if it is not 0. `VAULT` stands for the vault's folder.
"""

from __future__ import annotations

import os
import shlex
import textwrap
from pathlib import Path

from click.testing import CliRunner, Result

from knapper.cli.main import knapper


def run(vault: Path, *arguments: str) -> Result:
    """Run `knapper` with *arguments* in *vault*, as the shell would. A traceback fails the test."""
    before = Path.cwd()
    os.chdir(vault)
    try:
        result = CliRunner().invoke(
            knapper, [argument.replace("VAULT", str(vault)) for argument in arguments]
        )
    finally:
        os.chdir(before)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def check_transcript(vault: Path, session: str) -> None:
    """Run every command of *session* and compare it with what really came."""
    expected = textwrap.dedent(session).strip("\n").split("\n")
    seen: list[str] = []
    for line in expected:
        if line.startswith("$ knapper"):
            result = run(vault, *shlex.split(line)[2:])
            printed = result.output.replace(str(vault), "VAULT").split("\n")
            seen += [line, *(text.rstrip() for text in printed if text.strip())]
            seen += [f"[{result.exit_code}]"] if result.exit_code else []

    assert seen == [line for line in expected if line.strip()]
