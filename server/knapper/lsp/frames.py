"""The framing of the protocol: bytes in, message bodies out. Knows headers; must not know JSON-RPC.

Damage never ends the stream: what cannot be read is reported and skipped, up to the next header that
says how long a message is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LENGTH = re.compile(rb"content-length:[ \t]*(\d{1,10})[ \t]*\Z", re.IGNORECASE)
_ANY_LENGTH = re.compile(rb"content-length:", re.IGNORECASE)
_LONGEST_LINE = 8192
LONGEST_BODY = 1 << 30


@dataclass(frozen=True, slots=True)
class Damage:
    """A header that cannot be read; `reason` says what is wrong with it."""

    reason: str


class Frames:
    r"""Collects bytes as they come and gives back whole bodies: feed `Content-Length: 2\r\n\r\n{}`."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._length: int | None = None
        self._in_body = False

    def feed(self, data: bytes) -> list[bytes | Damage]:
        """The bodies, and the damage, that *data* completes."""
        self._buffer += data
        found: list[bytes | Damage] = []
        while True:
            item = self._body() if self._in_body else self._header_line()
            if item is None:
                return found
            if item != b"":
                found.append(item)

    def _body(self) -> bytes | None:
        length = self._length or 0
        if len(self._buffer) < length:
            return None
        body = bytes(self._buffer[:length])
        del self._buffer[:length]
        self._in_body, self._length = False, None
        return body

    def _header_line(self) -> bytes | Damage | None:
        """`b""` for a line that was taken in, None when more bytes are needed."""
        end = self._buffer.find(b"\n")
        if end < 0:
            if len(self._buffer) > _LONGEST_LINE:
                # Keep the tail: a header may follow the damage without a line break between them.
                del self._buffer[:-64]
            return None
        line = bytes(self._buffer[:end]).rstrip(b"\r")
        del self._buffer[: end + 1]
        if not line:
            self._in_body = self._length is not None
            return b""
        return self._take_header(line)

    def _take_header(self, line: bytes) -> bytes | Damage:
        # Searched for, not matched: the rest of a damaged body may stand before it on the line.
        match = _LENGTH.search(line)
        if match and int(match[1]) <= LONGEST_BODY:
            self._length = int(match[1])
        elif _ANY_LENGTH.search(line):
            return Damage(f"The header {line[-80:].decode('ascii', 'replace')!r} gives no usable length.")
        return b""
