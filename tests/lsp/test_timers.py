"""Claims about timers, with a clock that is turned by hand."""

from collections.abc import Callable

from knapper.lsp.timers import Timers


class HandClock:
    """Calls what is due when the time is set forward."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Callable[[], None]]] = []

    def call_later(self, seconds: float, do: Callable[[], None]) -> "Entry":
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


def test_each_keystroke_puts_off_what_waits_for_idling() -> None:
    clock, done = HandClock(), []
    timers = Timers(clock.call_later)

    timers.later("note", 0.15, lambda: done.append("first"))
    clock.turn(0.1)
    timers.later("note", 0.15, lambda: done.append("second"))
    clock.turn(0.1)
    assert done == []
    clock.turn(0.1)

    assert done == ["second"]


def test_names_do_not_disturb_each_other() -> None:
    clock, done = HandClock(), []
    timers = Timers(clock.call_later)

    timers.later("a", 0.1, lambda: done.append("a"))
    timers.later("b", 0.1, lambda: done.append("b"))
    timers.forget("a")
    clock.turn(1)

    assert done == ["b"]


def test_what_is_due_may_set_the_same_timer_again() -> None:
    clock, done = HandClock(), []
    timers = Timers(clock.call_later)

    def again() -> None:
        done.append(clock.now)
        if len(done) < 2:
            timers.later("a", 1, again)

    timers.later("a", 1, again)
    clock.turn(1)
    clock.turn(1)

    assert done == [1, 2]
    assert not timers.waits("a")
