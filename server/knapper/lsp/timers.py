"""Things to do a little later, each under a name. Knows a clock that can be replaced; nothing else."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Protocol


class Pending(Protocol):
    """Something that will be called later, unless it is taken back."""

    def cancel(self) -> None:
        """Take it back."""


CallLater = Callable[[float, Callable[[], None]], Pending]
"""An event loop's `call_later`; tests give one that they turn by hand."""


class Timers:
    """At most one thing to do for each name: a later one replaces it, which is how idling is waited for."""

    def __init__(self, call_later: CallLater) -> None:
        self._call_later = call_later
        self._waiting: dict[Hashable, Pending] = {}

    def later(self, name: Hashable, seconds: float, do: Callable[[], None]) -> None:
        """Call *do* in so many seconds, and forget what was to be done under this name."""
        self.forget(name)

        def due() -> None:
            self._waiting.pop(name, None)
            do()

        self._waiting[name] = self._call_later(seconds, due)

    def waits(self, name: Hashable) -> bool:
        """Whether something is to be done under this name."""
        return name in self._waiting

    def forget(self, name: Hashable) -> None:
        """Do not do it."""
        if waiting := self._waiting.pop(name, None):
            waiting.cancel()

    def forget_all(self) -> None:
        """Do nothing of it."""
        for name in tuple(self._waiting):
            self.forget(name)
