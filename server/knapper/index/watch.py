"""Hearing from the operating system that files of a vault changed. The only module that knows watchfiles.

On Linux every folder is watched by itself: a recursive watch would follow symbolic links out of the vault,
and spend its limited watches on `.git` and `node_modules`. Elsewhere one recursive watch costs nothing more.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import watchfiles

from knapper.index.ignore import Ignored
from knapper.index.scan import is_nameable
from knapper.index.vaults import MARKERS
from knapper.vault.paths import folder_of, name_of

_DEBOUNCE_MS = 400
_STEP_MS = 60
_MOST_EARS = 8
_BREATH_S = 1.0
_NO_TEXT = "Unable to decode path"  # The library has one error for all that it cannot do.
_log = logging.getLogger(__name__)


class Watch:
    """Threads that report changes in the vault at *root* until they are stopped.

    *changed* gets vault paths of files and folders, `""` for the whole vault, *configured* is called for
    settings files; *failed* is called if watching is not possible. All are called from other threads.
    """

    def __init__(
        self,
        root: Path,
        changed: Callable[[tuple[str, ...]], None],
        configured: Callable[[], None],
        failed: Callable[[str], None],
    ) -> None:
        self._root = os.path.realpath(root)
        self._changed = changed
        self._configured = configured
        self._failed = failed
        self._stopped = False
        self._has_lost = False
        self._lock = threading.Lock()
        self._ears: list[threading.Event] = []
        self._each = sys.platform == "linux"
        self._listen([""])

    def stop(self) -> None:
        """Stop, without waiting."""
        with self._lock:
            self._stopped = True
            self._hush()

    def _listen(self, folders: list[str]) -> None:
        """Begin to watch these folders and all below. What happened in them meanwhile is reported too."""
        stop = threading.Event()
        with self._lock:
            if self._stopped:
                return
            old = list(self._ears)
            if len(old) >= _MOST_EARS:  # One that hears everything takes over from them all.
                folders = [""]
            else:
                old = []
            self._ears = [ear for ear in self._ears if ear not in old] + [stop]
        arguments = (folders, stop, old)
        threading.Thread(target=self._run, args=arguments, name="watch", daemon=True).start()

    def _run(self, folders: list[str], stop: threading.Event, old: list[threading.Event]) -> None:
        try:
            paths = self._paths(folders)
            started = False
            for changes in watchfiles.watch(
                *paths,
                watch_filter=None,
                debounce=_DEBOUNCE_MS,
                step=_STEP_MS,
                stop_event=stop,
                rust_timeout=300,
                yield_on_timeout=True,
                raise_interrupt=False,
                recursive=not self._each,
                ignore_permission_denied=True,
            ):
                if not started:
                    started = True
                    for ear in old:
                        ear.set()
                    if new := tuple(folder for folder in folders if folder):
                        self._changed(new)
                    if self._has_lost:
                        self._has_lost = False
                        self._changed(("",))
                if changes:
                    self._report([_relative(path, self._root) for _, path in changes])
        except Exception as error:  # noqa: BLE001 -- Whatever it is, the vault is looked at by passes instead.
            if _NO_TEXT in str(error):
                self._listen_again(folders, stop)
            else:
                self._fail(error, folders)

    def _listen_again(self, folders: list[str], stop: threading.Event) -> None:
        """Something happened to a file whose name is no text; what else happened then has been lost."""
        time.sleep(_BREATH_S)
        with self._lock:
            self._ears = [ear for ear in self._ears if ear is not stop]
            self._has_lost = True
        self._listen(folders)

    def _fail(self, error: Exception, folders: list[str]) -> None:
        if not self._stopped and (folders == [""] or not isinstance(error, FileNotFoundError)):
            _log.warning("Watching failed: %s", error)
            self.stop()
            self._failed(str(error) or type(error).__name__)

    def _report(self, paths: list[str]) -> None:
        if any(is_configuration(path) for path in paths):
            self._configured()
        ours = tuple(sorted({path for path in map(_meant, paths) if is_ours(path)}))
        if self._each:
            new = [path for path in ours if Path(self._root, path).is_dir()]
            if new:
                self._listen(new)
        if ours:
            self._changed(ours)

    def _paths(self, folders: list[str]) -> list[str]:
        if not self._each:
            return [self._root]
        found = [folder for under in folders for folder in folders_of(Path(self._root), under)]
        paths = [f"{self._root}/{folder}" if folder else self._root for folder in found]
        if "" in found and Path(self._root, ".obsidian").is_dir():
            paths.append(f"{self._root}/.obsidian")
        return paths or [self._root]

    def _hush(self) -> None:
        for ear in self._ears:
            ear.set()


def folders_of(root: Path, under: str = "") -> Iterator[str]:
    """The folders of the vault at *root* that belong to it, from *under* downwards, as vault paths."""
    todo = [(under, Ignored.of(root))]
    while todo:
        path, above = todo.pop()
        disk = f"{root}/{path}" if path else str(root)
        try:
            with os.scandir(disk) as entries:
                names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        if path and any(Path(disk, marker).exists() for marker in MARKERS):
            continue
        yield path
        ignored = above.within(path, disk)
        # A name that is no text would end the whole watch, and nothing below it belongs to the vault.
        names = [name for name in names if not name.startswith(".") and is_nameable(name)]
        children = [f"{path}/{name}" if path else name for name in names]
        todo += [(child, ignored) for child in children if not ignored.folder(child)]


def is_ours(path: str) -> bool:
    """Whether a change at this vault path can matter: nothing hidden, nothing outside."""
    return path != "." and not any(part.startswith(".") for part in path.split("/"))


def is_configuration(path: str) -> bool:
    """Whether the file at this vault path says how the vault is to be read."""
    return path in MARKERS or (path.startswith(".obsidian/") and path.endswith(".json"))


def _meant(path: str) -> str:
    """`inner/.obsidian` gives `inner`: the whole folder came into the vault or left it."""
    return folder_of(path) or path if name_of(path) in MARKERS else path


def _relative(path: str, root: str) -> str:
    return os.path.relpath(path, root).replace(os.sep, "/")
