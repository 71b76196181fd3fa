"""Claims about tickets: pending from the moment they are given until their state is loaded."""

import itertools

from knapper.lsp.tickets import Tickets


def tickets() -> Tickets:
    numbers = itertools.count(1)
    return Tickets(lambda: next(numbers))


def test_a_ticket_is_pending_until_its_state_is_loaded() -> None:
    waiting = tickets()
    ticket = waiting.give()

    counts = [waiting.pending()]
    waiting.committed(7, (ticket,))
    counts.append(waiting.pending())
    waiting.loaded(6)
    counts.append(waiting.pending())
    waiting.loaded(7)
    counts.append(waiting.pending())

    assert counts == [1, 1, 1, 0]


def test_tickets_of_other_vaults_are_not_counted() -> None:
    waiting = tickets()

    waiting.committed(3, (99, 100))

    assert waiting.pending() == 0
    assert waiting.newest() == 3


def test_a_dropped_ticket_is_not_pending() -> None:
    waiting = tickets()
    first, second = waiting.give(), waiting.give()

    waiting.drop(first)

    assert waiting.pending() == 1
    assert waiting.open_now() == {second}


def test_who_waits_for_a_commit_is_told_once_all_are_in() -> None:
    waiting, told = tickets(), []
    first, second = waiting.give(), waiting.give()
    waiting.when_committed({first, second}, lambda: told.append("both"))

    waiting.committed(1, (first,))
    assert told == []
    waiting.drop(second)

    assert told == ["both"]


def test_who_waits_for_nothing_is_told_at_once() -> None:
    waiting, told = tickets(), []

    waiting.when_committed((), lambda: told.append("now"))

    assert told == ["now"]


def test_when_the_process_ends_nothing_is_waited_for() -> None:
    waiting, told = tickets(), []
    ticket = waiting.give()
    waiting.when_committed({ticket}, lambda: told.append("ended"))

    waiting.drop_all()

    assert (waiting.pending(), told) == (0, ["ended"])
