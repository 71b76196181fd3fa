"""What went wrong, in one sentence for the person, with what to do next.

Providers' own messages are read but never repeated: they quote keys and prompts. Must not know how requests
are sent or repeated.
"""

from __future__ import annotations

import json
import math
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from knapper.models.providers.ports import ProviderError, Trouble
from knapper.models.providers.retry import asked_delay

SET_KEY = "`knapper provider set` sets one"
_TOO_LONG = re.compile(
    r"context.{0,20}(length|window|size)|prompt is too long|too many (input )?tokens|maximum context"
)
_MONEY = re.compile(r"credit balance|insufficient.{0,3}(quota|credit|balance|fund)|billing")
_ABOUT_MODEL = re.compile(r"\bmodels?\b|no endpoints found")
_NO_MODEL = re.compile(
    r"(invalid|unknown|no such|not a valid) model|no models? loaded"
    r"|\bmodel\b.{0,120}(does not exist|unknown|not (found|available|supported|loaded|exist|a valid))"
)
_LIMIT = re.compile(r"max_(completion_|output_)?tokens")


@dataclass(frozen=True, slots=True)
class Asked:
    """Who was asked for what, as sentences name it."""

    label: str  # `Anthropic`
    host: str
    model: str
    key_name: str  # `ANTHROPIC_API_KEY`
    has_key: bool
    is_own: bool  # a server that the person runs on this machine

    @property
    def model_said(self) -> str:
        """The model's name, fit for a sentence."""
        return re.sub(r"[^\w./:@+-]+", " ", self.model)[:80]


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that is no stream: its status, headers, media type and the start of its body."""

    status: int
    headers: Mapping[str, str]
    media_type: str
    body: bytes


def no_key(label: str, key_name: str) -> ProviderError:
    """Nothing can be asked without a key."""
    return ProviderError("no-key", f"{label} wants a key: put it into {key_name}, or {SET_KEY}.")


def no_model(label: str) -> ProviderError:
    """No model is chosen."""
    return ProviderError("model", f"No model of {label} is chosen: set knapper.ask.model to one.")


def unusable_key(key_name: str) -> ProviderError:
    """A key that can stand in no header; sending it would show it in an error."""
    return ProviderError(
        "key", f"The key holds characters that no key has: copy it again into {key_name}, or {SET_KEY}."
    )


def refused(asked: Asked, refusal: Refusal, now: float) -> ProviderError:
    """What an answer with an error status, or with no stream in it, means."""
    status, label = refusal.status, asked.label
    if 300 <= status < 400:
        return ProviderError(
            "redirect",
            f"{asked.host} redirects to another address, and keys are never sent on: put the final address"
            " into knapper.ask.baseUrl.",
        )
    if status == 407:
        return _proxy()
    if status < 500 and refusal.media_type in ("text/html", "application/xhtml+xml"):
        return ProviderError(
            "no-provider",
            f"{asked.host} answers with a web page (HTTP {status}): it is no provider of models, or a proxy"
            " or login page stands before it; check knapper.ask.baseUrl and the network.",
        )
    error = _error_in(refusal.body)
    if status < 300 and error is None:
        return ProviderError(
            "no-provider",
            f"{asked.host} does not answer with a stream of text: it is no provider of models, or the path is"
            " missing from knapper.ask.baseUrl (mostly /v1).",
        )
    kind, code = _kind(_code_of(error) if status < 300 else status, _words(error))
    if kind == "busy" and code != 529:
        return _slow_down(label, refusal.headers, now)
    return ProviderError(kind, _sentence(kind, code, asked))


def in_stream(asked: Asked, error: Any) -> str:
    """The sentence for an error that a provider reports within an answer it has begun."""
    told = _words(error)
    kind, code = _kind(_code_of(error), told)
    return _sentence(kind, code, asked)


def lost(asked: Asked, cause: Exception, seconds: tuple[float, float]) -> ProviderError:
    """Why the line broke before the answer began; *seconds* are those waited to connect and for a byte."""
    chain = tuple(_chain(cause))
    kinds = {type(error).__name__ for error in chain}
    if "ProxyError" in kinds:
        return _proxy()
    if _about_proxy(chain):
        what = "of a kind that is not supported: name one that begins with http://"
        return ProviderError("proxy", f"The proxy that HTTPS_PROXY or ALL_PROXY names is {what}.")
    return ProviderError(*_lost(asked.host, chain) or _lost_by_name(asked, kinds, seconds))


def _lost(host: str, chain: tuple[BaseException, ...]) -> tuple[Trouble, str] | None:
    """What the system's own error at the end of the chain says."""
    if any(isinstance(error, ssl.SSLCertVerificationError) for error in chain):
        what = "is not trusted: if a proxy of your network signs for it, name that authority in SSL_CERT_FILE"
        return "certificate", f"The certificate of {host} {what}."
    if any(isinstance(error, ssl.SSLError) for error in chain):
        return "certificate", f"{host} cannot be reached over https: check the address."
    if any(isinstance(error, socket.gaierror) for error in chain):
        return "network", f"{host} cannot be found: is there a network, and is the address right?"
    return None


def _lost_by_name(asked: Asked, kinds: set[str], seconds: tuple[float, float]) -> tuple[Trouble, str]:
    """What the library's name for the error says; its message may hold anything."""
    host = asked.host
    if "ConnectTimeout" in kinds:
        return (
            "timeout",
            f"{host} took no connection within {seconds[0]:g} s: check the network and the address.",
        )
    if "ConnectError" in kinds:
        return "network", _unreachable(asked)
    if kinds & {"ReadTimeout", "WriteTimeout"}:
        return "timeout", f"{host} was silent for {seconds[1]:g} s: try again later."
    if kinds & {"RemoteProtocolError", "DecodingError"}:
        return (
            "no-provider",
            f"{host} hung up or does not speak HTTP: check knapper.ask.baseUrl, or try again.",
        )
    return "network", f"The connection to {host} broke: try again."


