"""Messages survive the pipe, and a new process is told what the old one had not done."""

from __future__ import annotations

import pytest

from knapper.index.ledger import Ledger
from knapper.index.messages import (
    CloseVault,
    Committed,
    Configure,
    DropOverlay,
    Event,
    Failed,
    OpenVault,
    Overlay,
    Passed,
    Request,
    Scan,
    Touch,
)
from knapper.index.wire import decode_event, decode_request, encode

REQUESTS: list[Request] = [
    OpenVault("/v", 1, {"knapper": {"index.always": True}}, ("A.md",)),
    Touch("/v", 2, ("caf\udce9.md", "ü.md")),
    Overlay("/v", 3, "A.md", "half \ud83d and \u2028\n"),
]
EVENTS: list[Event] = [Committed("/v", 5, (1, 2)), Passed("/v", 1.5, 3, first=True)]


@pytest.mark.parametrize("request_", REQUESTS)
def test_requests_survive_the_pipe_as_one_line(request_: Request) -> None:
    line = encode(request_)
    assert (line.count(b"\n"), line.isascii(), decode_request(line)) == (1, True, request_)


@pytest.mark.parametrize("event", EVENTS)
def test_events_survive_the_pipe(event: Event) -> None:
    assert decode_event(encode(event)) == event


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"no json\n",
        b"[]\n",
        b'{"is": "Nothing"}\n',
        b'{"is": "Touch", "vault": "/v"}\n',
        encode(EVENTS[0]),
    ],
)
def test_what_is_no_request_is_a_value_error(line: bytes) -> None:
    with pytest.raises(ValueError, match=r"no |Expecting"):
        decode_request(line)


def _ledger(*said: Request | Event) -> list[Request]:
    ledger = Ledger()
    for message in said:
        if isinstance(message, (Committed, Failed)):
            ledger.note_event(message)
        else:
            ledger.note_request(message)  # type: ignore[arg-type]
    return ledger.to_repeat()


OPEN = OpenVault("/v", 1, {})


def test_what_was_committed_is_not_said_again_but_vaults_and_unsaved_texts_are() -> None:
    overlay = Overlay("/v", 2, "A.md", "x")
    said = _ledger(OPEN, overlay, Touch("/v", 3, ("B.md",)), Scan("/v", 4), Committed("/v", 9, (1, 2, 3)))
    assert said == [OPEN, Scan("/v", 4), overlay]


def test_the_latest_unsaved_text_comes_last_whatever_is_still_open() -> None:
    first, drop, last = (
        Overlay("/v", 2, "A.md", "1"),
        DropOverlay("/v", 3, "A.md"),
        Overlay("/v", 4, "A.md", "2"),
    )
    assert _ledger(OPEN, first, drop, last) == [OPEN, first, drop, last]
    assert _ledger(OPEN, first, drop, Committed("/v", 9, (3,))) == [OPEN, first]


def test_a_vault_is_opened_again_with_its_latest_settings() -> None:
    configure = Configure("/v", 5, {"index.always": True})
    assert _ledger(OPEN, configure, Failed("/v", 5, "no")) == [OpenVault("/v", 1, {"index.always": True})]


def test_nothing_is_said_again_of_a_closed_vault() -> None:
    said = _ledger(
        OPEN, Overlay("/v", 2, "A.md", "x"), OpenVault("/w", 3, {}), Touch("/v", 4, ()), CloseVault("/v")
    )
    assert said == [OpenVault("/w", 3, {})]
