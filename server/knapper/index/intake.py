"""Reading notes from the disk into the index, some at a time.

One bad note never costs the others: what cannot be read keeps its old rows and is named, with a reason.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter

from knapper.index.apply import MOST_TEXT, Draft, Timings, work_out
from knapper.index.read import MOST_BYTES, ReadFile, TooLarge, decode, read_file
from knapper.index.scan import state_of
from knapper.index.working import Working
from knapper.store.rows import Entry, FileState, KnownFile
from knapper.store.writer import Writer
from knapper.vault.names import Names
from knapper.vault.paths import NotePath

_MOST_NOTES = 200
_SECONDS = 0.5
"""A batch ends after so many notes or so long, so that a kill costs little; soon if a request waits."""

_TOGETHER = 64
_TOGETHER_BYTES = 200_000
"""So much is worked out together: it keeps nobody waiting longer than some hundredths of a second."""

_GUILTY = "Reading the note ended the index process twice; it is left alone until it changes."
_TOO_LARGE = f"The note is larger than {MOST_BYTES // 1_000_000} MB and was not read."

SKIPPED = ""
"""The digest of a note that is left alone as it is now."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of reading one note: rows, or the same bytes as before, or only a reason why not.

    Without `state` the note is to be tried again at the next pass.
    """

    path: NotePath
    state: FileState | None = None
    digest: str | None = None
    entry: Entry | None = None
    problem: str | None = None
    missing: bool = False
    same: bool = False  # nothing at all has changed
    new: bool = False  # the index has no rows of the note


@dataclass(frozen=True, slots=True)
class _Opened:
    """A note that was opened and is to be worked out."""

    path: NotePath
    file: ReadFile
    new: bool


class Intake:
    """Reads notes of the vault at *root* and puts them into its index."""

    def __init__(self, root: Path, writer: Writer, working: Working) -> None:
        self.timings = Timings()
        self._root = str(root)
        self._writer = writer
        self._working = working

    def read(
        self,
        paths: Iterable[NotePath],
        known: Mapping[NotePath, KnownFile],
        names: Names,
        hurry: Callable[[], bool],
    ) -> list[Outcome]:
        """Read the first of *paths*, until a batch is full or *hurry* says that something else waits."""
        until = monotonic() + _SECONDS
        outcomes: list[Outcome] = []
        waiting = iter(paths)
        while group := self._group(waiting, known, hurry):
            outcomes += self._outcomes(group, names)
            if len(outcomes) >= _MOST_NOTES or monotonic() > until or hurry():
                break
        self._working.end()
        return outcomes

    def write(self, outcomes: Iterable[Outcome]) -> None:
        """Put what was read into the index, inside a commit."""
        for outcome in outcomes:
            if outcome.missing or outcome.same:
                continue
            self._writer.set_problem(outcome.path, outcome.problem)
            if outcome.state is None:
                continue
            if outcome.entry is not None:
                self._writer.put_note(outcome.entry, outcome.state, new=outcome.new)
            elif outcome.digest == SKIPPED:
                self._writer.skip_note(outcome.path, outcome.state)
            else:
                self._writer.touch_note(outcome.path, outcome.state)

    def _group(
        self,
        paths: Iterator[NotePath],
        known: Mapping[NotePath, KnownFile],
        hurry: Callable[[], bool],
    ) -> list[_Opened | Outcome]:
        """The next notes that are worked out together, opened; none: there are no more."""
        began = perf_counter()
        group: list[_Opened | Outcome] = []
        size = 0
        for path in paths:
            opened = self._opened(path, known.get(path))
            group.append(opened)
            size += len(opened.file.content) if isinstance(opened, _Opened) else 0
            if len(group) >= _TOGETHER or size >= _TOGETHER_BYTES or hurry():
                break
        self.timings.read += perf_counter() - began
        return group

    def _opened(self, path: NotePath, known: KnownFile | None) -> _Opened | Outcome:
        """The note to be worked out, or its outcome if there is nothing to work out."""
        found = self._found(path)
        if isinstance(found, Outcome):
            return found
        if self._working.is_guilty(path, found.state):
            return self._skipped(path, _GUILTY)
        if known is not None and known.digest == found.digest:
            if known.state == found.state:
                return Outcome(path, same=True)
            return Outcome(path, found.state, found.digest, problem=_remark(*decode(found.content)))
        return _Opened(path, found, new=known is None or known.digest is None)

    def _found(self, path: NotePath) -> ReadFile | Outcome:
        try:
            return read_file(f"{self._root}/{path}")
        except FileNotFoundError:
            return Outcome(path, missing=True)
        except TooLarge:
            return self._skipped(path, _TOO_LARGE)
        except OSError as error:
            return Outcome(path, problem=f"The note cannot be read: {error.strerror or error}.")

    def _outcomes(self, group: list[_Opened | Outcome], names: Names) -> list[Outcome]:
        drafts: dict[Draft, bytes] = {}
        made: list[tuple[_Opened, Draft, str | None]] = []
        outcomes: list[Outcome] = []
        for opened in group:
            if isinstance(opened, Outcome):
                outcomes.append(opened)
                continue
            text, problem = decode(opened.file.content)
            draft = Draft(opened.path, text, opened.file.state, names)
            drafts[draft] = self._working.mark(opened.path, opened.file.state)
            made.append((opened, draft, _remark(text, problem)))
        work_out(drafts, self.timings, lambda draft: self._working.begin(drafts[draft]))
        return outcomes + [self._worked_out(*item) for item in made]

    def _worked_out(self, opened: _Opened, draft: Draft, remark: str | None) -> Outcome:
        path, file = opened.path, opened.file
        self._working.absolve(path)
        if draft.error is not None:
            _log.error("A note could not be parsed: %s", path, exc_info=draft.error)
            reason = (
                f"The note could not be understood ({type(draft.error).__name__}); its last state is kept."
            )
            return self._skipped(path, reason)
        return Outcome(path, file.state, file.digest, draft.entry(file.digest), remark, new=opened.new)

    def _skipped(self, path: NotePath, reason: str) -> Outcome:
        try:
            found = Path(self._root, path).stat()
        except OSError:
            return Outcome(path, problem=reason)
        return Outcome(path, state_of(found), SKIPPED, problem=reason)


def _remark(text: str, problem: str | None) -> str | None:
    if problem is None and len(text) > MOST_TEXT:
        return f"The note is very long; search sees its first {MOST_TEXT // 1_000_000} million characters."
    return problem
