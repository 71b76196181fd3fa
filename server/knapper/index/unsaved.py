"""The unsaved texts of one server's editor, on their way into the index and back into a new one."""

from __future__ import annotations

import logging
import time

from knapper.index.apply import Timings, entry_of
from knapper.index.storable import encodable
from knapper.store.rows import Entry, FileState
from knapper.store.writer import Writer
from knapper.vault.paths import NotePath, is_note

_log = logging.getLogger(__name__)


class Unsaved:
    """The latest unsaved text of each open note, and which of them the index does not have yet."""

    def __init__(self) -> None:
        self._texts: dict[NotePath, str] = {}
        self._changed: dict[NotePath, None] = {}
        self._tickets: list[int] = []

    def put(self, path: str, text: str, ticket: int) -> None:
        """The note has this text now; only the latest of several counts."""
        if is_note(path):
            self._texts[NotePath(path)] = encodable(text)
            self._changed[NotePath(path)] = None
        self._tickets.append(ticket)

    def forget(self, path: str) -> None:
        """The note has no unsaved text any more. Its row goes by `drop`, once the saved one is in."""
        self._texts.pop(NotePath(path), None)
        self._changed.pop(NotePath(path), None)

    def drop(self, path: str, writer: Writer) -> None:
        """Take the note's unsaved row out of the index, unless it has been edited again since."""
        if NotePath(path) not in self._texts:
            with writer.commit():
                writer.drop_unsaved(NotePath(path))

    def restore(self) -> None:
        """The index is a new one: all texts have to go into it."""
        self._changed.update(dict.fromkeys(self._texts))

    @property
    def waiting(self) -> bool:
        """Whether there is something that the index does not have yet."""
        return bool(self._changed or self._tickets)

    def flush(self, writer: Writer) -> tuple[int, ...]:
        """Commit what waits; the tickets that are done with that."""
        paths, tickets = list(self._changed), tuple(self._tickets)
        entries = [entry for path in paths if (entry := _entry(path, self._texts[path])) is not None]
        if entries:
            with writer.commit():
                for entry in entries:
                    writer.put_unsaved(entry)
        for path in paths:
            self._changed.pop(path, None)
        del self._tickets[: len(tickets)]
        return tickets


def _entry(path: NotePath, text: str) -> Entry | None:
    state = FileState(len(text.encode("utf-8")), time.time_ns(), 0)
    try:
        return entry_of(path, text, state, None, Timings())
    except Exception:  # noqa: BLE001 -- A parser must not fail, and if it does, the saved text stays searchable.
        _log.exception("An unsaved note could not be parsed: %s", path)
        return None
