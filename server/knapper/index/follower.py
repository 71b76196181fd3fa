"""The side of a server that does not own the index: it reads, and asks the owner.

What this server wants looked at is written into the index, where the owner finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from knapper.index.messages import Committed, Opened, Passed
from knapper.index.shelf import Shelf
from knapper.index.surroundings import Surroundings, Timers
from knapper.store.writer import Writer

Done = Callable[[], None]


class Follower:
    """One server's view of an index that another one owns."""

    is_owner = False

    def __init__(self, vault: str, shelf: Shelf, around: Surroundings) -> None:
        """Raise a `StoreError` if the owner has not made the index yet."""
        self.writer = Writer(shelf.database, around.server)
        shelf.is_followed()
        self.replaced = False
        """The owner has built the index anew: unsaved notes are to be put back."""
        self._vault = vault
        self._around = around
        self._waiting: list[tuple[int, Done]] = []
        self._until_built: list[Done] = []
        self._version = -1
        self._seq = -1
        self._passed = 0.0
        self._horizon = self.writer.meta("horizon")
        self._timers = Timers()
        self._timers.start("poll", 0.0)
        pid = shelf.ownership.owner_pid()
        around.tell(Opened(vault, str(shelf.database), owner=False, owner_pid=pid))

    def close(self) -> list[Done]:
        """Stop looking; what is still to be called."""
        self.writer.close()
        return [*(done for _, done in self._waiting), *self._until_built]

    def touch(self, paths: Iterable[str], done: Done) -> None:
        """Have the owner look at these paths (`""` is the whole vault), and call *done* when it has."""
        with self.writer.commit():
            last = self.writer.ask(paths)
        self._waiting.append((last, done))

    def when_built(self, done: Done) -> None:
        """Call *done* as soon as the first build is complete."""
        self._until_built.append(done)

    @property
    def due(self) -> float | None:
        """When `step` is to be called again."""
        return self._timers.next

    def step(self) -> bool:
        """Look what the owner has done since."""
        if self._timers.is_due("poll", self._around.rhythm.poll):
            self._poll()
        return False

    def _poll(self) -> None:
        version = self.writer.data_version()
        if version == self._version and not self._waiting and not self._until_built:
            return
        self._version = version
        horizon = self.writer.meta("horizon")
        self.replaced |= horizon != self._horizon
        self._horizon = horizon
        first = min((number for number, _ in self.writer.asked()), default=None)
        seq = self.writer.seq
        if seq != self._seq:
            self._seq = seq
            self._around.tell(Committed(self._vault, seq))
        while self._waiting and (first is None or self._waiting[0][0] < first):
            self._waiting.pop(0)[1]()
        if not self.writer.bulk:
            self._tell_pass()
            while self._until_built:
                self._until_built.pop(0)()

    def _tell_pass(self) -> None:
        at = float(self.writer.meta("passed") or 0.0)
        if at > self._passed:
            touched = int(self.writer.meta("touched") or 0)
            self._around.tell(Passed(self._vault, at, touched, first=self._passed == 0.0))
            self._passed = at
