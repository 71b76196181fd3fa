"""A clock that is turned by hand."""

from __future__ import annotations

from collections.abc import Callable


class HandClock:
    """Calls what is due when the time is set forward."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, seconds: float, do: Callable[[], None]) -> Entry:
        self.due.append((self.now + seconds, do))
        return Entry(self, self.due[-1])

    def turn(self, seconds: float) -> None:
        self.now += seconds
        ready = [entry for entry in self.due if entry[0] <= self.now]
        self.due = [entry for entry in self.due if entry not in ready]
        for _, do in ready:
            do()


class Entry:
    """One waiting call."""

    def __init__(self, clock: HandClock, entry: tuple[float, Callable[[], None]]) -> None:
        self.clock, self.entry = clock, entry

    def cancel(self) -> None:
        self.clock.due = [entry for entry in self.clock.due if entry is not self.entry]
