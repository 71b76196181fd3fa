"""From `initialize` to `shutdown`: what the client and the server tell each other about themselves."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException

from knapper.lsp.capabilities import Client, client_of
from knapper.lsp.custom import COMMANDS
from knapper.lsp.protocol import RUNNING, SHUT_DOWN
from knapper.lsp.settings import SECTION
from knapper.lsp.uris import uri_of

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_WATCH_PARENT_S = 2.0


def initialize(server: KnapperServer, params: t.InitializeParams) -> t.InitializeResult:
    """Answer at once with what the server can do for this client; nothing is waited for."""
    # One encoding, one code path: every client must know UTF-16, whatever else it offers.
    params.capabilities.general = t.GeneralClientCapabilities(
        position_encodings=[t.PositionEncodingKind.Utf16]
    )
    server.protocol.client_capabilities = params.capabilities
    client = client_of(params.capabilities, params.client_info.name if params.client_info else "")
    server.meet(client, params.initialization_options, _folders(params))
    server.protocol.state = RUNNING
    _watch_parent(server, params.process_id)
    return t.InitializeResult(
        capabilities=_capabilities(server, client),
        server_info=t.ServerInfo(name=server.name, version=server.version),
    )


def _folders(params: t.InitializeParams) -> list[str]:
    if params.workspace_folders:
        return [folder.uri for folder in params.workspace_folders]
    if params.root_uri:
        return [params.root_uri]
    return [uri_of(os.path.normpath(params.root_path))] if params.root_path else []


def _capabilities(server: KnapperServer, client: Client) -> t.ServerCapabilities:
    methods = {handler.method for handler in server.handlers}
    if not client.diagnostic_refresh:
        methods.discard(t.TEXT_DOCUMENT_DIAGNOSTIC)
    built: t.ServerCapabilities = ServerCapabilitiesBuilder(
        server.protocol.client_capabilities,
        methods,
        {handler.method: handler.options for handler in server.handlers if handler.options is not None},
        list(COMMANDS),
        t.TextDocumentSyncKind.Incremental,
    ).build()  # type: ignore[no-untyped-call]
    return built


def initialized(server: KnapperServer, _params: Any) -> None:
    """Register what is registered at run time, and ask for the settings."""
    server.jobs.start(_register(server))
    if server.client.configuration:
        server.jobs.start(server.ask_settings())
    else:
        server.begin()


async def _register(server: KnapperServer) -> None:
    wanted: list[tuple[str, str, object]] = []
    if server.client.register_watched_files:
        watchers = [t.FileSystemWatcher(glob_pattern="**/*")]
        options = t.DidChangeWatchedFilesRegistrationOptions(watchers)
        wanted.append(("watched-files", t.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if server.client.register_configuration:
        section = t.DidChangeConfigurationRegistrationOptions(section=SECTION)
        wanted.append(("configuration", t.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
    if wanted:
        registrations = [
            t.Registration(f"knapper-{name}", method, options) for name, method, options in wanted
        ]
        # A client that refuses loses nothing: the index process watches the files by itself.
        with contextlib.suppress(JsonRpcException):
            await server.client_register_capability_async(t.RegistrationParams(registrations))


def shutdown(server: KnapperServer, _params: Any) -> None:
    """Stop working; from now on only `exit` is expected."""
    server.protocol.state = SHUT_DOWN
    server.rest()


def ignored(_server: KnapperServer, _params: Any) -> None:
    """Take note of what needs no answer and no work."""


def progress_cancelled(server: KnapperServer, params: t.WorkDoneProgressCancelParams) -> None:
    """The person has had enough of a piece of long work."""
    server.cancel_progress(params.token)


def _watch_parent(server: KnapperServer, pid: int | None) -> None:
    """End when the process that started us has ended; one that is not alive now is somebody else's."""
    if pid is None or not _is_alive(pid):
        return

    def look() -> None:
        if _is_alive(pid):
            server.timers.later("parent", _WATCH_PARENT_S, look)
        else:
            server.protocol.on_exit(1)

    server.timers.later("parent", _WATCH_PARENT_S, look)


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":
        return _is_alive_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # It is there and not ours.
    return True


def _is_alive_on_windows(pid: int) -> bool:  # pragma: no cover
    """There `os.kill` would end the process."""
    import ctypes  # noqa: PLC0415 -- Only Windows needs it.

    kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(0x1000, False, pid)
    if not handle:
        return False
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return code.value == 259  # still active
