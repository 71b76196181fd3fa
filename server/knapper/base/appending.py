"""Writing behind what a file holds, for logs of several programs. Knows files, not what they mean."""

from __future__ import annotations

import os
from pathlib import Path


def append(file: Path, text: str) -> None:
    """Write *text* behind the rest in one go, on a line of its own even if the last one was torn.

    A new file is the person's alone. Raises `OSError`.
    """
    handle = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        end = os.lseek(handle, 0, os.SEEK_END)
        torn = False
        if end:
            os.lseek(handle, end - 1, os.SEEK_SET)
            torn = os.read(handle, 1) != b"\n"
        data = (("\n" if torn else "") + text).encode("utf-8")
        while data:
            data = data[os.write(handle, data) :]
    finally:
        os.close(handle)
