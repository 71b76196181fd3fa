"""Opening a file that is nothing but a file: no pipe that would be waited for, no device that never ends.

What lies in a vault may have been put there by anybody. Must not know what is read.
"""

from __future__ import annotations

import errno
import os
import stat

_FLAGS = ("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NONBLOCK")  # as far as the system has them


def open_plain(path: str | os.PathLike[str]) -> int:
    """A file descriptor to read *path*. Raises OSError, also for a folder, a pipe or a device."""
    # Looked at after it is open: before, another file may still be put in its place.
    file = os.open(path, os.O_RDONLY | sum(getattr(os, flag, 0) for flag in _FLAGS))
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise OSError(errno.EINVAL, "it is no plain file", os.fspath(path))
    return file


def read_plain(path: str | os.PathLike[str], most: int) -> bytes:
    """The first *most* bytes of a file. Raises OSError as `open_plain` does."""
    with os.fdopen(open_plain(path), "rb") as file:
        return file.read(most)
