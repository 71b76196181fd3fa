"""Bringing an index up to date in this very process: for the command line and the benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from knapper.base.cancel import CancelToken
from knapper.base.progress import Progress, silent
from knapper.base.settings import Settings
from knapper.index.apply import Timings
from knapper.index.embed import Embedding
from knapper.index.keeper import Keeper, Pace
from knapper.index.location import locate
from knapper.index.messages import Embedded, Event, Indexing, Notice, Passed
from knapper.index.model_room import ModelRoom
from knapper.index.model_thread import InPlace
from knapper.index.scan import TooMany
from knapper.index.shelf import Shelf
from knapper.index.surroundings import Surroundings
from knapper.index.vaults import MOST_FILES, refusal
from knapper.store.errors import Damaged
from knapper.store.writer import Writer

_SERVER = "command-line"


@dataclass(frozen=True, slots=True)
class LocalIndex:
    """An index that can be read, and what is to be said about it."""

    database: Path
    remarks: tuple[str, ...] = ()
    owned: bool = True  # else another process keeps it, and it was taken as it is
    touched: int = 0  # how many files had changed since the last time
    timings: Timings = field(default_factory=Timings)
    meaning: str | None = None  # why there are no vectors, if there were to be some

    @property
    def phases(self) -> dict[str, float]:
        """Seconds by phase: scan, read, parse, fold, resolve, sql."""
        return asdict(self.timings)


class NotIndexed(Exception):  # noqa: N818 -- It is a refusal.
    """The folder is none that should be indexed, or nobody has indexed it yet; the message says why."""


def bring_up_to_date(
    root: Path,
    settings: Settings,
    progress: Progress = silent,
    token: CancelToken | None = None,
    *,
    anew: bool = False,
    embed: bool = False,
) -> LocalIndex:
    """The index of the vault at *root*, equal to the disk as of now; *anew*: dropped and built again.

    With *embed* its vectors too, where the model is on this machine: that may take minutes.
    If another process owns it, it is taken as it is, without waiting. Raises `NotIndexed`, `Cancelled`
    (what was done until then is kept) or a `StoreError`.
    """
    root = Path(root).resolve()
    limited = not settings["index.always"]
    if limited and (reason := refusal(root)):
        raise NotIndexed(reason)
    location = locate(root, settings["index.location"])
    remarks = [location.remark] if location.remark else []
    shelf = Shelf(root, location, _SERVER)
    if not shelf.ownership.acquire():
        return _as_it_is(shelf, remarks, anew=anew)
    try:
        builder = _Builder(root, shelf, progress, token or CancelToken())
        index = builder.build(remarks, limited=limited, anew=anew)
        return replace(index, meaning=builder.embed(settings)) if embed else index
    except TooMany:
        reason = f"{root} has more than {MOST_FILES:,} files, so its notes are not indexed."
        raise NotIndexed(reason) from None
    finally:
        shelf.ownership.release()


def owner_of(root: Path, settings: Settings) -> int | None:
    """The process that owns the index of the vault at *root* now, or None."""
    shelf = Shelf(root.resolve(), locate(root.resolve(), settings["index.location"]), _SERVER)
    if shelf.ownership.acquire():
        shelf.ownership.release()
        return None
    return shelf.ownership.owner_pid()


def _as_it_is(shelf: Shelf, remarks: list[str], *, anew: bool) -> LocalIndex:
    pid = shelf.ownership.owner_pid()
    if anew:
        raise NotIndexed(f"Another process ({pid}) owns this index, and only it can rebuild it.")
    if not shelf.database.exists():
        raise NotIndexed(f"Another process ({pid}) is just making the index of this vault.")
    remark = f"Another process ({pid}) keeps this index up to date; it was read as it is."
    return LocalIndex(shelf.database, (*remarks, remark), owned=False)


class _Builder:
    """One run of a keeper to its end."""

    def __init__(self, root: Path, shelf: Shelf, progress: Progress, token: CancelToken) -> None:
        self._root = root
        self._shelf = shelf
        self._progress = progress
        self._token = token
        self._remarks: list[str] = []
        self._touched = 0
        self._meaning: str | None = None

    def build(self, remarks: list[str], *, limited: bool, anew: bool) -> LocalIndex:
        """Open, bring up to date, mend at most once, close."""
        pace = Pace(most_files=MOST_FILES if limited else None)
        self._remarks = remarks
        writer, remark = self._shelf.open_as_owner()
        self._remark(remark)
        try:
            if anew:
                writer.start_anew(str(self._root))
            timings = self._run(writer, pace)
        except Damaged as error:
            writer.close()
            self._remark(self._shelf.set_aside(str(error)))
            writer, _ = self._shelf.open_as_owner()
            timings = self._run(writer, pace)
        finally:
            writer.close()
        return LocalIndex(self._shelf.database, tuple(self._remarks), touched=self._touched, timings=timings)

    def embed(self, settings: Settings) -> str | None:
        """Make the vectors that are missing; why there are none, or None."""
        room = ModelRoom(InPlace(), _at_once)
        around = Surroundings(server=_SERVER, tell=self._hear, models=room)
        embedding = Embedding(str(self._root), self._shelf.database, around, room)
        try:
            embedding.configure(settings)
            while embedding.step():
                self._token.check()
            embedding.note_models(None)
        finally:
            embedding.close()
            room.close()
        return self._meaning

    def _run(self, writer: Writer, pace: Pace) -> Timings:
        keeper = Keeper(self._root, writer, self._hear, pace)
        try:
            self._shelf.purge(writer)
            keeper.look_at_all()
            while keeper.step():
                self._token.check()
        finally:
            keeper.close()
        return keeper.timings

    def _hear(self, event: Event) -> None:
        match event:
            case Indexing(what=what, done=done, total=total):
                self._progress(what, done, total)
            case Notice(message=message):
                self._remark(message)
            case Embedded(done=done, total=total, failed=failed, reason=reason):
                self._meaning = reason
                self._progress("Embedding passages", done + failed, total)
            case Passed(touched=touched):
                self._touched = touched

    def _remark(self, remark: str | None) -> None:
        if remark:
            self._remarks.append(remark)


def _at_once(call: Callable[[], None]) -> None:
    call()
