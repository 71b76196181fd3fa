"""Whatever the network does, hanging up ends it at once, for the caller and for the provider."""

from __future__ import annotations

import threading
import time

import pytest

from knapper.base.cancel import Cancelled, CancelToken
from knapper.models.providers.exchange import Patience
from tests.models.providers.asking import PROMPT, generator
from tests.models.providers.streams import chunk
from tests.models.providers.wire import (
    Answer,
    Silence,
    authority,
    document,
    full_queue,
    stream,
    tunnel,
    wire,
)

BEGUN = Answer(200, stream("").headers, [chunk({"content": "So"}).encode(), Silence()])
NO_HEAD = Answer(before=[Silence()])
LONG = Patience(connect=30, silence=60)


def ended_after_cancel(base: str, begun: threading.Event) -> float:
    """Seconds from the token being set, after *begun*, to `Cancelled`, of an answer that would never end."""
    token, at = CancelToken(), [0.0]

    def cancel() -> None:
        begun.wait(20)
        time.sleep(0.05)
        at[0] = time.monotonic()
        token.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(Cancelled):
        list(generator(base, patience=LONG).stream(PROMPT, token))
    found = time.monotonic() - at[0]
    thread.join()
    return found


@pytest.mark.parametrize("answer", [BEGUN, NO_HEAD], ids=["in the middle", "before the first byte"])
@pytest.mark.parametrize("encrypted", [False, True], ids=["http", "https"])
def test_a_silent_provider_is_hung_up_on(
    answer: Answer, encrypted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", authority())
    with wire(answer, encrypted=encrypted) as server:
        seconds = ended_after_cancel(server.base, server.asked)

        assert server.hung_up.wait(20)
    assert seconds < LONG.silence / 20


def test_a_silent_provider_behind_a_proxy_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", authority())
    for name in ("NO_PROXY", "no_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
    with wire(BEGUN, encrypted=True) as server, tunnel(server) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.address)
        seconds = ended_after_cancel("https://provider.test/v1", server.asked)

        assert server.hung_up.wait(20)
        assert proxy.asked == ["CONNECT provider.test:443 HTTP/1.1"]
    assert seconds < LONG.silence / 20


def test_a_connection_that_never_comes_about_is_given_up() -> None:
    begun = threading.Event()
    begun.set()
    with full_queue() as host:
        seconds = ended_after_cancel(f"http://{host}", begun)
    assert seconds < LONG.connect / 10


def test_who_is_no_longer_wanted_sends_nothing() -> None:
    token = CancelToken()
    token.cancel()
    with wire(BEGUN) as server:
        with pytest.raises(Cancelled):
            list(generator(server).stream(PROMPT, token))
        assert server.received == []


def test_no_attempt_follows_a_cancelled_wait() -> None:
    token = CancelToken()
    with wire(document(503, {"error": {}})) as server:
        one = generator(server)
        clock = type(one.clock)(one.clock.now, lambda _seconds, given: (given.cancel(), given.check())[0])
        waiting = type(one)(one.dialect, one.address, one.asked, "", one.budget, one.patience, clock)
        with pytest.raises(Cancelled):
            list(waiting.stream(PROMPT, token))
        assert len(server.received) == 1


def test_an_answer_leaves_nothing_behind_on_the_token() -> None:
    token = CancelToken()
    with wire(stream(chunk({"content": "So"}, "stop"))) as server:
        list(generator(server).stream(PROMPT, token))

    token.cancel()  # Would call what was left behind.
    assert token._callbacks == []
