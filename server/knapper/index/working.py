"""Which note is being read just now, written down before it is begun.

A note on which the program ended twice is left alone until it changes: a parser may be brought down by
one note, and must not be by the same one for ever. Once is not enough to accuse it: whoever kills the
process kills it while it reads something.
"""

from __future__ import annotations

import json
import mmap
from pathlib import Path

from knapper.store.rows import FileState
from knapper.vault.paths import NotePath

_ENOUGH = 2
_SIZE = 64 * 1024
_quoted = json.encoder.encode_basestring_ascii


class Working:
    """The note in work, in a small file beside the index that outlives the process.

    The file is mapped: writing a note down costs no system call, and what a killed process has written
    into a mapped file is there all the same.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "working"
        self._suspects = _read(path)
        self._begun = False
        path.write_bytes(bytes(_SIZE))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), _SIZE)
        self._save(self._suspects)

    def mark(self, path: NotePath, state: FileState) -> bytes:
        """What `begin` writes down of the note; made once, for it is begun several times."""
        now = [state.size, state.mtime_ns, self._count(path, state) + 1]
        if self._suspects:
            return _line({**self._suspects, path: now})
        return f"{{{_quoted(path)}:{now}}}\n".encode("ascii")  # The same, faster: nearly always.

    def begin(self, mark: bytes) -> None:
        """The note of this mark is worked on from now on."""
        self._put(mark)
        self._begun = True

    def end(self) -> None:
        """The notes begun have been read."""
        if self._begun:
            self._save(self._suspects)
        self._begun = False

    def absolve(self, path: NotePath) -> None:
        """The note has been read without harm."""
        self._suspects.pop(path, None)

    def is_suspect(self, path: NotePath) -> bool:
        """Whether the program has ended on this note: it is read after all others."""
        return path in self._suspects

    def is_guilty(self, path: NotePath, state: FileState) -> bool:
        """Whether the note is to be left alone as it is now."""
        return self._count(path, state) >= _ENOUGH

    def close(self) -> None:
        """Nothing is in work any more."""
        self.end()
        self._map.close()

    def _count(self, path: NotePath, state: FileState) -> int:
        size, mtime_ns, count = self._suspects.get(path, (0, 0, 0))
        return count if (size, mtime_ns) == (state.size, state.mtime_ns) else 0

    def _save(self, suspects: dict[str, list[int]]) -> None:
        self._put(_line(suspects))

    def _put(self, content: bytes) -> None:
        if len(content) <= _SIZE:
            self._map[: len(content)] = content


def _line(suspects: dict[str, list[int]]) -> bytes:
    return json.dumps(suspects).encode("ascii") + b"\n"


def _read(file: Path) -> dict[str, list[int]]:
    try:
        found = json.loads(file.read_bytes().partition(b"\n")[0])
        return {str(path): [int(number) for number in seen] for path, seen in found.items() if len(seen) == 3}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}
