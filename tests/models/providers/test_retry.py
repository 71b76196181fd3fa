"""When a request is repeated, how long is waited, and that waiting can be ended."""

from __future__ import annotations

import threading

import pytest

from knapper.base.cancel import Cancelled, CancelToken
from knapper.models.providers.retry import wait_for
from tests.models.providers.asking import Waits, ask, generator, said, trouble
from tests.models.providers.streams import chat
from tests.models.providers.wire import Answer, document, stream, wire

ERROR = {"error": {"type": "rate_limit_error", "message": "slow down"}}


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_passes_is_asked_twice_more(status: int) -> None:
    waits = Waits()
    with wire(document(status, ERROR), document(status, ERROR), stream(chat("So"))) as server:
        pieces = ask(generator(server, waits=waits))
        bodies = [request.body for request in server.received]

    assert (said(pieces), waits.seconds) == ("So", [0.5, 1.0])
    assert bodies == [bodies[0]] * 3


def test_it_is_given_up_after_that() -> None:
    waits = Waits()
    with wire(document(503, ERROR)) as server:
        assert trouble(generator(server, "openai", waits=waits)) == (
            "provider",
            "OpenAI has trouble of its own (HTTP 503): try again later.",
        )
        assert (len(server.received), waits.seconds) == (3, [0.5, 1.0])


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after": "1.5"}, 1.5),
        ({"retry_after": "Fri, 15 Jan 2027 08:00:20 GMT"}, 20.0),
        ({"retry_after": "Fri, 15 Jan 2027 07:00:00 GMT"}, 0.0),
        ({"retry_after_ms": "250", "retry_after": "9"}, 0.25),
        ({"retry_after": "60"}, 60.0),
        ({"retry_after": "soon"}, 0.5),
        ({"retry_after": "-3"}, 0.5),
        ({"retry_after": "nan"}, 0.5),
        ({"retry_after": "inf"}, 0.5),
    ],
)
@pytest.mark.parametrize("status", [429, 529])
def test_the_provider_says_how_long_to_wait(status: int, headers: dict[str, str], seconds: float) -> None:
    waits = Waits()
    with wire(document(status, ERROR, **headers), stream(chat("So"))) as server:
        pieces = ask(generator(server, waits=waits))

    assert (said(pieces), waits.seconds) == ("So", [seconds])


@pytest.mark.parametrize(
    ("seconds", "when"),
    [("61", "in a minute"), ("600", "in 10 minutes"), ("86400", "tomorrow, or raise the limit there")],
)
def test_who_asks_for_too_long_is_not_waited_for(seconds: str, when: str) -> None:
    waits = Waits()
    with wire(document(429, ERROR, retry_after=seconds)) as server:
        found = trouble(generator(server, "anthropic", waits=waits))

    assert found == ("busy", f"Anthropic asks to slow down (HTTP 429): try again {when}.")
    assert waits.seconds == []


def test_the_provider_may_forbid_or_allow_another_attempt() -> None:
    with wire(document(500, ERROR, x_should_retry="false")) as server:
        trouble(generator(server))
        assert len(server.received) == 1
    with wire(document(400, ERROR, x_should_retry="true"), stream(chat("So"))) as server:
        assert said(ask(generator(server))) == "So"


def test_nothing_is_repeated_once_the_answer_has_begun() -> None:
    begun = Answer(200, stream("").headers, [b": hello\n\n"], cut=True)
    with wire(begun, stream(chat("So"))) as server:
        assert said(ask(generator(server))) == ""
        assert len(server.received) == 1


def test_a_wait_ends_when_it_is_no_longer_wanted() -> None:
    token = CancelToken()
    timer = threading.Timer(0.05, token.cancel)
    timer.start()

    with pytest.raises(Cancelled):
        wait_for(60, token)
    timer.join()


def test_a_wait_takes_its_time() -> None:
    wait_for(0.01, CancelToken())
