"""One vault's side of the index: what is told to the index process, and what comes back from it.

Owned by the main thread; the loading of a new state happens in a job thread and is swapped in here.
`pending` rises the moment the editor tells something and falls when the state that holds it is loaded.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from knapper.base.cancel import CancelToken
from knapper.base.settings import Settings
from knapper.index import messages as m
from knapper.lsp.asking import Models
from knapper.lsp.jobs import Jobs, log_problem
from knapper.lsp.loading import Wanted, load
from knapper.lsp.session import Session
from knapper.lsp.tickets import Tickets
from knapper.lsp.timers import Timers
from knapper.lsp.vectors import NO_VECTORS, Served, VaultVectors
from knapper.search.clusters import Cluster
from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath

logger = logging.getLogger(__name__)
STARTING, INDEXING, READY, DEGRADED = "starting", "indexing", "ready", "degraded"
_IDLE_S = 0.25
_RETRY_S = 0.3
_PATIENCE_S = 3.0
_STOPPED = "Indexing was stopped. The command knapper.rebuild begins it again."
_GONE = "The index process ended again and again. Links and edits go on; search shows the last index."


class Listener(Protocol):
    """Who is told what happens to a vault."""

    def rebased(self, session: Session) -> None:
        """The session has a newer view."""

    def told(self, level: str, message: str) -> None:
        """A person must hear this, once."""

    def refused(self, session: Session, reason: str) -> None:
        """The vault is not indexed, unless the person insists."""

    def settings_changed(self) -> None:
        """A settings file in the vault is another one now."""

    def progressed(self, session: Session, event: m.Indexing) -> None:
        """The index process says how far it is."""

    def remembered(self, session: Session, event: m.Answer) -> None:
        """The models of the index process have got on, or one of them is wanted."""


class VaultIndex:
    """What the index of one vault is doing."""

    def __init__(
        self,
        session: Session,
        send: Callable[[m.Request], None],
        number: Callable[[], int],
        jobs: Jobs,
        timers: Timers,
        listener: Listener,
    ) -> None:
        self.session = session
        self.owner: bool | None = None
        self.owner_pid: int | None = None
        self.last_pass: m.Passed | None = None
        self.indexing: m.Indexing | None = None
        self._vault = str(session.real)
        self.models = Models(self._vault, send, number)
        self._vectors = VaultVectors(jobs)
        self.topics: tuple[object, object, tuple[Cluster, ...]] | None = None
        self._send, self._jobs, self._timers, self._listener = send, jobs, timers, listener
        self._tickets = Tickets(number)
        self._state = STARTING
        self._settings: Settings | None = None
        self._first = -1  # the ticket of the first scan
        self._refused = self._stopped = False  # by the process, by the person
        self._unsent: set[NotePath] = set()  # edited, and not told yet
        self._sent: set[NotePath] = set()  # told, and not saved or closed yet
        self._rebuilds: dict[int, asyncio.Future[None]] = {}
        # Numbers of what is wanted and what is there, so that a wish during a load is not lost.
        self._wanted_looks = self._looks = 0
        self._wanted_obsidian, self._loaded_obsidian = 1, 0
        self._obsidian = Obsidian()
        self._loaded_from: Path | None = None
        self._loading = False

    # --- what it is doing ---

    @property
    def state(self) -> str:
        """`starting`, `indexing`, `ready` or `degraded`."""
        if self._state == READY and self._rebuilds:
            return INDEXING
        return self._state

    def pending(self) -> int:
        """How much of what the editor told is not in the answers of search or of the vault yet."""
        if self._state == DEGRADED:
            return 0
        unread = self._wanted_obsidian > self._loaded_obsidian or self._state == STARTING
        return len(self._unsent) + self._tickets.pending() + int(unread)

    async def vectors(self) -> Served:
        """The vectors of the vault as they are now; none if search by meaning is switched off."""
        settings, database = self.session.host.snapshot().settings, self.session.database
        if database is None or not settings["embeddings.enabled"]:
            return NO_VECTORS
        return await self._vectors.newest(database)

    @property
    def memory(self) -> int:
        """The bytes that the vectors take here."""
        return self._vectors.memory

    def has_unsaved(self, path: NotePath) -> bool:
        """Whether the editor has told of a text that is not saved yet."""
        return path in self._unsent or path in self._sent

    # --- from the editor ---

    def start(self, settings: Settings) -> None:
        """Begin, once the settings are known; or tell the process that they are others now."""
        before, self._settings = self._settings, settings
        if before is None:
            self._open(settings)
        elif before != settings:
            if self._refused and settings["index.always"]:
                self._refused, self._state = False, INDEXING
                self._tickets.reopen(self._first)
            self.obsidian_changed()  # what is hidden depends on both

    def _open(self, settings: Settings) -> None:
        self._state = INDEXING
        self._first = self._tickets.give()
        opened = tuple(self.session.host.snapshot().overlays)
        self._send(m.OpenVault(self._vault, self._first, settings.as_layer(), opened))
        for path in tuple(self._unsent):
            self._tell_unsaved(path)

    def _is_open(self) -> bool:
        """Whether the process keeps the index of this vault, so that it can be told things."""
        return self._state in {INDEXING, READY} and not self._refused

    def edited(self, path: NotePath) -> None:
        """The note has unsaved text; it goes to the index after a moment without typing."""
        if self._state == DEGRADED or self._refused:
            return
        self._unsent.add(path)
        self._timers.later(self._name(path), _IDLE_S, lambda: self._tell_unsaved(path))

    def settled(self, path: NotePath) -> None:
        """The note was saved or closed: what is on disk counts again."""
        self._timers.forget(self._name(path))
        known = path in self._sent
        self._sent.discard(path)
        self._unsent.discard(path)
        if known and self._is_open():
            self._send(m.DropOverlay(self._vault, self._tickets.give(), path))
        else:
            self.touched((path,))

    def touched(self, paths: tuple[str, ...]) -> None:
        """These files or folders may have changed on disk."""
        if paths and self._is_open():
            self._send(m.Touch(self._vault, self._tickets.give(), paths))

    def obsidian_changed(self) -> None:
        """A file in `.obsidian` is another one now."""
        self._wanted_obsidian += 1
        if self._settings is not None and self._is_open():
            self._send(m.Configure(self._vault, self._tickets.give(), self._settings.as_layer()))
        self._load_soon()

    def close(self) -> None:
        """The vault is not wanted any more."""
        for path in self._unsent:
            self._timers.forget(self._name(path))
        self._unsent.clear()
        self._sent.clear()
        self._tickets.drop_all()
        self._send(m.CloseVault(self._vault))

    def stop_indexing(self) -> None:
        """The person has had enough of it. What is indexed stays; `rebuilt` begins again."""
        self.close()
        self._finish_rebuilds(tuple(self._rebuilds), _STOPPED)
        self._state, self._stopped = DEGRADED, True
        self._listener.told("info", _STOPPED)

    async def flushed(self) -> bool:
        """Send all unsaved text and wait until the database holds it; False if that takes too long."""
        for path in tuple(self._unsent):
            self._tell_unsaved(path)
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._tickets.when_committed(self._tickets.open_now() - {self._first}, lambda: _finish(done))
        try:
            async with asyncio.timeout(_PATIENCE_S):  # `wait_for` loses a cancellation if *done* is done.
                await done
        except TimeoutError:
            return False
        return True

    async def rebuilt(self) -> None:
        """Have the index built anew; raises `RuntimeError` with the reason if it is refused."""
        if self._stopped and self._settings is not None:
            self._stopped = False
            self._open(self._settings)
        ticket = self._tickets.give()
        done = self._rebuilds[ticket] = asyncio.get_running_loop().create_future()
        self._send(m.Rebuild(self._vault, ticket))
        try:
            await done
        finally:
            self._rebuilds.pop(ticket, None)

    def _name(self, path: NotePath) -> tuple[str, str]:
        return (self._vault, path)

    def _tell_unsaved(self, path: NotePath) -> None:
        self._timers.forget(self._name(path))
        if not self._is_open():
            return  # It is told when the vault is opened.
        self._unsent.discard(path)
        opened = self.session.host.snapshot().overlays.get(path)
        if opened is not None:
            self._sent.add(path)
            self._send(m.Overlay(self._vault, self._tickets.give(), path, opened.text.content))

    # --- from the process ---

    def take(self, event: m.Event) -> None:
        """Act on what the index process says about this vault."""
        match event:
            case m.Opened():
                self._opened(event)
            case m.Committed(seq=seq, tickets=tickets):
                self._tickets.committed(seq, tickets)
                self._finish_rebuilds(tickets, None)
                self._load_soon()
            case m.Failed(ticket=ticket, message=message):
                self._failed(ticket, message)
            case m.ObsidianChanged():
                self._wanted_obsidian += 1
                self._listener.settings_changed()
                self._load_soon()
            case m.Passed():
                self.last_pass = event
            case m.Indexing():
                self.indexing = event if event.done < event.total else None
                self._listener.progressed(self.session, event)
            case m.Notice(level=level, message=message):
                self._listener.told(level, message)
            case m.QueryVector() | m.Reranked() | m.Embedded() | m.ModelWanted() | m.ModelFetched():
                self.models.take(event)
                self._listener.remembered(self.session, event)
            case m.Ended(again=again):
                self._ended(again)

    def _failed(self, ticket: int, message: str) -> None:
        self._tickets.drop(ticket)
        if ticket in self._rebuilds:
            self._finish_rebuilds((ticket,), message)
        elif ticket == self._first:
            self._state, self._refused = READY, True  # there is nothing to wait for
            self._unsent.clear()
            self._loaded_obsidian = self._wanted_obsidian
            self._listener.refused(self.session, message)
        else:
            self._listener.told("warning", message)

    def _opened(self, event: m.Opened) -> None:
        self.owner, self.owner_pid = event.owner, event.owner_pid
        database = Path(event.database)
        self.session.database = database
        self._wanted_looks += 1
        self._load_soon()

    def _ended(self, again: float | None) -> None:
        """The process is gone. The client says everything that is not done to the next one."""
        self.models.drop_all()
        self._listener.progressed(self.session, m.Indexing(self._vault, "", 1, 1))
        if again is not None:
            self._state = INDEXING
            self._tickets.reopen(self._first)
            return
        self._state = DEGRADED
        self._unsent.clear()
        self._tickets.drop_all()
        self._finish_rebuilds(tuple(self._rebuilds), _GONE)
        self._listener.told("error", _GONE)

    def _finish_rebuilds(self, tickets: tuple[int, ...], reason: str | None) -> None:
        for ticket in tickets:
            done = self._rebuilds.get(ticket)
            if done is not None and not done.done():
                if reason is None:
                    done.set_result(None)
                else:
                    done.set_exception(RuntimeError(reason))

    # --- loading ---

    def _load_soon(self) -> None:
        if not self._loading and self.session.database is not None:
            self._loading = True
            self._jobs.start(self._load_all())

    async def _load_all(self) -> None:
        """Load until nothing newer is known; what comes in meanwhile is in the next round."""
        try:
            while self._is_behind():
                if not await self._load_once():
                    await asyncio.sleep(_RETRY_S)
            if self._first not in self._tickets.open_now() and self._state == INDEXING:
                self._state = READY
        finally:
            self._loading = False

    def _is_behind(self) -> bool:
        if self._wanted_looks > self._looks or self._wanted_obsidian > self._loaded_obsidian:
            return True
        seq = self.session.host.snapshot().view.seq
        self._tickets.loaded(seq)
        return self._tickets.newest() > seq

    async def _load_once(self) -> bool:
        database, snap = self.session.database, self.session.host.snapshot()
        assert database is not None
        token = CancelToken()
        looks, obsidian = self._wanted_looks, self._wanted_obsidian
        wanted = Wanted(
            view=snap.view if self._loaded_from == database else None,
            obsidian=self._obsidian if obsidian == self._loaded_obsidian else None,
            settings=snap.settings,
            read=self.session.read,
        )
        try:
            loaded = await self._jobs.run(lambda: load(self._jobs.reader(database), wanted, token), token)
        except Exception as problem:  # noqa: BLE001 -- The next round tries again.
            log_problem("loading the index", problem)
            return False
        self._looks, self._loaded_obsidian, self._obsidian = looks, obsidian, loaded.obsidian
        self._loaded_from = database
        for warning in loaded.warnings:
            self._listener.told("warning", warning)
        self.session.host.rebase(loaded.view)
        self._listener.rebased(self.session)
        return True


def _finish(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)
