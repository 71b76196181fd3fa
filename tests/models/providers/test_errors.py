"""What goes wrong before an answer begins: one sentence each, with what to do, and nobody's words in it."""

from __future__ import annotations

import re
import socket
import threading

import pytest

from knapper.models.providers.exchange import Patience
from knapper.models.providers.ports import ProviderError
from tests.models.providers.asking import KEY, NOTE, Waits, generator, trouble
from tests.models.providers.wire import Answer, Silence, authority, document, full_queue, wire

PAGE = "<!doctype html><title>Sign in</title><p>Fold the dough"
ECHO = f"secret words: {KEY} {NOTE}"


def anthropic(kind: str, message: str = "") -> dict[str, object]:
    return {"type": "error", "error": {"type": kind, "message": f"{message} {ECHO}"}, "request_id": "req_1"}


def openai(message: str = "", kind: str | None = None, code: str | int | None = None) -> dict[str, object]:
    return {"error": {"message": f"{message} {ECHO}", "type": kind, "param": None, "code": code}}


REFUSALS = [
    (
        "anthropic",
        document(401, anthropic("authentication_error", "invalid x-api-key")),
        "key",
        (
            "Anthropic does not accept the key: check the one in ANTHROPIC_API_KEY,"
            " or `knapper provider set` sets one."
        ),
    ),
    (
        "openai",
        document(401, openai("Incorrect API key provided", code="invalid_api_key")),
        "key",
        (
            "OpenAI does not accept the key: check the one in OPENAI_API_KEY, or `knapper provider set`"
            " sets one."
        ),
    ),
    (
        "anthropic",
        document(400, anthropic("invalid_request_error", "Your credit balance is too low")),
        "money",
        "The account with Anthropic has no credit left: add some there, or choose another provider.",
    ),
    (
        "openrouter",
        document(402, openai("Insufficient credits", code=402)),
        "money",
        "The account with OpenRouter has no credit left: add some there, or choose another provider.",
    ),
    (
        "openai",
        document(429, openai("You exceeded your quota", "insufficient_quota", "insufficient_quota")),
        "money",
        "The account with OpenAI has no credit left: add some there, or choose another provider.",
    ),
    (
        "openrouter",
        document(403, openai("Your input was flagged", code=403)),
        "forbidden",
        (
            "OpenRouter forbids this request: the key may not use model-1, or the text was flagged;"
            " try another model."
        ),
    ),
    (
        "anthropic",
        document(404, anthropic("not_found_error", "model: model-1")),
        "model",
        "Anthropic does not offer the model model-1: set knapper.ask.model to another.",
    ),
    (
        "compatible",
        document(404, openai('model "model-1" not found, try pulling it first', "api_error")),
        "model",
        (
            "HOST does not offer the model model-1: fetch it there (`ollama pull model-1`), or set"
            " knapper.ask.model to another."
        ),
    ),
    (
        "openrouter",
        document(404, openai("No endpoints found matching your data policy", code=404)),
        "model",
        "OpenRouter does not offer the model model-1: set knapper.ask.model to another.",
    ),
    (
        "compatible",
        document(404, {"detail": "Not Found"}),
        "address",
        "HOST has no such path: check knapper.ask.baseUrl; it mostly ends in /v1.",
    ),
    (
        "anthropic",
        document(413, anthropic("request_too_large", "Request exceeds the maximum size")),
        "too-large",
        "The request is too large for Anthropic: ask about fewer notes.",
    ),
    (
        "anthropic",
        document(400, anthropic("invalid_request_error", "prompt is too long: 300000 tokens")),
        "too-long",
        (
            "The question and its passages are too long for model-1: ask about fewer notes, or choose a model"
            " with a larger context."
        ),
    ),
    (
        "openai",
        document(400, openai("This model's maximum context length is 8", code="context_length_exceeded")),
        "too-long",
        (
            "The question and its passages are too long for model-1: ask about fewer notes, or choose a model"
            " with a larger context."
        ),
    ),
    (
        "anthropic",
        document(400, anthropic("invalid_request_error", "max_tokens: 4096 > 1024, for this model")),
        "request",
        "Anthropic does not take this request (HTTP 400): try another model.",
    ),
    (
        "openrouter",
        document(200, openai("Upstream broke", code=502)),
        "provider",
        "OpenRouter has trouble of its own (HTTP 502): try again later.",
    ),
    (
        "compatible",
        document(200, {"choices": []}),
        "no-provider",
        (
            "HOST does not answer with a stream of text: it is no provider of models, or the path is missing"
            " from knapper.ask.baseUrl (mostly /v1)."
        ),
    ),
    (
        "compatible",
        document(400, openai("model-1 is not a valid model ID")),
        "model",
        (
            "HOST does not offer the model model-1: fetch it there (`ollama pull model-1`), or set"
            " knapper.ask.model to another."
        ),
    ),
    (
        "openrouter",
        document(400, openai("Unknown model")),
        "model",
        "OpenRouter does not offer the model model-1: set knapper.ask.model to another.",
    ),
    (
        "compatible",
        document(400, openai("The model `model-1` does not exist")),
        "model",
        (
            "HOST does not offer the model model-1: fetch it there (`ollama pull model-1`), or set"
            " knapper.ask.model to another."
        ),
    ),
    (
        "openai",
        document(400, openai("Text for this model must not be empty")),
        "request",
        "OpenAI does not take this request (HTTP 400): try another model.",
    ),
    (
        "compatible",
        document(200, PAGE),
        "no-provider",
        (
            "HOST answers with a web page (HTTP 200): it is no provider of models, or a proxy or login page"
            " stands before it; check knapper.ask.baseUrl and the network."
        ),
    ),
    (
        "anthropic",
        document(403, PAGE),
        "no-provider",
        (
            "HOST answers with a web page (HTTP 403): it is no provider of models, or a proxy or login page"
            " stands before it; check knapper.ask.baseUrl and the network."
        ),
    ),
    (
        "compatible",
        Answer(200, {"Content-Type": "text/plain"}, [b"hello"]),
        "no-provider",
        (
            "HOST does not answer with a stream of text: it is no provider of models, or the path is missing"
            " from knapper.ask.baseUrl (mostly /v1)."
        ),
    ),
    (
        "compatible",
        Answer(407, {}, [PAGE.encode()]),
        "proxy",
        (
            "The proxy that HTTPS_PROXY or ALL_PROXY names does not let the request through: check these"
            " variables and the proxy's password."
        ),
    ),
    (
        "compatible",
        Answer(418, {"Content-Type": "application/json"}, [b"\xff{" * 100_000], cut=True),
        "request",
        "HOST does not take this request (HTTP 418): try another model.",
    ),
]


