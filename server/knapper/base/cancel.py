"""One way to stop work, whoever asks for it.

Knows tokens and what to call when one is set; must not know why somebody wants to stop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable


class Cancelled(Exception):  # noqa: N818 -- It is news, not an error.
    """The work was no longer wanted. It is never logged as an error."""


class CancelToken:
    """A flag that one thread sets and another looks at.

    Four things set it: a request's cancellation, a newer snapshot, the cancel button of a progress
    report, and shutdown.
    """

    def __init__(self) -> None:
        self._set = threading.Event()
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    @property
    def cancelled(self) -> bool:
        """Whether somebody has asked to stop."""
        return self._set.is_set()

    def check(self) -> None:
        """Raise `Cancelled` if somebody has asked to stop."""
        if self._set.is_set():
            raise Cancelled

    def cancel(self) -> None:
        """Ask to stop, and call what was registered, once."""
        with self._lock:
            self._set.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call *callback* when the token is set (at once if it is); the result takes it back.

        Used to interrupt what cannot look at the token itself: a running SQL statement, a socket.
        """
        with self._lock:
            if not self._set.is_set():
                self._callbacks.append(callback)
                return lambda: self._forget(callback)
        callback()
        return lambda: None

    def _forget(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)
