"""What files a vault has, looked at from outside. Nothing is opened but `.gitignore`.

Hidden files and folders are no part of a vault, nor is a folder in it that is a vault itself. One file
has one entry, however many symbolic links lead to it, and none if it lies outside.
"""

# ruff: noqa: PTH110, PTH116, PTH118, PTH206 -- A `Path` for each file costs more than the look.

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path

from knapper.index.ignore import Ignored
from knapper.index.vaults import MARKERS
from knapper.store.rows import FileState
from knapper.vault.paths import NotePath

_DATALESS = 0x40000000  # SF_DATALESS: macOS keeps only the name.
_RECALL = 0x00400000 | 0x00001000  # FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS, _OFFLINE: so does Windows.
ONLINE_ONLY = "The file is kept in the cloud only and was not fetched; open it once to have it indexed."

_UNNAMEABLE = "The file's name is not UTF-8, so no link can name it; it was left out."
_OUTSIDE = "The symbolic link leads out of the vault and was not followed."

_Entry = os.DirEntry[str]
_Folder = tuple[str, str, Ignored]
"""A folder to look at: its path, where it lies, and what is ignored in the folder above it."""


class TooMany(Exception):  # noqa: N818 -- It is a finding, not an error.
    """There are more files than anybody keeps in a vault."""


class Scan:
    """A walk through a vault, or through the folder *under* it, one folder a step.

    Afterwards `files` holds every file's state, `problems` what could not be taken, `online_only` what
    must not be opened, and `unread` the folders whose files are unknown: `""` is the vault itself.
    """

    def __init__(
        self, root: Path, under: str = "", *, ignored: Ignored | None = None, most: int | None = None
    ) -> None:
        """*ignored* is what holds above *under*; more than *most* files end the walk."""
        self.files: dict[NotePath, FileState] = {}
        self.problems: dict[NotePath, str] = {}
        self.unread: list[str] = []
        self.online_only: set[NotePath] = set()
        self._root = os.path.realpath(root)
        self._most = most
        self._seen: set[str] = set()
        disk = os.path.join(self._root, under) if under else self._root
        self._todo: list[_Folder] = [(under, disk, ignored or Ignored.of(root))]

    def step(self) -> bool:
        """Look at one more folder; whether there are others left. Raises `TooMany`."""
        if self._todo:
            self._look(*self._todo.pop())
        if self._most is not None and len(self.files) > self._most:
            raise TooMany
        return bool(self._todo)

    def run(self, check: Callable[[], None] = lambda: None) -> Scan:
        """Look at all folders; *check* is called between them and may raise."""
        while self.step():
            check()
        return self

    def _look(self, path: str, disk: str, above: Ignored) -> None:
        try:
            with os.scandir(disk) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            self._could_not_read(path, error)
            return
        if path and any(entry.name in MARKERS for entry in entries):
            return  # A vault in the vault is its own.
        has_own = any(entry.name == ".gitignore" for entry in entries)
        ignored = above.within(path, disk) if has_own else above
        folders: list[_Folder] = []
        for entry in entries:
            child = f"{path}/{entry.name}" if path else entry.name
            if (placeholder := _placeholder_for(entry.name)) is not None:
                self.online_only.add(NotePath(child[: -len(entry.name)] + placeholder))
            elif not entry.name.startswith("."):
                self._take(entry, child, ignored, folders)
        self._todo.extend(reversed(folders))

    def _take(self, entry: _Entry, path: str, ignored: Ignored, folders: list[_Folder]) -> None:
        if not is_nameable(entry.name):
            name = os.fsencode(path).decode("utf-8", "backslashreplace")
            self.problems[NotePath(name)] = _UNNAMEABLE
            return
        try:
            if entry.is_symlink():
                self._follow(entry, path, ignored, folders)
            elif entry.is_dir(follow_symlinks=False):
                if not ignored.folder(path):
                    folders.append((path, entry.path, ignored))
            else:
                self._add(path, entry.stat(follow_symlinks=False))
        except OSError as error:
            self._could_not_read(path, error)

    def _add(self, path: str, found: os.stat_result) -> None:
        if not stat.S_ISREG(found.st_mode):
            return
        if is_online_only(found):
            self.online_only.add(NotePath(path))
        self.files[NotePath(path)] = state_of(found)

    def _follow(self, entry: _Entry, path: str, ignored: Ignored, folders: list[_Folder]) -> None:
        """A link into the vault's visible part adds nothing; one to its hidden part is followed, once."""
        real = os.path.realpath(entry.path)
        inside = _relative(self._root, real)
        if inside is None:
            if os.path.exists(real):
                self.problems[NotePath(path)] = _OUTSIDE
            return
        if real in self._seen or not any(part.startswith(".") for part in inside.split(os.sep)):
            return
        self._seen.add(real)
        found = os.stat(real)
        if stat.S_ISDIR(found.st_mode):
            folders.append((path, real, ignored))
        else:
            self._add(path, found)

    def _could_not_read(self, path: str, error: OSError) -> None:
        # What went away between the listing and the look is simply not there.
        if error.errno != errno.ENOENT or not path:
            self.unread.append(path)
            self.problems[NotePath(path or ".")] = f"It cannot be read: {error.strerror or error}."


def state_of(found: os.stat_result) -> FileState:
    """What a file looks like from outside."""
    return FileState(found.st_size, found.st_mtime_ns, found.st_ino)


def is_online_only(found: os.stat_result) -> bool:
    """Whether reading the file would make a cloud service fetch it."""
    flags = getattr(found, "st_flags", 0)
    attributes = getattr(found, "st_file_attributes", 0)
    return bool(flags & _DATALESS or attributes & _RECALL)


def _placeholder_for(name: str) -> str | None:
    """What iCloud has taken away: `.Note.md.icloud` stands for `Note.md`."""
    return name[:-7].lstrip(".") if name.endswith(".icloud") and len(name) > 8 else None


def is_nameable(name: str) -> bool:
    """Whether the name is text: one that is not stands here with lone surrogates for its bytes."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _relative(root: str, real: str) -> str | None:
    """*real* from *root* on, or None if it lies outside (`vault2` is not in `vault`)."""
    if real == root:
        return ""
    base = root if root.endswith(os.sep) else root + os.sep
    return real[len(base) :] if real.startswith(base) else None
