"""Related notes that are shown without being asked for: found by jobs, kept until there are newer ones.

An answer is for the saved notes and vectors of one moment. While a note has unsaved text its old answer
stays, so that nothing above it moves under the fingers. Owned by the main thread; must not know how they are
shown.
"""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from knapper.base.cancel import Cancelled, CancelToken
from knapper.ide.nearby import Part
from knapper.ide.sections import long_sections, section_lines
from knapper.lsp.here import Vault
from knapper.lsp.jobs import Jobs, log_problem
from knapper.lsp.session import Session
from knapper.lsp.vault_index import VaultIndex
from knapper.lsp.vectors import Served
from knapper.search.related import RelatedNote, RelatedOptions
from knapper.search.related import related as find
from knapper.store.words import WordReader
from knapper.vault.daily import daily_note_date
from knapper.vault.paths import NotePath

SHOWN = 5
_KEPT = 300
Answer = tuple[RelatedNote, ...]
_Key = tuple[Session, NotePath]


def find_related(
    jobs: Jobs, vault: Vault, path: NotePath, served: Served, options: RelatedOptions, token: CancelToken
) -> Answer:
    """The notes related to a note of the vault. Runs in a job thread."""
    if vault.database is None:
        return ()
    reader = jobs.reader(vault.database)
    return find(
        path, WordReader(reader.connection, reader.server), vault.snap, served.vectors, options, token
    )


def options_for(vault: Vault, limit: int, lines: tuple[int, int] | None = None) -> RelatedOptions:
    """What the vault's settings mean for related notes."""
    view = vault.snap.view

    def is_daily(path: NotePath) -> bool:
        return daily_note_date(view.obsidian, path) is not None

    return RelatedOptions(
        limit=limit,
        hidden=view.is_excluded,
        daily=is_daily,
        daily_weight=vault.snap.settings["related.dailyWeight"],
        lines=lines,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Moment:
    """The state of the vault that an answer was found in. It holds no notes: answers outlive them."""

    notes: weakref.ref[object]
    obsidian: object
    settings: object
    round: int

    def is_now(self, other: _Moment) -> bool:
        return (
            self.notes() is not None
            and self.notes() is other.notes()
            and self.obsidian is other.obsidian
            and self.settings is other.settings
            and self.round == other.round
        )


@dataclass(slots=True)
class _Kept:
    moment: _Moment
    found: dict[Part, Answer]


class RelatedNotes:
    """What is known of the notes that somebody looks at."""

    def __init__(
        self, jobs: Jobs, index_of: Callable[[Session], VaultIndex | None], changed: Callable[[Session], None]
    ) -> None:
        self._jobs, self._index_of, self._changed = jobs, index_of, changed
        self._kept: dict[_Key, _Kept] = {}
        self._working: dict[_Key, asyncio.Task[None]] = {}
        self._watched: set[_Key] = set()

    def shown(self, session: Session, path: NotePath) -> Mapping[Part, Answer]:
        """What is known for a note and its long sections; what is missing or old is looked for."""
        if session.alone or not session.host.snapshot().settings["lens.related"]:
            return {}
        self._watched.add((session, path))
        return self._known(session, path, self._parts(session, path))

    def peek(self, session: Session, path: NotePath) -> Mapping[Part, Answer]:
        """What is known for a note that lenses were asked for; starts nothing."""
        kept = self._kept.get((session, path))
        if kept is None or (session, path) not in self._watched:
            return {}
        return {part: kept.found[part] for part in self._parts(session, path) if part in kept.found}

    async def about(self, session: Session, path: NotePath, part: Part, patience: float) -> Answer:
        """The notes related to a note or a section, if that is known within *patience* seconds."""
        if session.alone:
            return ()
        known = self._known(session, path, [part])
        if part not in known and (task := self._working.get((session, path))):
            await asyncio.wait([task], timeout=patience)
            known = self._known(session, path, [part], look=False)
        return known.get(part, ())

    def look_again(self, session: Session, paths: Iterable[NotePath]) -> None:
        """Something changed in the vault that may relate other notes to these, if anybody looks at them."""
        for path in paths:
            if (session, path) in self._watched:
                self._known(session, path, self._parts(session, path))

    def closed(self, session: Session, path: NotePath) -> None:
        """Nobody looks at the note any more."""
        self._watched.discard((session, path))

    def _parts(self, session: Session, path: NotePath) -> list[Part]:
        snap = session.host.snapshot()
        opened, note = snap.overlays.get(path), snap.note(path)
        return [None, *(long_sections(note, opened.text) if opened and note else ())]

    def _known(
        self, session: Session, path: NotePath, parts: Sequence[Part], *, look: bool = True
    ) -> dict[Part, Answer]:
        index, kept = self._index_of(session), self._kept.get((session, path))
        if index is None:
            return {}
        missing = [part for part in parts if kept is None or part not in kept.found]
        old = kept is not None and not kept.moment.is_now(_moment(session, index))
        if look and (missing or (old and not index.has_unsaved(path))):
            self._begin(session, path, parts, index)
        return {part: kept.found[part] for part in parts if kept and part in kept.found}

    def _begin(self, session: Session, path: NotePath, parts: Sequence[Part], index: VaultIndex) -> None:
        if (session, path) not in self._working:
            task = self._jobs.start(self._look(session, path, tuple(parts), index))
            self._working[session, path] = task

    async def _look(
        self, session: Session, path: NotePath, parts: tuple[Part, ...], index: VaultIndex
    ) -> None:
        key, moment = (session, path), _moment(session, index)
        if key in self._watched:  # What lenses show is not to vanish because a hover wants less.
            parts = tuple(dict.fromkeys([*parts, *self._parts(session, path)]))
        try:
            served = await index.vectors()
            job = partial(_find_parts, self._jobs, session.vault(), path, parts, served)
            found = await self._jobs.run(job, CancelToken())
        except Cancelled:
            return
        except Exception as problem:  # noqa: BLE001 -- What is shown stays as it is.
            log_problem("related notes", problem)
            return
        finally:
            self._working.pop(key, None)
        before = self._kept.pop(key, None)
        same = before is not None and before.moment.is_now(moment)
        self._kept[key] = _Kept(moment, {**(before.found if before and same else {}), **found})
        while len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        if before is None or any(before.found.get(part) != answer for part, answer in found.items()):
            self._changed(session)
        if key in self._watched and not moment.is_now(_moment(session, index)):
            self.look_again(session, [path])


def _moment(session: Session, index: VaultIndex) -> _Moment:
    snap = session.host.snapshot()
    return _Moment(weakref.ref(snap.view.notes), snap.view.obsidian, snap.settings, index.models.round)


def _find_parts(
    jobs: Jobs, vault: Vault, path: NotePath, parts: tuple[Part, ...], served: Served
) -> dict[Part, Answer]:
    note = vault.snap.note(path)
    found: dict[Part, Answer] = {}
    for part in parts:
        lines = section_lines(note, part) if note is not None and part is not None else None
        if part is None or lines is not None:
            options = options_for(vault, SHOWN, lines)
            found[part] = find_related(jobs, vault, path, served, options, CancelToken())
    return found
