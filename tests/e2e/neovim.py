"""A real Neovim with the configuration that we ship, driven by keys.

Knows Neovim; must not know the server.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgpack

PROJECT = Path(__file__).parents[2]
PATIENCE_S = 30.0
REQUEST, RESPONSE = 0, 1
T = TypeVar("T")


class Entry(NamedTuple):
    """An entry of the quickfix or the location list; `path` counts from the vault, lines from 1."""

    path: str
    line: int
    text: str


class Neovim:
    """One editor on one vault. What it and the server say to each other is written to `recording`."""

    def __init__(self, vault: Path, scratch: Path) -> None:
        self.vault = vault
        self.recording = scratch / "messages.jsonl"
        init = scratch / "init.lua"
        init.write_text(_init(self.recording), encoding="utf-8")
        program = str(Path(sys.executable).with_name("nvim"))
        self.process = subprocess.Popen(
            [program, "--embed", "--headless", "--clean", "-u", str(init)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=vault,
            env={**os.environ, **_folders(scratch)},
        )
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.unpacker = msgpack.Unpacker(self.stdout, read_size=1, strict_map_key=False)
        self.last_id = 0

    # --- what a person does ---

    def open(self, name: str) -> None:
        """Edit a note and wait until the server answers for it."""
        self.lua("vim.cmd.edit(vim.fn.fnameescape(...))", name)
        ready = "local c = vim.lsp.get_clients({ bufnr = 0 })[1]; return c and c.initialized == true"
        self.wait(lambda: self.lua(ready), "the server to be initialized")
        self.wait(lambda: self.status()["state"] == "ready" and not self.status()["pending"], "the index")

    def keys(self, keys: str) -> None:
        """Press keys, as in `Go[[Sou<C-n>`."""
        self.lua("vim.api.nvim_feedkeys(vim.keycode(...), 't', false)", keys)

    def command(self, command: str) -> None:
        """Type a command of the command line."""
        self.lua("vim.cmd(...)", command)

    def wait(self, sign: Callable[[], T], what: str) -> T:
        """Look until *sign* gives something true, and return it."""
        end = time.monotonic() + PATIENCE_S
        while not (seen := sign()):
            assert time.monotonic() < end, f"waited in vain for {what}; {self.messages()}"
            time.sleep(0.02)
        return seen

    def quit(self) -> None:
        """Leave as a person does, so that the server is shut down by the protocol."""
        try:
            self.lua("for _, client in ipairs(vim.lsp.get_clients()) do client:stop() end")
            self.wait(lambda: self.lua("return #vim.lsp.get_clients() == 0"), "the server to stop")
            self.lua("vim.schedule(function() vim.cmd('qall!') end)")
            self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()
            self.process.wait()
            self.stdin.close()
            self.stdout.close()

    # --- what a person sees ---

    def line(self) -> str:
        """The line with the cursor."""
        text: str = self.lua("return vim.api.nvim_get_current_line()")
        return text

    def text(self) -> str:
        """All lines of the buffer in the window."""
        text: str = self.lua("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')")
        return text

    def place(self) -> tuple[str, int]:
        """The note in the window, as a path in the vault, and the line of the cursor from 1."""
        name, line = self.lua("return { vim.api.nvim_buf_get_name(0), vim.fn.line('.') }")
        return self._in_vault(name), line

    def offered(self) -> list[str]:
        """The items of the completion menu as they are shown."""
        info = self.lua("return vim.fn.complete_info({ 'items', 'pum_visible' })")
        return [item.get("abbr") or item["word"] for item in info["items"]] if info["pum_visible"] else []

    def float(self) -> str:
        """The text of the floating window, or nothing."""
        code = """
            for _, window in ipairs(vim.api.nvim_list_wins()) do
              if vim.api.nvim_win_get_config(window).relative ~= "" then
                local buffer = vim.api.nvim_win_get_buf(window)
                return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\\n")
              end
            end
            return ""
        """
        text: str = self.lua(code)
        return text

    def lenses(self) -> list[tuple[int, str]]:
        """The lenses of the buffer: line from 1, title."""
        code = """
            return vim.tbl_map(function(lens)
              return { lens.range.start.line + 1, lens.command and lens.command.title }
            end, vim.lsp.codelens.get(vim.api.nvim_get_current_buf()))
        """
        return [(line, title) for line, title in self.lua(code)]

    def diagnostics(self) -> list[str]:
        """The messages of the buffer's diagnostics."""
        code = "return vim.tbl_map(function(d) return d.message end, vim.diagnostic.get(0))"
        found: list[str] = self.lua(code)
        return found

    def quickfix(self) -> list[Entry]:
        """The quickfix list."""
        return self._entries("vim.fn.getqflist()")

    def locations(self) -> list[Entry]:
        """The location list of the window."""
        return self._entries("vim.fn.getloclist(0)")

    def messages(self) -> str:
        """What `:messages` shows."""
        text: str = self.lua("return vim.api.nvim_exec2('messages', { output = true }).output")
        return text

    # --- how ---

    def status(self) -> dict[str, Any]:
        """What `knapper/status` answers, asked by Neovim's own client."""
        code = """
            local client = vim.lsp.get_clients({ name = "knapper" })[1]
            return client:request_sync("knapper/status", vim.empty_dict(), 10000).result
        """
        result: dict[str, Any] = self.lua(code)
        return result

    def lua(self, code: str, *args: Any) -> Any:
        """Run Lua in the editor and return what it returns."""
        self.last_id += 1
        message = [REQUEST, self.last_id, "nvim_exec_lua", [code, list(args)]]
        self.stdin.write(msgpack.packb(message))
        self.stdin.flush()
        for kind, *rest in self.unpacker:
            if kind == RESPONSE and rest[0] == self.last_id:
                assert rest[1] is None, rest[1]
                return rest[2]
        raise AssertionError("Neovim is gone")

    def _entries(self, of: str) -> list[Entry]:
        code = f"""
            return vim.tbl_map(function(entry)
              return {{ vim.api.nvim_buf_get_name(entry.bufnr), entry.lnum, entry.text }}
            end, {of})
        """
        return [Entry(self._in_vault(name), line, text) for name, line, text in self.lua(code)]

    def _in_vault(self, name: str) -> str:
        return Path(name).relative_to(self.vault).as_posix()


def _init(recording: Path) -> str:
    """Our configuration as a person would install it; only the command goes through the recorder."""
    recorder = [sys.executable, str(PROJECT / "tests/e2e/recorder.py"), str(recording), "--"]
    command = [*recorder, sys.executable, "-m", "knapper", "serve"]
    words = ", ".join(f"[[{word}]]" for word in command)
    return f"""
        vim.opt.runtimepath:append([[{PROJECT / "editors/neovim"}]])
        vim.opt.swapfile = false
        vim.lsp.config("knapper", {{ cmd = {{ {words} }} }})
    """


def _folders(scratch: Path) -> dict[str, str]:
    """Nothing of the person's own is read or written; the server is the one beside these tests."""
    names = ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    own = {name: str(scratch / name.lower()) for name in names}
    return {**own, "PYTHONPATH": str(PROJECT / "server"), "HF_HUB_OFFLINE": "1"}
