"""What the index has been asked for and has not done yet. Pure: knows numbers; must not know who asks.

A ticket is given out for every request to the index process. It is *committed* when the database holds
what was asked for, and *settled* when the main thread has loaded that state too. Until then it is pending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


class Tickets:
    """The tickets of one vault; `given` makes numbers that no other vault of the server has."""

    def __init__(self, number: Callable[[], int]) -> None:
        self._number = number
        self._uncommitted: set[int] = set()
        self._committed: list[tuple[int, frozenset[int]]] = []
        self._waiting: list[tuple[set[int], Callable[[], None]]] = []

    def give(self) -> int:
        """A new ticket."""
        ticket = self._number()
        self._uncommitted.add(ticket)
        return ticket

    def pending(self) -> int:
        """How many are not settled."""
        return len(self._uncommitted) + sum(len(tickets) for _, tickets in self._committed)

    def committed(self, seq: int, tickets: Iterable[int]) -> None:
        """The database holds state *seq*, with everything asked for by *tickets*."""
        ours = self._uncommitted.intersection(tickets)
        self._uncommitted -= ours
        self._committed.append((seq, frozenset(ours)))
        self._tell(ours)

    def loaded(self, seq: int) -> None:
        """The main thread has loaded state *seq*."""
        self._committed = [entry for entry in self._committed if entry[0] > seq]

    def newest(self) -> int:
        """The newest state that is committed and not loaded, or -1."""
        return max((seq for seq, _ in self._committed), default=-1)

    def reopen(self, ticket: int) -> None:
        """It is to be done once more."""
        self._uncommitted.add(ticket)

    def drop(self, ticket: int) -> None:
        """It will never be done."""
        self._uncommitted.discard(ticket)
        self._tell({ticket})

    def drop_all(self) -> None:
        """None of them will be done: the index process ended."""
        gone, self._uncommitted, self._committed = self._uncommitted, set(), []
        self._tell(gone)

    def when_committed(self, tickets: Iterable[int], tell: Callable[[], None]) -> None:
        """Call *tell* once all of *tickets* are committed or dropped."""
        left = self._uncommitted.intersection(tickets)
        if left:
            self._waiting.append((left, tell))
        else:
            tell()

    def open_now(self) -> frozenset[int]:
        """The tickets that are not committed."""
        return frozenset(self._uncommitted)

    def _tell(self, tickets: set[int]) -> None:
        due = []
        for left, tell in self._waiting:
            left.difference_update(tickets)
            if not left:
                due.append(tell)
        self._waiting = [entry for entry in self._waiting if entry[0]]
        for tell in due:
            tell()
