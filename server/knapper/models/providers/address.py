"""Where a provider is: the base address as a person writes it, checked before anything is sent there.

Must not know keys. Text of notes goes over https, or stays on this machine.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from knapper.models.providers.ports import ProviderError

_HOST = re.compile(r"[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]")
_PATH = re.compile(r"[\w./~%+-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """A checked address. *host* is with its port, if it has one of its own."""

    scheme: str
    host: str
    path: str
    is_local: bool

    def at(self, path: str) -> str:
        """The URL of *path* below it: `https://api.openai.com/v1` + `/chat/completions`."""
        return f"{self.scheme}://{self.host}{self.path}{path}"


def read_address(base: str, endpoint: str, default_path: str = "") -> Address:
    """The address that *base* means; raises `ProviderError`.

    What a person copies too much is taken off, what is left out is added:
    `http://localhost:11434/v1/chat/completions` and `http://localhost:11434` both mean `…/v1`, if
    *endpoint* is `/chat/completions` and *default_path* `/v1`.
    """
    try:
        parts = urlsplit(base.strip())
        port = parts.port
    except ValueError:
        raise _unusable("it cannot be read as an address") from None
    host = (parts.netloc.rpartition(":")[0] if port is not None else parts.netloc).rstrip(":")
    if parts.scheme not in ("http", "https"):
        raise _unusable("it must begin with https://, or http:// for this machine")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise _unusable("it must hold no user name, key or query")
    if not _HOST.fullmatch(host) or not _PATH.fullmatch(parts.path):
        raise _unusable("it holds characters that no address has")
    local = is_loopback(parts.hostname or "")
    if parts.scheme == "http" and not local:
        raise _unusable(
            "text of notes is sent without encryption to this machine only (127.0.0.1, localhost);"
            " use https:// for any other"
        )
    path = parts.path.rstrip("/").removesuffix(endpoint).rstrip("/") or default_path
    return Address(parts.scheme, f"{host}:{port}" if port is not None else host, path, local)


def is_loopback(host: str) -> bool:
    """Whether *host* is this machine by its very name: `localhost`, `127.0.0.1`, `::1`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _unusable(why: str) -> ProviderError:
    return ProviderError("address", f"The address in knapper.ask.baseUrl cannot be used: {why}.")
