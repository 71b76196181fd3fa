"""Hearing from the operating system that files of a vault changed. The only module that knows watchfiles."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path

import watchfiles

from knapper.index.vaults import MARKERS

_DEBOUNCE_MS = 400
_STEP_MS = 60
_log = logging.getLogger(__name__)


class Watch:
    """A thread that reports changes in the vault at *root* until it is stopped.

    *changed* gets vault paths of files and folders, `configured` those of settings files; *failed* is
    called once if watching is not possible. All are called from the thread.
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
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"watch {root.name}", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop, without waiting."""
        self._stop.set()

    def _run(self) -> None:
        try:
            for changes in watchfiles.watch(
                self._root,
                watch_filter=None,
                debounce=_DEBOUNCE_MS,
                step=_STEP_MS,
                stop_event=self._stop,
                rust_timeout=500,
                raise_interrupt=False,
                ignore_permission_denied=True,
            ):
                self._report([path for _, path in changes])
        except Exception as error:  # noqa: BLE001 -- Whatever it is, the vault is looked at by passes instead.
            _log.warning("Watching failed: %s", error)
            self._failed(str(error) or type(error).__name__)

    def _report(self, paths: list[str]) -> None:
        relative = [os.path.relpath(path, self._root).replace(os.sep, "/") for path in paths]
        if any(is_configuration(path) for path in relative):
            self._configured()
        ours = tuple(sorted({path for path in relative if is_ours(path)}))
        if ours:
            self._changed(ours)


def is_ours(path: str) -> bool:
    """Whether a change at this vault path can matter: nothing hidden, nothing outside."""
    return path != "." and not any(part.startswith(".") for part in path.split("/"))


def is_configuration(path: str) -> bool:
    """Whether the file at this vault path says how the vault is to be read."""
    return path in MARKERS or (path.startswith(".obsidian/") and path.endswith(".json"))
