"""Which documents nobody on the main thread should wait for."""

from __future__ import annotations

from pathlib import Path

from knapper.base.settings import Settings
from knapper.ide.host import Host
from knapper.lsp.capabilities import Client
from knapper.lsp.here import Here, Vault
from knapper.vault.note import Note
from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView


def test_a_long_document_is_heavy_until_it_is_parsed() -> None:
    names = ("small", "long", "open", "typed")
    paths = small, long, opened, _ = [NotePath(f"{name}.md") for name in names]
    notes = [Note(path, size=10_000_000 if path != small else 10) for path in paths]
    settings = Settings()
    host = Host(VaultView.build(notes, paths, Obsidian(), settings), settings)
    host.open(opened, 1, "x\n\n" * 200_000)
    host.open(paths[3], 1, "short\n")

    def heavy() -> list[NotePath]:
        vault = Vault(Path("/v"), "file:///v", host.snapshot(), Client())
        return [path for path in paths if Here(vault, path).is_heavy]

    before = heavy()
    host.settle(opened)

    assert (before, heavy()) == ([long, opened], [long])
