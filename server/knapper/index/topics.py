"""The topics of a vault, kept beside its index: found once for the same notes, whoever asks.

What is kept is derived, in a file that may be deleted at any time. Must not know how topics are found.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from knapper.base.cancel import CancelToken
from knapper.search.clusters import Cluster, Clusters, clusters
from knapper.search.matrix import Vectors
from knapper.store.reader import Reader
from knapper.store.words import WordReader
from knapper.vault.paths import NotePath

FILE_NAME = "topics.json"


def topics(
    reader: Reader,
    vectors: Vectors | None,
    hidden: Callable[[NotePath], bool] | None,
    token: CancelToken | None = None,
) -> Clusters:
    """The topics of the saved notes, the largest first. Raises `Cancelled`, or what reading raises."""
    with reader.one_state():
        index = WordReader(reader.connection)  # Not as one server sees them: one answer for all.
        return clusters(index, vectors, hidden, token, KeptTopics(reader.database.with_name(FILE_NAME)))


class KeptTopics:
    """The last answer, in *file*. Several processes may use it; a file that cannot be used is no answer."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, basis: str) -> Clusters | None:
        """What was found on this basis, if that is what is kept."""
        try:
            kept: Any = json.loads(self._file.read_bytes())
            if kept["basis"] != basis:
                return None
            return tuple(
                Cluster(one["label"], tuple(one["words"]), tuple(map(NotePath, one["notes"])))
                for one in kept["topics"]
            )
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None

    def put(self, basis: str, found: Clusters) -> None:
        """Keep what was found, instead of what was kept before; if it cannot be written, nothing is kept."""
        topics = [{"label": one.label, "words": one.words, "notes": one.notes} for one in found]
        with suppress(OSError):
            handle, name = tempfile.mkstemp(prefix=FILE_NAME, dir=self._file.parent)
            try:
                with os.fdopen(handle, "w", encoding="ascii") as stream:
                    json.dump({"basis": basis, "topics": topics}, stream)
                Path(name).replace(self._file)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
