"""Starting and ending the server process. Knows streams, logging and exit codes."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import sys

from knapper.lsp import wire
from knapper.lsp.dispatch import TableDispatcher
from knapper.lsp.server import KnapperServer
from knapper.lsp.table import HANDLERS
from knapper.lsp.wire import Wire

_SWITCH_S = 0.001


def serve(*, stdio: bool = True, tcp: tuple[str, int] | None = None) -> int:
    """Serve one client until it ends; the exit code: 0 only after `shutdown`."""
    _quiet()
    if tcp is None and stdio:
        connection = wire.stdio()
    elif tcp is not None:
        connection = wire.accept(*tcp, lambda host, port: _say(f"Listening on {host}:{port}"))
    else:
        raise ValueError("Either stdio or an address is needed.")
    return asyncio.run(_serve(connection))


async def _serve(connection: Wire) -> int:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    server = KnapperServer(HANDLERS)
    protocol = server.protocol
    protocol.on_exit = end
    protocol.dispatcher = server.dispatcher = TableDispatcher(HANDLERS, protocol, server, server.jobs)
    protocol.set_writer(connection)
    connection.listen(protocol.receive, lambda: end(protocol.exit_code()), protocol.cancelled_early)
    gc.collect()
    gc.freeze()  # What is loaded now stays: no collection needs to look at it again.
    code = await ended
    server.stop()
    return code


def _quiet() -> None:
    """Log to stderr and only what is wrong: pygls would log every message with the notes in it."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    for name in ("pygls", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)
    sys.setswitchinterval(_SWITCH_S)


def _say(line: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
