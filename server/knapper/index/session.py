"""One vault as one server has it indexed: as the owner of the index, or following another owner.

Takes requests, works in short steps, tells events. Following may end in owning, an index may be lost and
made again; what the server has unsaved is put back into whatever index there is. Must not know pipes.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from knapper.base.settings import read_settings
from knapper.index.asking import ModelDesk
from knapper.index.embed import Embedding
from knapper.index.follower import Follower
from knapper.index.location import locate
from knapper.index.messages import (
    Asking,
    Committed,
    Configure,
    DropOverlay,
    Failed,
    Notice,
    OpenVault,
    Overlay,
    Rebuild,
    Request,
    Scan,
    Touch,
)
from knapper.index.owner import Owner
from knapper.index.scan import TooMany
from knapper.index.shelf import Shelf
from knapper.index.surroundings import Surroundings, Timers
from knapper.index.unsaved import Unsaved
from knapper.index.vaults import MOST_FILES, refusal
from knapper.store.errors import Busy, Damaged, StoreError, Unwritable

_log = logging.getLogger(__name__)
_MOST_MENDS = 3

Done = Callable[[], None]


class Session:
    """The index of the vault that *request* opens."""

    def __init__(self, request: OpenVault, around: Surroundings) -> None:
        self.vault = request.vault
        self._root = Path(request.vault)
        self._around = around
        self._settings, _ = read_settings([request.settings])
        self._request = request
        self._shelf: Shelf | None = None
        self._side: Owner | Follower | None = None
        self._unsaved = Unsaved()
        self._embedding: Embedding | None = None
        self._desk = ModelDesk(self.vault, around, around.models) if around.models else None
        self._waiting: list[Request] = []
        self._calls: list[Done] = [self._committed(request.ticket)]
        self._timers = Timers()
        self._paused_until = 0.0
        self._declined: str | None = None
        self._told: set[str] = set()
        self._mended = 0
        self._consider()

    # --- requests ---

    def accept(self, request: Request) -> None:
        """Do what the server asks, or remember it until there is an index."""
        if isinstance(request, Configure):
            self._configure(request)
        elif isinstance(request, Asking):
            self._answer(request)
        elif self._declined is not None:
            self._tell_declined(request)
        elif isinstance(request, Overlay):
            self._unsaved.put(request.path, request.text, request.ticket)
            self._typed(request.path)
        elif isinstance(request, DropOverlay):
            self._unsaved.forget(request.path)
            self._waiting.append(request)
        else:
            if isinstance(request, Touch) and len(request.paths) == 1 and self._embedding is not None:
                self._embedding.prefer(request.paths)  # It was opened, or saved: somebody looks at it.
            self._waiting.append(request)

    def close(self) -> None:
        """Stop, and leave no unsaved notes behind."""
        if self._side is not None:
            with suppress(StoreError, OSError), self._side.writer.commit():
                self._side.writer.drop_server(self._around.server)
        self._shut()

    def _answer(self, request: Asking) -> None:
        """Answer what is asked of models, at once and with or without an index."""
        serving = None
        if self._side is not None:
            with suppress(StoreError):
                serving = self._side.writer.meta("serving_choice")
        if self._desk is not None:
            self._desk.accept(request, self._settings, serving if isinstance(serving, str) else None)

    def _ask(self, request: Request, side: Owner | Follower) -> None:
        match request:
            case Touch(ticket=ticket, paths=paths) | OpenVault(ticket=ticket, open_notes=paths):
                side.touch((path for path in paths if path), self._committed(ticket))
            case Scan(ticket=ticket):
                side.touch(("",), self._committed(ticket))
            case DropOverlay(ticket=ticket, path=path):
                side.touch((path,), self._dropped(path, ticket))
            case Rebuild(ticket=ticket) if isinstance(side, Owner):
                side.rebuild(self._committed(ticket))
                self._unsaved.restore()
            case Rebuild(ticket=ticket):
                pid = self._shelf.ownership.owner_pid() if self._shelf else None
                reason = f"Another server (process {pid}) owns this index, and only it can rebuild it."
                self._around.tell(Failed(self.vault, ticket, reason))

    def _configure(self, request: Configure) -> None:
        before, (self._settings, _) = self._settings, read_settings([request.settings])
        if before["index.location"] != self._settings["index.location"]:
            self._shut()
        self._consider()
        if self._embedding is not None:
            self._embedding.configure(self._settings)
        self.accept(Touch(self.vault, request.ticket, ()))

    def _consider(self) -> None:
        """Decide whether the vault is to be indexed at all."""
        self._declined = None if self._settings["index.always"] else self._declined or refusal(self._root)
        if self._declined is not None:
            self._tell_declined(self._request)

    def _decline(self, reason: str) -> None:
        self._declined = reason
        self._shut()
        self._tell_declined(self._request)
        for request in self._waiting:
            self._tell_declined(request)
        self._waiting.clear()

    def _tell_declined(self, request: Request) -> None:
        self._around.tell(Failed(self.vault, getattr(request, "ticket", 0), self._declined or ""))

    # --- working ---

    def step(self) -> bool:
        """Do a little; whether there is more to do at once."""
        if self._declined is not None or time.monotonic() < self._paused_until:
            return False
        try:
            return self._step()
        except TooMany:
            self._decline(f"{self._root} has more than {MOST_FILES:,} files, so its notes are not indexed.")
        except Damaged as error:
            self._mend(error)
        except Busy:
            self._pause(self._around.rhythm.take_over)
        except (Unwritable, OSError) as error:
            _log.warning("The index of %s cannot be written: %s", self._root, error)
            self._pause(self._around.rhythm.full_disk)
            self._notice(f"The index of {self._root.name} cannot be written: {error}. It is tried again.")
        return False

    @property
    def due(self) -> float:
        """When `step` is to be called again although nobody asked, by the monotonic clock."""
        if self._declined is not None:
            return math.inf
        times = [self._timers.next, self._side.due if self._side else 0.0]
        return max(self._paused_until, min(at for at in times if at is not None))

    def _step(self) -> bool:
        if self._shelf is None:
            self._shelf = self._opened_shelf()
        if self._side is None:
            self._side = self._taken_side(self._shelf)
            self._unsaved.restore()
        elif self._timers.is_due("look", self._around.rhythm.take_over):
            self._look_at_shelf(self._shelf)
        side = self._side
        if side is None:
            return True
        if self._unsaved.waiting:
            tickets = self._unsaved.flush(side.writer)
            self._around.tell(Committed(self.vault, side.writer.seq, tickets))
        while self._waiting:
            self._ask(self._waiting[0], side)
            self._waiting.pop(0)
        more = side.step()
        if isinstance(side, Follower) and side.replaced:
            side.replaced = False
            self._unsaved.restore()
        return more or self._embed()

    def _embed(self) -> bool:
        """Do something for the vectors, once there is nothing else to do."""
        if self._embedding is None or self._desk is None or self._around.hurry():
            return False
        try:
            more = self._embedding.step()
            if not more:
                self._desk.consider(self._settings, self._embedding)
                self._embedding.note_models(self._desk.reranker(self._settings))
        except StoreError:
            raise  # What cannot be read or written is the index.
        except Exception:  # noqa: BLE001 -- Vectors are worth much, and the index is worth more.
            _log.exception("Embedding failed")
            embedding, self._embedding = self._embedding, None
            embedding.close()
            self._notice(f"Passages of {self._root.name} are not embedded any more: see the log.")
            return False
        return more

    def _typed(self, path: str) -> None:
        """The person is typing: no run of a model for a moment, and then this note first."""
        if self._around.models is not None:
            self._around.models.runner.pause(self._around.rhythm.typing)
        if self._embedding is not None:
            self._embedding.prefer((path,))

    def _opened_shelf(self) -> Shelf:
        location = locate(self._root, self._settings["index.location"])
        if location.remark:
            self._notice(location.remark)
        shelf = Shelf(self._root, location, self._around.server)
        shelf.attendance.sign_in()
        self._timers.start("look", self._around.rhythm.take_over)
        return shelf

    def _taken_side(self, shelf: Shelf) -> Owner | Follower:
        if shelf.ownership.acquire():
            owner = Owner(self._root, shelf, self._around, limited=not self._settings["index.always"])
            calls, self._calls = self._calls, []
            owner.keeper.look_at_all(first=self._request.open_notes)
            for call in calls:
                owner.keeper.look_at_all(call)
            self._open_embedding(shelf)
            return owner
        try:
            follower = Follower(self.vault, shelf, self._around)
        except StoreError as error:
            raise Busy(str(error)) from error  # The owner is just making or mending it.
        calls, self._calls = self._calls, []
        for call in calls:
            follower.when_built(call)
        return follower

    def _open_embedding(self, shelf: Shelf) -> None:
        if self._around.models is not None:
            self._embedding = Embedding(self.vault, shelf.database, self._around, self._around.models)
            self._embedding.configure(self._settings)
            self._embedding.prefer(self._request.open_notes)

    def _look_at_shelf(self, shelf: Shelf) -> None:
        """See whether the file has been taken away or the owner is gone."""
        if shelf.is_replaced() or (isinstance(self._side, Follower) and shelf.ownership.acquire()):
            self._leave_side()

    def _leave_side(self) -> None:
        embedding, self._embedding = self._embedding, None
        if embedding is not None:
            embedding.close()
        if self._side is not None:
            self._calls.extend(self._side.close())
        self._side = None

    def _shut(self) -> None:
        self._leave_side()
        if self._shelf is not None:
            self._shelf.attendance.sign_out()
            self._shelf.ownership.release()
        self._shelf = None

    def _mend(self, error: Damaged) -> None:
        """Build a damaged index anew; who only follows waits for the owner to do it."""
        owner = self._side is None or isinstance(self._side, Owner)
        with suppress(StoreError):
            self._leave_side()
        self._side = None
        self._mended += 1
        if self._mended > _MOST_MENDS:
            self._pause(self._around.rhythm.full_disk)
            self._notice(f"The index of {self._root.name} is damaged again and again: {error}.")
        elif owner and self._shelf is not None:
            self._notice(self._shelf.set_aside(str(error)))
        else:
            self._pause(self._around.rhythm.take_over)

    def _pause(self, seconds: float) -> None:
        self._paused_until = time.monotonic() + seconds

    def _notice(self, message: str) -> None:
        if message not in self._told:
            self._told.add(message)
            self._around.tell(Notice(self.vault, "warning", message))

    def _committed(self, ticket: int) -> Done:
        def done() -> None:
            assert self._side is not None
            self._around.tell(Committed(self.vault, self._side.writer.seq, (ticket,)))

        return done

    def _dropped(self, path: str, ticket: int) -> Done:
        def done() -> None:
            assert self._side is not None
            self._unsaved.drop(path, self._side.writer)
            self._around.tell(Committed(self.vault, self._side.writer.seq, (ticket,)))

        return done
