"""Which vault a file belongs to, and the sessions of the vaults that are open.

Owned by the main thread. Knows workspace folders and where vaults begin; must not know documents, the
index or the protocol's messages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from knapper.base.settings import Settings
from knapper.index.vaults import refusal, vault_root
from knapper.lsp.capabilities import Client
from knapper.lsp.session import Session, root_uri
from knapper.lsp.uris import path_of


@dataclass(frozen=True, slots=True)
class Folder:
    """A workspace folder; `uri` is as the client writes it."""

    uri: str
    path: Path


class Vaults:
    """The sessions by root, and the single files outside every vault."""

    def __init__(self, client: Client, settings_for: Callable[[Path], Settings]) -> None:
        self._client = client
        self._settings_for = settings_for
        self._folders: dict[Path, Folder] = {}
        self._sessions: dict[Path, Session] = {}  # by real root: a vault is one, however it is reached
        self._alone: dict[Path, Session] = {}

    def __iter__(self) -> Iterator[Session]:
        return iter((*self._sessions.values(), *self._alone.values()))

    def vaults(self) -> tuple[Session, ...]:
        """The sessions that are vaults."""
        return tuple(self._sessions.values())

    # --- folders ---

    def add_folder(self, uri: str) -> str | None:
        """Open the vault of a workspace folder; why it is not opened, if it is too wide to be one."""
        path = path_of(uri)
        if path is None:
            return None
        self._folders[path] = Folder(uri, path)
        root = vault_root(path) or path
        if self._is_refused(root):
            return refusal(root)
        self._session(root, uri)
        return None

    def remove_folder(self, uri: str) -> None:
        """Forget a workspace folder; its session stays until `unused` is asked."""
        path = path_of(uri)
        if path is not None:
            self._folders.pop(path, None)

    def unused(self, wanted: set[Session]) -> list[Session]:
        """Take out the sessions that no folder needs and that are not *wanted*, and give them back."""
        needed = {_real(vault_root(path) or path) for path in self._folders}
        gone = [s for root, s in self._sessions.items() if root not in needed and s not in wanted]
        gone += [s for s in self._alone.values() if s not in wanted]
        self._sessions = {root: s for root, s in self._sessions.items() if s not in gone}
        self._alone = {file: s for file, s in self._alone.items() if s not in gone}
        return gone

    # --- files ---

    def of_file(self, file: Path, uri: str) -> Session:
        """The session of a file, which is opened if it is new."""
        root = vault_root(file.parent)
        if root is None:
            around = [
                path for path in self._folders if file.is_relative_to(path) and not self._is_refused(path)
            ]
            root = max(around, key=lambda path: len(path.parts), default=None)
        if root is not None:
            return self._session(root, uri)
        if file not in self._alone:
            folder = file.parent
            settings = self._settings_for(folder)
            session = Session(folder, root_uri(folder, uri), settings, self._client, alone=True)
            self._alone[file] = session
        return self._alone[file]

    def holding(self, file: Path) -> Session | None:
        """The open vault that holds a file, by its path alone: the file may be gone."""
        return self._holding(file) or self._holding(_real(file.parent) / file.name)

    def _holding(self, file: Path) -> Session | None:
        roots = [
            s for s in self._sessions.values() if file.is_relative_to(s.root) or file.is_relative_to(s.real)
        ]
        return max(roots, key=lambda s: len(s.root.parts), default=None)

    def _session(self, root: Path, uri: str) -> Session:
        real = _real(root)
        if real not in self._sessions:
            settings = self._settings_for(root)
            self._sessions[real] = Session(root, root_uri(root, uri), settings, self._client)
        return self._sessions[real]

    def _is_refused(self, path: Path) -> bool:
        return refusal(path) is not None and not self._settings_for(path)["index.always"]


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