@pytest.mark.parametrize(("provider", "answer", "kind", "sentence"), REFUSALS)
def test_a_refusal_is_one_sentence_and_is_not_repeated(
    provider: str, answer: Answer, kind: str, sentence: str
) -> None:
    with wire(answer) as server:
        found = trouble(generator(server, provider))
        host, requests = server.host, len(server.received)

    assert found == (kind, sentence.replace("HOST", host))
    assert requests == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_never_followed_and_the_key_stays(status: int) -> None:
    with (
        wire(document(200, PAGE)) as other,
        wire(document(status, PAGE, location=f"{other.base}/chat")) as server,
    ):
        found = trouble(generator(server))
        host, received = server.host, other.received

    assert found == (
        "redirect",
        (
            f"{host} redirects to another address, and keys are never sent on: put the final address into"
            " knapper.ask.baseUrl."
        ),
    )
    assert received == []


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        host = f"127.0.0.1:{closed.getsockname()[1]}"

    assert trouble(generator(f"http://{host}")) == (
        "network",
        f"Nothing answers at {host}: start the model server there, or check knapper.ask.baseUrl.",
    )


def test_there_is_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    _no_proxies(monkeypatch)
    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    assert trouble(generator("", "anthropic")) == (
        "network",
        "api.anthropic.com cannot be found: is there a network, and is the address right?",
    )


def test_a_connection_is_not_waited_for_longer_than_allowed() -> None:
    with full_queue() as host:
        found = trouble(generator(f"http://{host}", patience=Patience(connect=0.2)))

    assert found == (
        "timeout",
        f"{host} took no connection within 0.2 s: check the network and the address.",
    )


def test_a_server_that_never_answers_is_not_waited_for_forever() -> None:
    with wire(Answer(before=[Silence()])) as server:
        found = trouble(generator(server, patience=Patience(silence=0.2)))
        host = server.host

    assert found == ("timeout", f"{host} was silent for 0.2 s: try again later.")


def test_a_server_that_speaks_something_else_is_no_provider() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        host = f"127.0.0.1:{other.getsockname()[1]}"

        def greet() -> None:
            connection, _ = other.accept()
            with connection:
                connection.sendall(b"SSH-2.0-OpenSSH_9.9\r\n")
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65_536):
                    pass  # Closing before all is read would break the connection instead.

        thread = threading.Thread(target=greet)
        thread.start()
        found = trouble(generator(f"http://{host}"))
        thread.join()

    assert found == (
        "no-provider",
        f"{host} hung up or does not speak HTTP: check knapper.ask.baseUrl, or try again.",
    )


