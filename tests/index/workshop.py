"""What tests of the index are written with: a vault on disk, its index as plain values, real servers."""

from __future__ import annotations

import queue
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from knapper.base.settings import Settings
from knapper.index.client import IndexClient
from knapper.index.keeper import Keeper, Pace
from knapper.index.local import LocalIndex, bring_up_to_date
from knapper.index.location import locate
from knapper.index.messages import Committed, Event, Opened, OpenVault, Request
from knapper.store.reader import Reader
from knapper.store.writer import Writer

T = TypeVar("T")
PATIENCE = 30.0
"""How long anything may take on a busy machine before a test calls it missing."""


class Workshop:
    """A vault on disk, and what its index says."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, content: str | bytes = "") -> Path:
        """Write a file of the vault."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    @property
    def database(self) -> Path:
        """Where the index lies."""
        return locate(self.root).database

    def index(self) -> LocalIndex:
        """Bring the index up to date in this process."""
        return bring_up_to_date(self.root, Settings())

    def reader(self) -> Reader:
        """A reader of the index."""
        return Reader(self.database)


def keeper_of(workshop: Workshop, tell: Callable[[Event], None] | None = None, **pace: object) -> Keeper:
    """A keeper of the workshop's vault that a test steps by hand, with a writer of its own."""
    database = workshop.database
    writer = Writer(database, "s", root=str(workshop.root))
    return Keeper(workshop.root, writer, tell or [].append, Pace(**pace))  # type: ignore[arg-type]


def finish(keeper: Keeper) -> None:
    """Step until there is nothing more to do."""
    while keeper.step():
        pass


def dump(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that an index says of the saved notes, without numbers that depend on how it came to be."""
    connection = sqlite3.connect(database)
    connection.execute("INSERT INTO chunk_search (chunk_search, rank) VALUES ('integrity-check', 1)")
    found = {}
    for table in ("alias", "heading", "block", "tag", "link", "property", "chunk"):
        rows = connection.execute(
            f"SELECT note.path, {table}.* FROM {table} JOIN note ON note.id = {table}.note"
            " WHERE server = '' ORDER BY note.path, ord"
        )
        names = [column[0] for column in rows.description]
        drop = {
            index for index, name in enumerate(names) if name == "note" or (table == "chunk" and name == "id")
        }
        found[table] = [tuple(v for i, v in enumerate(row) if i not in drop) for row in rows]
    found["file"] = connection.execute(
        "SELECT path, size, mtime_ns, digest FROM file ORDER BY path"
    ).fetchall()
    found["note"] = connection.execute(
        "SELECT path, name, title, modified, size FROM note WHERE server = '' ORDER BY path"
    ).fetchall()
    found["problem"] = connection.execute("SELECT * FROM problem ORDER BY path").fetchall()
    found["names"] = connection.execute(
        "SELECT note.path, name_search.title, aliases, headings FROM name_search"
        " JOIN note ON note.id = name_search.rowid WHERE server = '' ORDER BY note.path"
    ).fetchall()
    connection.close()
    return found


class Server:
    """A server: a real client with a real process, and the events it hears."""

    def __init__(self, workshop: Workshop, server: str, **client: object) -> None:
        self.events: queue.Queue[Event] = queue.Queue()
        self.heard: list[Event] = []
        self.client = IndexClient(self.events.put, server, **client)  # type: ignore[arg-type]
        self.vault = str(workshop.root)
        self._ticket = 0
        self.client.start()

    def open(self, **settings: object) -> int:
        """Open the vault."""
        return self.send(OpenVault, settings)

    def send(self, kind: type[Request], *fields: object) -> int:
        """Send a request for the vault; its ticket."""
        self._ticket += 1
        self.client.send(kind(self.vault, self._ticket, *fields))  # type: ignore[call-arg, arg-type]
        return self._ticket

    def hear(self, what: Callable[[Event], bool]) -> Event:
        """Wait for an event."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                event = self.events.get(timeout=until - time.monotonic())
            except queue.Empty:
                break
            self.heard.append(event)
            if what(event):
                return event
        raise AssertionError(f"not heard; heard were {self.heard}")

    def done(self, ticket: int) -> Event:
        """Wait until what was asked for with *ticket* is committed."""
        return self.hear(lambda event: isinstance(event, Committed) and ticket in event.tickets)

    def opened(self) -> Opened:
        """Wait until the database can be read."""
        event = self.hear(lambda event: isinstance(event, Opened))
        assert isinstance(event, Opened)
        return event


def until(check: Callable[[], T]) -> T:
    """Wait until *check* is true; what it gave."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := check():
            return found
        time.sleep(0.03)
    raise AssertionError("it did not come true")
