"""The owner's side of an index: keeps it equal to the disk, watches, and answers other servers."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from knapper.index.keeper import Keeper, Pace
from knapper.index.messages import Committed, Notice, ObsidianChanged, Opened
from knapper.index.shelf import Shelf
from knapper.index.surroundings import Surroundings, Timers
from knapper.index.vaults import MOST_FILES
from knapper.index.watch import Watch
from knapper.store.errors import Damaged

_log = logging.getLogger(__name__)

Done = Callable[[], None]


class Owner:
    """Owns the index on *shelf*; the lock must be held."""

    is_owner = True

    def __init__(self, root: Path, shelf: Shelf, around: Surroundings, *, limited: bool) -> None:
        """*limited*: give up (`TooMany`) on more files than a vault has."""
        self._watch: Watch | None = None
        self.writer, remark = shelf.open_as_owner()
        try:
            self._set_up(root, shelf, around, limited=limited)
        except BaseException:
            self.writer.close()
            raise
        if remark:
            self._notice("warning", remark)
        if around.watch:
            self._watch = Watch(root, self._changed, self._configured, self._unwatched)

    def _set_up(self, root: Path, shelf: Shelf, around: Surroundings, *, limited: bool) -> None:
        self._root = root
        self._vault = str(root)
        self._shelf = shelf
        self._around = around
        self._limited = limited
        self._timers = Timers()
        self._damage: str | None = None
        self._version = self.writer.data_version()
        around.tell(Opened(self._vault, str(shelf.database), owner=True, owner_pid=None))
        if not self.writer.bulk:
            around.tell(Committed(self._vault, self.writer.seq))
            self._timers.start("check", around.rhythm.check)
        self.keeper = self._new_keeper()
        shelf.purge(self.writer)
        self._timers.start("poll", around.rhythm.poll)
        self._timers.start("purge", around.rhythm.purge)
        self._timers.start("whole", around.rhythm.whole)

    def close(self) -> list[Done]:
        """Stop; what is to be called when it will have been done after all."""
        if self._watch is not None:
            self._watch.stop()
        calls = self.keeper.close()
        self.writer.close()
        return calls

    def touch(self, paths: Iterable[str], done: Done) -> None:
        """Look at these paths, `""` is the whole vault, and call *done*."""
        paths = tuple(paths)
        if "" in paths:
            self.keeper.look_at_all(done)
        else:
            self.keeper.touch(paths, done)

    def rebuild(self, done: Done) -> None:
        """Drop the index and build it anew."""
        calls = self.keeper.close()
        self.writer.start_anew(self._vault)
        self.keeper = self._new_keeper()
        self._around.tell(Opened(self._vault, str(self._shelf.database), owner=True, owner_pid=None))
        for call in (*calls, done):
            self.keeper.look_at_all(call)

    @property
    def due(self) -> float | None:
        """When `step` is to be called again although nobody asks."""
        times = [at for at in (self._timers.next, self.keeper.due) if at is not None]
        return min(times, default=None)

    def step(self) -> bool:
        """Do a little; whether there is more to do at once."""
        rhythm = self._around.rhythm
        if self._damage is not None:
            raise Damaged(self._damage)
        if self._timers.is_due("poll", rhythm.poll):
            self._answer()
        if self._timers.is_due("purge", rhythm.purge):
            self._shelf.purge(self.writer)
        if self._timers.is_due("whole", rhythm.whole if self._watch else rhythm.unwatched):
            self.keeper.look_at_all()
        if self._timers.is_due("check"):
            threading.Thread(target=self._check, name="check", daemon=True).start()
        return self.keeper.step()

    def _new_keeper(self) -> Keeper:
        pace = Pace(
            recheck=self._around.rhythm.recheck,
            most_files=MOST_FILES if self._limited else None,
            hurry=self._around.hurry,
        )
        return Keeper(self._root, self.writer, self._around.tell, pace)

    def _answer(self) -> None:
        """See to what servers that follow have asked for."""
        version = self.writer.data_version()
        if version == self._version:
            return
        self._version = version
        asked = self.writer.asked()
        if asked:
            last = asked[-1][0]
            paths = tuple(dict.fromkeys(path for _, path in asked))
            self.touch(paths, lambda: self._answered(last))

    def _answered(self, last: int) -> None:
        with self.writer.commit():
            self.writer.answer(last)

    def _check(self) -> None:
        damage = self._shelf.check()
        if damage is not None:
            self._around.later(lambda: self._damaged(damage))

    def _damaged(self, damage: str) -> None:
        self._damage = damage

    # --- from the thread that watches ---

    def _changed(self, paths: tuple[str, ...]) -> None:
        self._around.later(lambda: self.keeper.touch(paths))

    def _configured(self) -> None:
        self._around.later(lambda: self._around.tell(ObsidianChanged(self._vault)))

    def _unwatched(self, reason: str) -> None:
        self._around.later(lambda: self._stop_watching(reason))

    def _stop_watching(self, reason: str) -> None:
        self._watch = None
        self._timers.start("whole", self._around.rhythm.unwatched)
        self._notice(
            "warning",
            f"Changes in {self._root.name} that other programs make are seen only every"
            f" {self._around.rhythm.unwatched:.0f} seconds, because watching it failed: {reason}",
        )

    def _notice(self, level: str, message: str) -> None:
        self._around.tell(Notice(self._vault, level, message))
