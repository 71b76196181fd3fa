"""One vault that the client has open: its root, its host, and how its paths are told to the client.

Owned by the main thread. Knows the disk as far as spelling and reading a file go; must not know the
index or other vaults.
"""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from knapper.base.settings import Settings
from knapper.ide.host import Host
from knapper.index.read import text_in
from knapper.lsp.capabilities import Client
from knapper.lsp.here import Vault
from knapper.lsp.uris import path_of, uri_of
from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView


@dataclass(frozen=True, slots=True)
class Document:
    """A file that the client has open: the URI as the client writes it, and where it belongs."""

    uri: str
    file: Path
    session: Session
    path: NotePath


class Session:
    """A vault, or a single file outside every vault (`alone`)."""

    def __init__(
        self, root: Path, uri: str, settings: Settings, client: Client, *, alone: bool = False
    ) -> None:
        self.root = root
        self.uri = uri.rstrip("/")
        self.real = Path(os.path.realpath(root))
        self.alone = alone
        self.client = client
        self.database: Path | None = None
        view = VaultView.build((), (), Obsidian(), settings)
        self.host = Host(view, settings, read=self.read, size=self.size, alone=alone)
        self._client_uris: dict[NotePath, str] = {}
        self._vault: Vault | None = None

    def vault(self) -> Vault:
        """The vault as it is now; the same object while nothing changes."""
        snap = self.host.snapshot()
        kept = self._vault
        if kept is None or kept.snap is not snap or kept.database != self.database:
            kept = self._vault = Vault(
                self.root, self.uri, snap, self.client, dict(self._client_uris), self.database, self.alone
            )
        return kept

    def opened(self, path: NotePath, uri: str) -> None:
        """Answer with this URI for the file from now on."""
        self._client_uris[path] = uri
        self._vault = None

    def closed(self, path: NotePath) -> None:
        """Answer with a URI of our own again."""
        self._client_uris.pop(path, None)
        self._vault = None

    # --- paths ---

    def path_of(self, file: Path) -> NotePath | None:
        """The path in the vault of an absolute path, spelled as the disk spells it; None outside."""
        inside = self._inside(file)
        return None if inside is None else self._as_on_disk(inside)

    def _inside(self, file: Path) -> str | None:
        for root in (self.root, self.real):
            if file.is_relative_to(root):
                return file.relative_to(root).as_posix()
        folder = Path(os.path.realpath(file.parent))  # reached through another symbolic link
        if folder.is_relative_to(self.real):
            return (folder / file.name).relative_to(self.real).as_posix()
        return None

    def _as_on_disk(self, path: str) -> NotePath:
        names = self.host.snapshot().view.names
        if names.has(NotePath(path)):
            return NotePath(path)
        known = names.exact(path)
        if known is None:
            return NotePath(path)
        given, found = self.root / path, self.root / known
        try:
            return known if given.samefile(found) else NotePath(path)
        except OSError:
            # What is asked for is not on disk: only another normal form of the same name can be meant.
            same = unicodedata.normalize("NFC", path) == unicodedata.normalize("NFC", known)
            return known if same else NotePath(path)

    # --- files ---

    def read(self, path: NotePath) -> str | None:
        """The text of a file of the vault, or None if it cannot be read or lies outside. Any thread."""
        return text_in(self.real, path)

    def size(self, path: NotePath) -> int | None:
        """How many bytes a file of the vault has. Any thread."""
        try:
            return self._real_file(path).stat().st_size
        except (OSError, ValueError):
            return None

    def _real_file(self, path: NotePath) -> Path:
        """Where the file really lies. A symbolic link that leads out of the vault is refused."""
        real = Path(os.path.realpath(self.real / path))
        if not real.is_relative_to(self.real):
            raise PermissionError(path)
        return real


def root_uri(root: Path, uri: str) -> str:
    """The URI of *root*, cut out of the URI of something in it, so that it is spelled as the client does."""
    while uri.count("/") > 2:
        found = path_of(uri)
        if found is None or len(found.parts) < len(root.parts):
            break
        if found == root:
            return uri
        uri = uri.rstrip("/").rpartition("/")[0]
    return uri_of(root)
