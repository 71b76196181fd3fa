"""Claims about timers, with a clock that is turned by hand."""

from knapper.lsp.timers import Timers
from tests.lsp.hand_clock import HandClock


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
