"""What a model is at work on just now, written down before it begins.

What ends the process again and again is then left alone, instead of ending it for ever. Once is not enough
to accuse: whoever kills the process kills it in the middle of something. Must not know what the keys mean.
"""

from __future__ import annotations

import json
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

ENOUGH = 3
"""So many ends of the process in the middle of a thing make it guilty."""
_FORGIVEN = 86_400.0


class Tried:
    """What was begun and not ended, in a small file that outlives the process."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._counts = _read(file)

    def is_suspect(self, key: str) -> bool:
        """Whether the process has ended on this."""
        return key in self._counts

    def is_guilty(self, key: str) -> bool:
        """Whether this is to be left alone."""
        return self._counts.get(key, (0, 0.0))[0] >= ENOUGH

    def begin(self, keys: Collection[str]) -> None:
        """These are about to be tried."""
        now = time.time()
        self._save({**self._counts, **{key: (self._counts.get(key, (0, 0.0))[0] + 1, now) for key in keys}})

    def end(self, keys: Collection[str]) -> None:
        """They did no harm."""
        for key in keys:
            self._counts.pop(key, None)
        self._save(self._counts)

    def close(self) -> None:
        """The process ends as it should, whatever it was in the middle of."""
        self._save(self._counts)

    def _save(self, counts: dict[str, tuple[int, float]]) -> None:
        with suppress(OSError):  # Where nothing can be written, models work all the same.
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(counts), encoding="ascii")


def _read(file: Path) -> dict[str, tuple[int, float]]:
    try:
        found = json.loads(file.read_bytes())
        counts = {str(key): (int(count), float(at)) for key, (count, at) in found.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}
    return {key: (count, at) for key, (count, at) in counts.items() if time.time() - at < _FORGIVEN}
