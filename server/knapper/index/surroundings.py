"""What a session is given by whoever runs it: where events go, how time runs, whether something waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from knapper.index.messages import Event
from knapper.index.model_room import ModelRoom


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often things are looked at, in seconds."""

    poll: float = 0.3  # whether another process has committed, or the file was replaced
    take_over: float = 1.0  # whether the owner is gone
    purge: float = 30.0  # whether servers with unsaved notes are gone
    whole: float = 300.0  # a pass over the whole vault
    unwatched: float = 15.0  # the same, where the system does not report changes
    recheck: float = 60.0  # files that went missing in numbers
    full_disk: float = 30.0
    typing: float = 1.0  # after a change of an unsaved text nothing is embedded for so long
    check: float = 5.0  # after opening: whether the file is whole where no query has looked


def _soon(call: Callable[[], None]) -> None:
    call()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Injected, so that tests and the command line run the same code without the process."""

    server: str
    tell: Callable[[Event], None]
    later: Callable[[Callable[[], None]], None] = _soon  # have something called in the main thread
    hurry: Callable[[], bool] = lambda: False  # whether a request waits
    rhythm: Rhythm = field(default_factory=Rhythm)
    watch: bool = True
    models: ModelRoom | None = None  # where there is none, nothing is embedded


class Timers:
    """When what is to be done again. Times are of the monotonic clock."""

    def __init__(self) -> None:
        self._next: dict[str, float] = {}

    def start(self, name: str, seconds: float) -> None:
        """*name* is due in so many seconds."""
        self._next[name] = time.monotonic() + seconds

    def stop(self, name: str) -> None:
        """*name* is never due."""
        self._next.pop(name, None)

    def is_due(self, name: str, again: float | None = None) -> bool:
        """Whether *name* is due; if so it is due *again* in so many seconds, or never."""
        now = time.monotonic()
        if self._next.get(name, now + 1) > now:
            return False
        self.stop(name)
        if again is not None:
            self.start(name, again)
        return True

    @property
    def next(self) -> float | None:
        """When anything is due."""
        return min(self._next.values(), default=None)
