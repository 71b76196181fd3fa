"""URIs and paths of files, and nothing else. The only module that encodes or decodes a URI.

A file has one `Path` here however its URI is written: `file:///c%3A/v/N.md`, `file:///C:/v/N.md`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import quote, quote_from_bytes, unquote, unquote_to_bytes, urlsplit

_DRIVE = re.compile(r"/?([A-Za-z]):(/|\Z)")


def path_of(uri: str) -> Path | None:
    """The path of a `file:` URI, or None for another scheme and for what is no path.

    `..` is taken out before anything looks at the disk, so `file:///vault/../etc/x` is `/etc/x`.
    """
    # A raw `?` or `#` is no file name in a URI, but some clients leave them unencoded.
    scheme, found, rest = uri.partition(":")
    if not found or scheme.lower() != "file":
        return None
    try:
        host = urlsplit(uri).netloc
    except ValueError:
        return None
    encoded = rest.removeprefix("//")[len(host) :] if rest.startswith("//") else rest
    if "\0" in (decoded := os.fsdecode(unquote_to_bytes(encoded))) or not decoded.startswith("/"):
        return None
    if drive := _DRIVE.match(decoded):
        decoded = f"{drive[1].lower()}:{decoded[drive.end(1) + 1 :] or '/'}"
    elif host and unquote(host).lower() != "localhost":
        decoded = f"//{unquote(host)}{decoded}"
    return Path(os.path.normpath(decoded))


def uri_of(path: Path | str) -> str:
    """The URI of an absolute path: `/v/a b#1.md` gives `file:///v/a%20b%231.md`."""
    text = str(path).replace(os.sep, "/")
    if drive := _DRIVE.match(text):
        return f"file:///{drive[1].lower()}:{encoded(text[drive.end(1) + 1 :])}"
    return f"file:{encoded(text)}" if text.startswith("//") else f"file://{encoded(text)}"


def encoded(path: str) -> str:
    """A path as it stands in a URI; bytes that are no text, in a file name, come back as they were."""
    return quote_from_bytes(os.fsencode(path), safe="/")


def query_value(text: str) -> str:
    """A value in a URI's query: `a b&c` gives `a%20b%26c`."""
    return quote(text, safe="")
