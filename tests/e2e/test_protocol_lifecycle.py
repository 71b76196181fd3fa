"""Starting and ending: what is answered before `initialize`, after `shutdown`, and the exit codes."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.raw_client import BARE, PATIENCE_S, raw_client, server_environment, vault

INVALID_REQUEST, NOT_INITIALIZED = -32600, -32002
NOISY = """
from knapper.lsp.wire import Wire
from knapper.lsp.main import serve

listen = Wire.listen

def noisy(*arguments):
    print("noise", flush=True)
    return listen(*arguments)

Wire.listen = noisy
raise SystemExit(serve())
"""


def test_a_whole_session_ends_with_exit_code_zero(tmp_path: Path) -> None:
    with raw_client(tmp_path, "--stdio") as client:
        client.start(vault(tmp_path, {"Note.md": ""}))
        client.wait_until_ready()

        assert client.end() == 0
        assert client.errors() == ""


def test_exit_without_shutdown_is_exit_code_one(tmp_path: Path) -> None:
    with raw_client(tmp_path) as client:
        client.start(vault(tmp_path, {}))
        client.notify("exit")

        assert client.process.wait(PATIENCE_S) == 1


def test_exit_before_initialize_is_exit_code_one(tmp_path: Path) -> None:
    with raw_client(tmp_path) as client:
        client.notify("exit")

        assert client.process.wait(PATIENCE_S) == 1


def test_the_end_of_stdin_ends_the_server_and_its_index_process(tmp_path: Path) -> None:
    with raw_client(tmp_path) as client:
        client.start(vault(tmp_path, {"Note.md": ""}))
        client.wait_until_ready()
        assert client.process.stdin
        client.process.stdin.close()

        assert client.process.wait(PATIENCE_S) == 1
        client.wait_for(lambda: not children_of(client.process.pid))


def children_of(pid: int) -> list[str]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return found.stdout.split()


def test_requests_before_initialize_and_after_shutdown_are_refused(tmp_path: Path) -> None:
    with raw_client(tmp_path) as client:
        early = client.request("knapper/status", {})
        client.notify("textDocument/didClose", {"textDocument": {"uri": "file:///x.md"}})
        client.start(vault(tmp_path, {}))
        again = client.request("initialize", {"processId": None, "rootUri": None, "capabilities": BARE})
        client.request("shutdown")
        late = client.request("knapper/status", {})

        assert [answer["error"]["code"] for answer in (early, again, late)] == [
            NOT_INITIALIZED,
            INVALID_REQUEST,
            INVALID_REQUEST,
        ]
        client.notify("exit")
        assert client.process.wait(PATIENCE_S) == 0


def test_the_server_ends_when_the_process_that_started_it_has_ended(tmp_path: Path) -> None:
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with raw_client(tmp_path) as client:
        client.start(vault(tmp_path, {}), processId=editor.pid)
        editor.communicate(b"\n")

        assert client.process.wait(PATIENCE_S) == 1


def test_a_process_id_that_was_dead_from_the_start_is_not_watched(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with raw_client(tmp_path) as client:
        client.start(vault(tmp_path, {}), processId=gone.pid)
        with pytest.raises(subprocess.TimeoutExpired):
            client.process.wait(3)

        assert client.end() == 0


@pytest.mark.parametrize("offer", [None, ["utf-8", "utf-16"], ["utf-32"], ["utf-8"], []])
def test_positions_are_utf_16_whatever_is_offered(tmp_path: Path, offer: list[str] | None) -> None:
    root = vault(tmp_path, {"Note.md": "", "src.md": "🌀é [[Note]]\n"})
    general = {} if offer is None else {"general": {"positionEncodings": offer}}
    with raw_client(tmp_path) as client:
        begun = client.start(root, capabilities=BARE | general)
        uri = client.open(root / "src.md")
        client.wait_until_ready()
        links = client.result("textDocument/documentLink", {"textDocument": {"uri": uri}})

        assert begun["capabilities"]["positionEncoding"] == "utf-16"
        assert [
            (link["range"]["start"]["character"], link["range"]["end"]["character"]) for link in links
        ] == [(4, 12)]


def test_a_stray_print_cannot_damage_the_stream(tmp_path: Path) -> None:
    environment = server_environment(tmp_path)
    body = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
    code = NOISY
    ran = subprocess.run(
        [sys.executable, "-c", code],
        input=b"Content-Length: %d\r\n\r\n%b" % (len(body), body),
        capture_output=True,
        env=environment,
        timeout=PATIENCE_S,
        check=False,
    )

    assert ran.stdout.startswith(b"Content-Length: ")
    assert b"noise" in ran.stderr


def test_one_client_is_served_over_tcp(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "knapper", "serve", "--tcp", "127.0.0.1:0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, env=server_environment(tmp_path))
    assert server.stderr
    port = int(server.stderr.readline().rsplit(b":", 1)[1])
    body = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as connection:
        connection.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        answer = connection.recv(1000)
    code = server.wait(PATIENCE_S)
    server.stderr.close()

    assert b"-32002" in answer
    assert code == 1


def test_the_server_process_loads_no_model_library(tmp_path: Path) -> None:
    loaded = "[name for name in ('fastembed', 'onnxruntime', 'httpx') if name in sys.modules]"
    code = f"import sys, knapper.lsp.main; print({loaded})"
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=server_environment(tmp_path),
        check=True,
    )

    assert ran.stdout.strip() == "[]"