def broken_off(asked: Asked, cause: Exception, silence: float) -> str:
    """The sentence for a line that broke in the middle of an answer."""
    kinds = {type(error).__name__ for error in _chain(cause)}
    if "ReadTimeout" in kinds:
        return f"The answer stops here: {asked.host} was silent for {silence:g} s."
    if "OverflowError" in kinds:
        return f"The answer stops here: {asked.host} sent more than any answer holds."
    return f"The answer stops here: the connection to {asked.host} broke."


def _kind(status: int, told: str) -> tuple[Trouble, int]:  # noqa: PLR0911 -- A table with conditions.
    """What kind of trouble a status and the provider's words (lower case) mean."""
    if _MONEY.search(told) or status == 402:
        return "money", 402
    if status in (400, 413, 422) and _TOO_LONG.search(told):
        return "too-long", status
    if status in (400, 422) and _LIMIT.search(told):
        return "request", status
    if (_ABOUT_MODEL if status == 404 else _NO_MODEL).search(told) and status in (400, 404, 422):
        return "model", status
    if status == 401:
        return "key", status
    if status == 403:
        return "forbidden", status
    if status in (404, 405, 410):
        return "address", status
    if status == 413:
        return "too-large", status
    if status in (429, 529):
        return "busy", status
    if status in (408, 504):
        return "timeout", status
    return ("provider" if status >= 500 else "request"), status


def _sentence(kind: Trouble, code: int, asked: Asked) -> str:
    label, model, host = asked.label, asked.model_said, asked.host
    found = {
        "key": f"{label} does not accept the key: check the one in {asked.key_name}, or {SET_KEY}."
        if asked.has_key
        else f"{host} wants a key: put it into {asked.key_name}, or {SET_KEY}.",
        "money": f"The account with {label} has no credit left: add some there, or choose another provider.",
        "forbidden": f"{label} forbids this request: the key may not use {model}, or the text was flagged;"
        " try another model.",
        "model": f"{label} does not offer the model {model}: "
        + (f"fetch it there (`ollama pull {model}`), or " if asked.is_own else "")
        + "set knapper.ask.model to another.",
        "address": f"{host} has no such path: check knapper.ask.baseUrl; it mostly ends in /v1.",
        "too-long": f"The question and its passages are too long for {model}: ask about fewer notes, or"
        " choose a model with a larger context.",
        "too-large": f"The request is too large for {label}: ask about fewer notes.",
        "busy": f"{label} is overloaded just now: try again in a minute.",
        "timeout": f"{label} took too long and gave up: try again, or choose a faster model.",
        "provider": f"{label} has trouble of its own{_in_brackets(code)}: try again later.",
        "request": f"{label} does not take this request{_in_brackets(code)}: try another model.",
    }
    return found[kind]


def _in_brackets(code: int) -> str:
    return f" (HTTP {code})" if code >= 400 else ""


def _slow_down(label: str, headers: Mapping[str, str], now: float) -> ProviderError:
    seconds = asked_delay(headers, now)
    when = "in a minute"
    if seconds is not None and seconds > 90:
        when = (
            f"in {math.ceil(seconds / 60)} minutes"
            if seconds < 5400
            else "tomorrow, or raise the limit there"
        )
    return ProviderError("busy", f"{label} asks to slow down (HTTP 429): try again {when}.")


def _proxy() -> ProviderError:
    return ProviderError(
        "proxy",
        "The proxy that HTTPS_PROXY or ALL_PROXY names does not let the request through: check these"
        " variables and the proxy's password.",
    )


def _unreachable(asked: Asked) -> str:
    if asked.is_own:
        return f"Nothing answers at {asked.host}: start the model server there, or check knapper.ask.baseUrl."
    return f"{asked.host} cannot be reached: check the network, HTTPS_PROXY if it is set, and the address."


def _about_proxy(chain: tuple[BaseException, ...]) -> bool:
    """Whether the library could not use the proxy at all: a scheme it does not know, no SOCKS support."""
    return any(
        isinstance(error, ValueError | ImportError) and "prox" in str(error).lower() for error in chain
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    found: BaseException | None = error
    while found is not None and id(found) not in seen:
        seen.add(id(found))
        yield found
        found = found.__cause__ or found.__context__


def _error_in(body: bytes) -> Any:
    """The error that *body* is; None if it is none."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict):
        return None
    if "error" in found or found.get("object") == "error":
        return found.get("error") or found
    return None


def _words(error: Any) -> str:
    """Type, code and message of an error, lower case, to look for words we know."""
    if isinstance(error, dict):
        return " ".join(str(error.get(name, "")) for name in ("type", "code", "message"))[:4_000].lower()
    return str(error)[:4_000].lower()


_TYPES = {
    "overloaded_error": 529, "rate_limit_error": 429, "authentication_error": 401, "billing_error": 402,
    "permission_error": 403, "not_found_error": 404, "request_too_large": 413, "invalid_request_error": 400,
    "timeout_error": 504, "api_error": 500, "server_error": 500, "rate_limit_exceeded": 429,
}  # fmt: skip


def _code_of(error: Any) -> int:
    """The status that an error within a stream would have had before it; 0 if it does not say."""
    if not isinstance(error, dict):
        return 500
    code = error.get("code")
    if isinstance(code, int) and 400 <= code < 600:
        return code
    for name in (code, error.get("type")):
        if isinstance(name, str) and name in _TYPES:
            return _TYPES[name]
    return 500
