"""A note's file as text. Never rewrites one, never raises for what stands in it.

A text has no byte order mark, and its line breaks are as in the file.
"""

from __future__ import annotations

import codecs
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from knapper.index.plain import open_plain
from knapper.index.scan import state_of
from knapper.store.rows import FileState

MOST_BYTES = 64_000_000
"""Larger files are listed and not read: nobody wrote them, and a parse would take minutes."""


class TooLarge(Exception):  # noqa: N818 -- It is a finding, not an error.
    """The file is larger than a note can be."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What was read: the bytes, their hash, and what the file looked like just before."""

    content: bytes
    digest: str
    state: FileState


def read_file(path: str | os.PathLike[str]) -> ReadFile:
    """The bytes of a file. Raises OSError, or `TooLarge`."""
    # System calls, because a file object makes twice as many of them and notes are small.
    file = open_plain(path)
    try:
        state = state_of(os.fstat(file))
        if state.size > MOST_BYTES:
            raise TooLarge
        content = os.read(file, state.size + 1)
        while len(content) != state.size and (more := os.read(file, MOST_BYTES)):
            content += more
    finally:
        os.close(file)
    return ReadFile(content, hashlib.sha256(content).hexdigest(), state)


def text_in(root: Path, path: str) -> str | None:
    """The text of the file at *path* of a vault that really lies at *root*.

    None if it cannot be read, or a symbolic link leads out of the vault.
    """
    try:
        real = Path(os.path.realpath(root / path))
        return decode(read_file(real).content)[0] if real.is_relative_to(root) else None
    except (OSError, ValueError, TooLarge):
        return None


def decode(content: bytes) -> tuple[str, str | None]:
    r"""The text of a note, and a sentence if it is not clean text.

    `b"caf\xe9"` gives `"caf\ufffd"` and a sentence; UTF-16 is read if it says so itself.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text, problem = _not_utf8(content)
        return text, problem
    if "\0" in text:
        return text, "The note holds NUL characters, so it may be no text; it was indexed as far as it is."
    return text, None


def _not_utf8(content: bytes) -> tuple[str, str]:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return (
            content.decode("utf-16", "replace"),
            "The note is UTF-16 and not UTF-8; it was indexed, but Obsidian and editors may show it wrongly.",
        )
    return (
        content.decode("utf-8-sig", "replace"),
        "The note is not UTF-8 text; it was indexed with \ufffd for what could not be read.",
    )
