"""`knapper serve`: the language server."""

from __future__ import annotations

import re

import click

from knapper.cli.options import Trouble

_ADDRESS = re.compile(r"(?:(?P<host>\[[^\]]+\]|[^:]*):)?(?P<port>\d{1,5})")


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over standard input and output, which is the default.")
@click.option("--tcp", metavar="[HOST:]PORT", help="Wait for one client on this address instead.")
def serve(stdio: bool, tcp: str | None) -> None:
    """Run the language server. Editors start it themselves."""
    if stdio and tcp:
        raise Trouble("Choose one of --stdio and --tcp.")
    address = _address(tcp) if tcp else None
    from knapper.lsp.main import serve as run  # noqa: PLC0415 -- A mistyped address need not load the server.

    raise SystemExit(run(stdio=address is None, tcp=address))


def _address(tcp: str) -> tuple[str, int]:
    """`7777` gives `("127.0.0.1", 7777)`: nobody else's machine gets in unless it is asked for."""
    match = _ADDRESS.fullmatch(tcp)
    if not match or not 0 <= int(match["port"]) <= 65535:
        raise Trouble(f"--tcp takes HOST:PORT or PORT, not {tcp}.")
    return (match["host"] or "127.0.0.1").strip("[]"), int(match["port"])
