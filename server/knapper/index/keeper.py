"""Keeps one index equal to its vault, a short step at a time, so that its caller stays responsive.

What is asked for comes first, then a pass over the whole vault: all file names at once, then the notes.
The state in memory changes only after a commit, so whatever fails can simply be tried again. Must not
know who asks, nor how events travel.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from knapper.base.collector import no_collection
from knapper.index.apply import bucket_of
from knapper.index.glance import Glance
from knapper.index.intake import Intake, Outcome
from knapper.index.messages import Committed, Event, Indexing, Notice, Passed
from knapper.index.plan import Plan, compare, is_loss
from knapper.index.scan import ONLINE_ONLY, Scan
from knapper.index.vaults import MOST_FILES
from knapper.index.working import Working
from knapper.store.errors import StoreError
from knapper.store.rows import KnownFile
from knapper.store.writer import Writer
from knapper.vault.names import Names
from knapper.vault.paths import NotePath
from knapper.vault.resolve import heads, resolve_link

_SLICE = 0.05
_QUIET = 0.5


@dataclass(frozen=True, slots=True)
class Pace:
    """How a keeper behaves in time, and how much it takes on."""

    recheck: float = 60.0  # seconds until files that went missing in numbers are looked for again
    most_files: int | None = MOST_FILES
    hurry: Callable[[], bool] = lambda: False  # whether a request waits
    clock: Callable[[], float] = time.monotonic


_PACE = Pace()


class Keeper:
    """The owner's hand on the index of the vault at *root*."""

    def __init__(self, root: Path, writer: Writer, tell: Callable[[Event], None], pace: Pace = _PACE) -> None:
        self._root = root
        self._vault = str(root)
        self._writer = writer
        self._tell = tell
        self._pace = pace
        self._working = Working(writer.database.parent)
        self._intake = Intake(root, writer, self._working)
        self.timings = self._intake.timings
        self._known = writer.known_files()
        self._names = Names.of(self._known)
        self._touched: dict[str, None] = {}
        self._urgent: dict[NotePath, None] = {}
        self._done: list[Callable[[], None]] = []
        self._pass = _Pass()
        self._next: _Pass | None = None
        self._recheck_at: float | None = None
        self._told_at = 0.0
        self._flight: tuple[list[Outcome], Future[float]] | None = None
        self._first = writer.bulk

    # --- what can be asked ---

    def touch(self, paths: Iterable[str], done: Callable[[], None] | None = None) -> None:
        """Look at these files and folders before anything else, and call *done* when that is committed."""
        for path in paths:
            if path.strip("/"):
                self._touched[path] = None
            else:
                self.look_at_all()
        if done is not None:
            self._done.append(done)

    def look_at_all(self, done: Callable[[], None] | None = None, first: Iterable[str] = ()) -> None:
        """Pass over the whole vault again, once what is being done is done; notes *first* before others."""
        self._next = self._next or _Pass()
        self._next.first.update(first)
        if done is not None:
            self._next.done.append(done)

    def close(self) -> list[Callable[[], None]]:
        """Stop. What was not done is done the next time; the calls that were promised are handed back."""
        with suppress(StoreError):
            self._land()
        self._working.close()
        upcoming = self._next.done if self._next is not None else []
        return [*self._done, *self._pass.done, *upcoming]

    @property
    def due(self) -> float | None:
        """When there is something to do again though nobody asks, by the clock of *pace*."""
        return self._recheck_at

    # --- working ---

    def step(self) -> bool:
        """Do a little, and say whether there is more to do at once."""
        if self._recheck_at is not None and self._pace.clock() >= self._recheck_at:
            self._recheck_at = None
            self._next = self._next or _Pass()
            self._next.confirmed = True
        if self._touched or self._urgent or self._done or not self._pass.todo:
            self._land()
        if self._touched:
            self._look_at_touched()
        elif self._urgent:
            self._read(self._urgent)
            self._land()
        elif self._done:
            self._acknowledge()
        elif self._pass.scan is not None:
            self._scan(self._pass.scan)
        elif self._pass.todo:
            self._read(self._pass.todo)
        elif self._pass.running:
            self._end_pass()
        elif self._next is not None:
            self._begin_pass()
        else:
            return False
        return True

    def _look_at_touched(self) -> None:
        paths = list(self._touched)
        if not _has_files(self._root):
            # A vault that is gone as a whole is not a deletion of its notes: the pass will see.
            self.look_at_all()
        else:
            glance = Glance(self._root, self._known)
            plan = glance.look(paths)
            self._list(plan)
            self._urgent.update(dict.fromkeys(plan.read))
            if glance.links:
                self.look_at_all()
        for path in paths:
            self._touched.pop(path, None)

    def _begin_pass(self) -> None:
        assert self._next is not None
        self._pass, self._next = self._next, None
        self._pass.running = True
        self._pass.scan = Scan(self._root, most=self._pace.most_files)

    def _scan(self, scan: Scan) -> None:
        began = time.perf_counter()
        more = scan.step()
        while more and time.perf_counter() - began < _SLICE and not self._pace.hurry():
            more = scan.step()
        self.timings.scan += time.perf_counter() - began
        if not more:
            self._compare(scan)

    def _compare(self, scan: Scan) -> None:
        plan = compare(self._known, scan)
        if is_loss(len(plan.gone), len(self._known), len(scan.files)) or "" in scan.unread:
            plan = self._without_losses(plan, readable="" not in scan.unread)
        problems = {**scan.problems, **dict.fromkeys(scan.online_only, ONLINE_ONLY)}
        self._list(plan, problems)
        current = self._pass
        current.scan = None
        current.readable = "" not in scan.unread
        current.todo = dict.fromkeys(sorted(plan.read, key=lambda path: self._order(path, scan)))
        current.total = len(current.todo)
        current.touched = len(plan.gone) + len({*plan.read, *plan.listed})

    def _order(self, path: NotePath, scan: Scan) -> tuple[bool, bool, bool]:
        """Open notes go first; those that brought the program down, and enormous ones, last."""
        state = scan.files[path]
        return path not in self._pass.first, self._working.is_suspect(path), state.size > 1_000_000

    def _without_losses(self, plan: Plan, *, readable: bool) -> Plan:
        if self._pass.confirmed and readable:
            return plan
        if self._recheck_at is None and not self._pass.confirmed:
            lost = f"{len(plan.gone)} files of {self._root.name}" if readable else f"The vault {self._root}"
            self._notice(
                f"{lost} cannot be found. What the index knows of them is kept;"
                f" in {self._pace.recheck:.0f} seconds they are looked for again."
            )
        self._recheck_at = self._pace.clock() + self._pace.recheck
        return Plan(plan.listed, (), plan.read)

    def _list(self, plan: Plan, problems: dict[NotePath, str] | None = None) -> None:
        """Commit which files there are; links may mean others now."""
        came = [path for path in plan.listed if path not in self._known]
        names = self._names.with_changes(came, plan.gone) if came or plan.gone else self._names
        old_problems = self._writer.problems() if problems is not None else {}
        if not (plan.listed or plan.gone or problems or old_problems):
            return
        began = time.perf_counter()
        with self._writer.commit():
            self._writer.put_files(plan.listed)
            self._writer.drop_files(plan.gone)
            self._put_scan_problems(problems or {}, old_problems)
            if (came or plan.gone) and not self._is_new:
                self._resolve_again(names, [*came, *plan.gone])
        self.timings.sql += time.perf_counter() - began
        self._names = names
        for path, state in plan.listed.items():
            old = self._known.get(path)
            self._known[path] = KnownFile(state, old.digest if old else None)
        for path in plan.gone:
            self._known.pop(path, None)
            self._urgent.pop(path, None)
            self._pass.todo.pop(path, None)
        self._committed()

    @property
    def _is_new(self) -> bool:
        return not self._known

    def _put_scan_problems(self, now: dict[NotePath, str], before: dict[str, str]) -> None:
        """What only a scan finds, and takes back: unreadable folders, names, links, placeholders."""
        for path, reason in now.items():
            self._writer.set_problem(path, reason)
        for past in before.keys() - now.keys():
            if past not in self._known or before[past] == ONLINE_ONLY:
                self._writer.set_problem(past, None)

    def _resolve_again(self, names: Names, changed: Iterable[NotePath]) -> None:
        buckets = {bucket_of(name) for path in changed for name in heads(path)} - {""}
        rows = ((row, resolve_link(names, row.source, row)) for row in self._writer.links_under(buckets))
        self._writer.set_resolved([(row, path) for row, path in rows if path != row.resolved])

    def _read(self, queue: dict[NotePath, None]) -> None:
        """Read some notes while those read before are still being written, and have them written too."""
        flying = {outcome.path for outcome in self._flight[0]} if self._flight else set()
        waiting = (path for path in queue if path not in flying)
        with no_collection():
            outcomes = self._intake.read(waiting, self._known, self._names, self._pace.hurry)
        self._land()
        if outcomes:
            began = time.perf_counter()
            written = self._writer.commit_beside(lambda: self._intake.write(outcomes))
            self.timings.sql += time.perf_counter() - began
            self._flight = outcomes, written

    def _land(self) -> None:
        """Wait until what was read is committed, and only then believe it."""
        if self._flight is None:
            return
        (outcomes, written), self._flight = self._flight, None
        self._writer.settle()
        if written.exception() is not None:
            return  # Somebody else was told; the notes are still in their queue.
        self.timings.sql += written.result()
        for outcome in outcomes:
            self._urgent.pop(outcome.path, None)
            self._pass.todo.pop(outcome.path, None)
            if outcome.missing:
                self._touched[outcome.path] = None
            elif outcome.state is not None:
                self._known[outcome.path] = KnownFile(outcome.state, outcome.digest)
        if self._pass.total:
            done = self._pass.total - len(self._pass.todo)
            self._tell(Indexing(self._vault, "Reading notes", done, self._pass.total))
        self._committed()

    def _acknowledge(self) -> None:
        while self._done:
            self._done[0]()
            self._done.pop(0)

    def _end_pass(self) -> None:
        done, at = self._pass, time.time()
        first = self._first and done.readable
        with self._writer.commit():
            if first:
                self._writer.finish_bulk()
            self._writer.set_meta("passed", at)
            self._writer.set_meta("touched", done.touched)
        self._first = self._first and not first
        self._pass = _Pass()
        self._committed(now=True)
        for call in done.done:
            call()
        self._tell(Passed(self._vault, at, done.touched, first))

    def _committed(self, *, now: bool = False) -> None:
        """Tell of a commit; of those of a first build only now and then."""
        if not now and self._first and self._pace.clock() - self._told_at < _QUIET:
            return
        self._told_at = self._pace.clock()
        self._tell(Committed(self._vault, self._writer.seq))

    def _notice(self, message: str) -> None:
        self._tell(Notice(self._vault, "warning", message))


class _Pass:
    """A pass over the whole vault."""

    def __init__(self) -> None:
        self.running = False
        self.confirmed = False  # files that were missing before may now be forgotten
        self.scan: Scan | None = None
        self.todo: dict[NotePath, None] = {}
        self.total = 0
        self.touched = 0
        self.readable = True
        self.first: set[str] = set()  # notes to read before the others
        self.done: list[Callable[[], None]] = []


def _has_files(root: Path) -> bool:
    try:
        with os.scandir(root) as found:
            return any(True for _ in found)
    except OSError:
        return False
