"""What is remembered of what was asked, and for how long."""

from __future__ import annotations

from knapper.memory.answer import Answer, Sent
from knapper.memory.asked import Turn
from knapper.memory.conversation import KEPT, MOST, MOST_TURNS, Conversations, Exchange

LOCAL = Answer("Daily.")
WRITTEN = Answer("At dawn [1].", sent=Sent("example.org", (), 1, 2, 3))


def test_a_conversation_is_its_exchanges_in_order() -> None:
    talks = Conversations()
    known = talks.add("How often?", LOCAL)

    assert talks.add("When?", WRITTEN, known) == known
    assert talks.exchanges(known) == (Exchange("How often?", LOCAL), Exchange("When?", WRITTEN))
    assert talks.turns(known) == (
        Turn("How often?", "Daily.", ""),
        Turn("When?", "At dawn [1].", "example.org"),
    )
    assert talks.last(known) == Exchange("When?", WRITTEN)


def test_an_unknown_conversation_is_empty_and_begun_anew() -> None:
    talks = Conversations()
    known = talks.add("How often?", LOCAL, "guessed")

    assert known != "guessed"
    assert len(known) >= 20
    assert (talks.exchanges("guessed"), talks.turns(""), talks.last("guessed")) == ((), (), None)


def test_conversations_are_bounded() -> None:
    talks = Conversations()
    first = talks.add("0", LOCAL)
    second = talks.add("0", LOCAL)
    for number in range(1, 2 * MOST_TURNS):
        talks.add(str(number), LOCAL, first)
    for _ in range(MOST - 1):
        talks.add("0", LOCAL)

    assert [one.question for one in talks.exchanges(first)] == [
        str(number) for number in range(MOST_TURNS, 2 * MOST_TURNS)
    ]
    assert talks.exchanges(second) == ()


def test_a_conversation_is_forgotten_after_a_while() -> None:
    now = [0.0]
    talks = Conversations(lambda: now[0])
    known = talks.add("How often?", LOCAL)
    now[0] = KEPT
    talks.add("And when?", LOCAL, known)
    now[0] = 2 * KEPT

    assert len(talks.exchanges(known)) == 2
    now[0] += 1
    assert talks.exchanges(known) == ()


def test_nothing_that_was_said_is_shown_by_accident() -> None:
    assert "often" not in repr(Exchange("How often?", LOCAL))
    assert "dawn" not in repr(Exchange("How often?", WRITTEN).turn)
