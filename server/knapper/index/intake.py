"""Reading notes from the disk into the index, some at a time.

One bad note never costs the others: what cannot be read keeps its old rows and is named, with a reason.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, perf_counter

from knapper.index.apply import MOST_TEXT, Timings, entry_of
from knapper.index.read import MOST_BYTES, ReadFile, TooLarge, decode, read_file
from knapper.index.scan import state_of
from knapper.index.working import Working
from knapper.store.rows import Entry, FileState, KnownFile
from knapper.store.writer import Writer
from knapper.vault.names import Names
from knapper.vault.paths import NotePath

_MOST_NOTES = 200
_SECONDS = 0.5
"""A batch ends after so many notes or so long, so that a kill costs little; at once if a request waits."""

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
        for path in paths:
            outcomes.append(self._outcome(path, known.get(path), names))
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

    def _outcome(self, path: NotePath, known: KnownFile | None, names: Names) -> Outcome:
        began = perf_counter()
        found = self._found(path)
        self.timings.read += perf_counter() - began
        if isinstance(found, Outcome):
            return found
        if self._working.is_guilty(path, found.state):
            return self._skipped(path, _GUILTY)
        if known is not None and known.digest == found.digest:
            if known.state == found.state:
                return Outcome(path, same=True)
            return Outcome(path, found.state, found.digest, problem=_remark(*decode(found.content)))
        self._working.begin(path, found.state)
        return self._read_text(path, found, names, new=known is None or known.digest is None)

    def _found(self, path: NotePath) -> ReadFile | Outcome:
        try:
            return read_file(f"{self._root}/{path}")
        except FileNotFoundError:
            return Outcome(path, missing=True)
        except TooLarge:
            return self._skipped(path, _TOO_LARGE)
        except OSError as error:
            return Outcome(path, problem=f"The note cannot be read: {error.strerror or error}.")

    def _read_text(self, path: NotePath, found: ReadFile, names: Names, *, new: bool) -> Outcome:
        text, problem = decode(found.content)
        try:
            entry = entry_of(path, text, found.state, names, self.timings)
        except Exception as error:  # noqa: BLE001 -- A parser must not fail, and if it does, it fails for one note.
            _log.exception("A note could not be parsed: %s", path)
            reason = f"The note could not be understood ({type(error).__name__}); its last state is kept."
            return self._skipped(path, reason)
        finally:
            self._working.absolve(path)
        entry = entry.with_digest(found.digest)
        return Outcome(path, found.state, found.digest, entry, _remark(text, problem), new=new)

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