def test_a_certificate_that_nobody_trusts() -> None:
    with wire(document(200, PAGE), encrypted=True) as server:
        found = trouble(generator(server))
        host, received = server.host, server.received

    assert found == (
        "certificate",
        (
            f"The certificate of {host} is not trusted: if a proxy of your network signs for it, name that"
            " authority in SSL_CERT_FILE."
        ),
    )
    assert received == []


def test_a_certificate_that_the_person_names_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", authority())
    with wire(document(401, openai()), encrypted=True) as server:
        assert trouble(generator(server))[0] == "key"


def test_https_where_only_http_is_spoken() -> None:
    with wire(document(200, PAGE)) as server:
        kind, sentence = trouble(generator(server.base.replace("http:", "https:")))

    assert (kind, sentence) == (
        "certificate",
        f"{server.host} cannot be reached over https: check the address.",
    )


@pytest.mark.parametrize("status", [403, 407, 502])
def test_a_proxy_that_lets_nothing_through(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    _no_proxies(monkeypatch)
    with wire(document(status, PAGE)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://{proxy.host}")
        kind, _ = trouble(generator("", "anthropic"))
        lines = [request.line for request in proxy.received]

    assert (kind, lines) == ("proxy", ["CONNECT api.anthropic.com:443 HTTP/1.1"])


@pytest.mark.parametrize("address", ["gopher://127.0.0.1:70", "socks5://127.0.0.1:1080"])
def test_a_proxy_of_an_unknown_kind(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _no_proxies(monkeypatch)
    monkeypatch.setenv("ALL_PROXY", address)

    assert trouble(generator("", "anthropic")) == (
        "proxy",
        (
            "The proxy that HTTPS_PROXY or ALL_PROXY names is of a kind that is not supported: name one that"
            " begins with http://."
        ),
    )


def test_what_is_meant_for_this_machine_goes_to_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    _no_proxies(monkeypatch)
    with wire(document(401, openai())) as server, wire(document(200, PAGE)) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://{proxy.host}")
        kind, _ = trouble(generator(server))

        assert (kind, proxy.received) == ("key", [])


@pytest.mark.parametrize("key", ["sk-a\nb: c", "sk-\u00e4", "sk a", "sk-\x00"])
def test_a_key_that_can_stand_in_no_header_is_never_shown(key: str) -> None:
    with pytest.raises(ProviderError) as caught:
        generator("", "openai", key=key)

    assert str(caught.value) == (
        "The key holds characters that no key has: copy it again into OPENAI_API_KEY, or"
        " `knapper provider set` sets one."
    )


def test_a_key_is_wanted_but_by_servers_of_ones_own() -> None:
    with pytest.raises(ProviderError) as caught:
        generator("", "openrouter", key=" ")

    assert str(caught.value) == (
        "OpenRouter wants a key: put it into OPENROUTER_API_KEY, or `knapper provider set` sets one."
    )


def test_a_server_that_wants_a_key_where_none_is_set() -> None:
    with wire(document(401, openai("no key"))) as server:
        found = trouble(generator(server, key=""))

    assert found == (
        "key",
        f"{server.host} wants a key: put it into KNAPPER_API_KEY, or `knapper provider set` sets one.",
    )
    assert "authorization" not in server.received[0].headers


def test_no_sentence_holds_more_than_one_line() -> None:
    with wire(document(404, openai("model"))) as server:
        one = generator(server)
        strange = type(one.asked)(
            one.asked.label, one.host, "a\nb\u202e<img>" + "x" * 200, "K", has_key=True, is_own=False
        )
        sentence = trouble(type(one)(one.dialect, one.address, strange, "", one.budget))[1]

    assert re.fullmatch(r"[\x20-\x7e]{1,250}", sentence)


def test_a_web_page_that_tells_of_the_providers_own_trouble_is_no_wrong_address() -> None:
    with wire(document(502, PAGE)) as server:
        assert trouble(generator(server, "openai")) == (
            "provider",
            "OpenAI has trouble of its own (HTTP 502): try again later.",
        )


def test_a_busy_provider_is_named_as_such() -> None:
    waits = Waits()
    with wire(document(529, anthropic("overloaded_error"))) as server:
        assert trouble(generator(server, "anthropic", waits=waits)) == (
            "busy",
            "Anthropic is overloaded just now: try again in a minute.",
        )


def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
