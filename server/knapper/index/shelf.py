"""One index on disk, opened: by its owner, who also makes and mends it, or by a server that follows.

Knows files and locks; must not know what is being indexed.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

from knapper.index.location import Location
from knapper.index.locks import Attendance, Ownership
from knapper.store.errors import Damaged, StoreError
from knapper.store.reader import Reader
from knapper.store.writer import Writer

_MOST_CORPSES = 2


class Shelf:
    """The folder of one vault's index, with the locks in it."""

    def __init__(self, root: Path, location: Location, server: str) -> None:
        self.database = location.database
        self.attendance = Attendance(location.folder, server)
        self.ownership = Ownership(location.folder)
        self._root = root
        self._server = server
        self._identity: tuple[int, int] | None = None

    def open_as_owner(self) -> tuple[Writer, str | None]:
        """The index, made anew if it is damaged; and in that case a sentence. The lock must be held."""
        remark = None
        try:
            writer = self._writer()
        except Damaged as error:
            remark = self.set_aside(str(error))
            writer = self._writer()
        self._identity = _identity(self.database)
        return writer, remark

    def set_aside(self, reason: str) -> str:
        """Move a damaged index away, whole, so that it can be looked at; and say so."""
        stamp = time.strftime("%Y%m%d-%H%M%S")
        for suffix in ("", "-wal", "-shm"):
            path = self.database.with_name(self.database.name + suffix)
            with suppress(FileNotFoundError):
                path.rename(path.with_name(f"{path.name}.corrupt-{stamp}"))
        self._bury()
        return f"The index of {self._root.name} was damaged ({reason}) and is built anew. No note changed."

    def is_replaced(self) -> bool:
        """Whether another file lies there now, or none: somebody has deleted the index."""
        return self._identity is not None and _identity(self.database) != self._identity

    def is_followed(self) -> None:
        """Remember which file is being followed."""
        self._identity = _identity(self.database)

    def check(self) -> str | None:
        """What is wrong with the index where no query has noticed, or None. Takes a while: for a thread."""
        try:
            reader = Reader(self.database)
        except StoreError as error:
            return str(error)
        try:
            return reader.drift()
        finally:
            reader.close()

    def purge(self, writer: Writer) -> None:
        """Drop the unsaved notes of servers that are gone."""
        dead = [server for server in writer.servers_with_unsaved() if not self.attendance.is_alive(server)]
        if dead:
            with writer.commit():
                for server in dead:
                    writer.drop_server(server)

    def _writer(self) -> Writer:
        return Writer(self.database, self._server, root=str(self._root))

    def _bury(self) -> None:
        """Keep the last few damaged files only."""
        corpses = sorted(self.database.parent.glob(f"{self.database.name}.corrupt-*"))
        for corpse in corpses[:-_MOST_CORPSES]:
            for path in self.database.parent.glob(f"*{corpse.name.removeprefix(self.database.name)}"):
                with suppress(OSError):  # A folder that somebody has put there is left to them.
                    path.unlink()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
