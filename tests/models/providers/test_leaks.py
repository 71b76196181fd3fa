"""Neither keys nor text of notes are in logs, errors or shown objects; no library is loaded too early."""

from __future__ import annotations

import logging
import subprocess
import sys
import traceback
from pathlib import Path

import pytest

from knapper.base.cancel import CancelToken
from knapper.models.providers.exchange import Patience, Request
from knapper.models.providers.ports import End, ProviderError
from tests.models.providers.asking import KEY, NOTE, PROMPT, generator
from tests.models.providers.streams import block, chat, chunk, event, messages
from tests.models.providers.wire import Answer, Silence, document, stream, wire

SECRETS = (KEY, KEY[3:], *NOTE.split("\n\n"), PROMPT.question, PROMPT.system, "secret words")
ECHO = f"secret words {KEY} {NOTE} {PROMPT.question}"
ERROR = {"type": "error", "error": {"type": ECHO, "message": ECHO, "code": ECHO, "param": ECHO}}
ANSWERS = {
    "whole": stream(chat("So")),
    "cut": stream(chat("So", finish=None), cut=True),
    "unreadable": stream(f"data: {ECHO}\n\n"),
    "error within": stream(messages(block(0, "So"), stop=False) + event(ERROR)),
    "error within a chat": stream(chunk({"content": "So"}, error={"code": ECHO, "message": ECHO})),
    "silent": Answer(before=[Silence()]),
    "page": document(200, f"<p>{ECHO}"),
    "redirect": document(307, f"<p>{ECHO}", location=f"https://example.org/{KEY}"),
    "header": document(400, ERROR, x_echo=KEY, retry_after=KEY),
    "no HTTP": Answer(200, {"Broken header\x00": KEY}),
    **{str(code): document(code, ERROR) for code in (400, 401, 402, 403, 404, 413, 422, 429, 500, 529)},
}


@pytest.mark.parametrize("provider", ["anthropic", "openrouter"])
@pytest.mark.parametrize("name", ANSWERS)
def test_nothing_secret_is_logged_or_said(
    name: str, provider: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    shown = ""
    with wire(ANSWERS[name]) as server:
        one = generator(server, provider, patience=Patience(silence=0.1))
        try:
            pieces = list(one.stream(PROMPT, CancelToken()))
            shown = "".join(str(piece) for piece in pieces if isinstance(piece, End))
        except ProviderError as error:
            shown = f"{error!r}" + "".join(traceback.format_exception(error, chain=True))
        assert [KEY in str(request.headers) for request in server.received] == [True] * len(server.received)

    shown += repr(one) + caplog.text + "".join(capfd.readouterr())
    assert [secret for secret in SECRETS if secret in shown] == []


def test_a_request_does_not_show_what_it_carries() -> None:
    one = generator("http://localhost")

    assert KEY not in repr(Request(one.address, "/x", {"authorization": KEY}, one.body(PROMPT)))
    assert NOTE[:10] not in repr(Request(one.address, "/x", {}, one.body(PROMPT)))


def test_no_library_is_loaded_before_something_is_asked() -> None:
    program = (
        "import sys, knapper.models.providers.choice as c, knapper.models.providers.keys; "
        "c.generator_of(c.Choice('anthropic', 'm'), 'sk-1'); "
        "print([name for name in ('httpx', 'httpcore', 'keyring') if name in sys.modules])"
    )
    path = Path(__file__).parents[3] / "server"
    found = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(path)},
    )

    assert found.stdout == "[]\n"
