"""When diagnostics and lenses are told anew. Knows what was told last; must not know how they are found.

A document's own edits are looked at after a moment without typing. The others that are open are looked
at when something came that they can see: a new state of the index, or another document's names, headings
or blocks. What is as it was told is not told again, so nothing flickers.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable
from typing import Protocol

from lsprotocol import types as t

from knapper.lsp.dispatch import timed
from knapper.lsp.handlers.diagnostics import diagnostics_of
from knapper.lsp.handlers.lenses import Found, lens_titles
from knapper.lsp.here import Here
from knapper.lsp.jobs import Jobs
from knapper.lsp.session import Document, Session
from knapper.lsp.timers import Timers
from knapper.vault.note import Note

IDLE_S = 0.15


class Told(Protocol):
    """How a client is told."""

    def diagnostics(self, params: t.PublishDiagnosticsParams) -> None:
        """Send the diagnostics of one document."""

    def refresh_diagnostics(self) -> None:
        """Have the client pull all diagnostics again."""

    def refresh_lenses(self) -> None:
        """Have the client ask for all lenses again."""


class Publisher:
    """Keeps what the client shows equal to what is so. `pulls`: the client asks for diagnostics itself."""

    def __init__(
        self, told: Told, jobs: Jobs, timers: Timers, documents: Callable[[], Iterable[Document]]
    ) -> None:
        self.related: Callable[[Document], Found] = lambda _: {}
        self._told, self._jobs, self._timers, self._documents = told, jobs, timers, documents
        self.pulls = False
        self.shows_lenses = False
        self._last: dict[str, str] = {}  # by URI: a digest of the diagnostics
        self._visible: dict[str, object] = {}  # by URI: what other notes see of it
        self._lenses: dict[str, object] = {}  # by URI: the titles of the lenses

    def edited(self, document: Document) -> None:
        """The document was opened or changed."""
        self._timers.later(("diagnostics", document.uri), IDLE_S, lambda: self._look_at(document))

    def closed(self, document: Document) -> None:
        """The document was closed: what was shown for it goes away."""
        self._timers.forget(("diagnostics", document.uri))
        for kept in (self._visible, self._lenses):
            kept.pop(document.uri, None)
        if self._last.pop(document.uri, None) is not None and not self.pulls:
            self._told.diagnostics(t.PublishDiagnosticsParams(document.uri, []))
        self.vault_changed(document.session)

    def vault_changed(self, session: Session) -> None:
        """Something changed that every open document of the vault can see."""
        self._timers.later(("vault", str(session.root)), IDLE_S, lambda: self._look_at_all(session))

    def pulled(self, uri: str, items: list[t.Diagnostic]) -> str:
        """The client has these diagnostics now; gives their result id."""
        self._last[uri] = digest(items)
        return self._last[uri]

    def lenses_shown(self, uri: str, titles: object) -> None:
        """The client shows lenses with these titles now."""
        self._lenses[uri] = titles

    def _look_at(self, document: Document) -> None:
        self._jobs.start(self._look_at_own_edits(document))

    async def _look_at_own_edits(self, document: Document) -> None:
        await self._publish(document, always=True)
        seen = visible(here_of(document).snap.note(document.path))
        if self._visible.get(document.uri, seen) != seen:
            self.vault_changed(document.session)
        self._visible[document.uri] = seen

    def _look_at_all(self, session: Session) -> None:
        self._jobs.start(self._look_at_each(session))

    async def _look_at_each(self, session: Session) -> None:
        changed = lenses = False
        for document in [d for d in self._documents() if d.session is session]:
            if not self._timers.waits(("diagnostics", document.uri)):
                changed |= await self._publish(document, always=False)
            lenses |= self._lenses_changed(document)
            await asyncio.sleep(0)  # a keystroke goes first
        if changed and self.pulls:
            self._told.refresh_diagnostics()
        if lenses and self.shows_lenses:
            self._told.refresh_lenses()

    async def _publish(self, document: Document, *, always: bool) -> bool:
        """Tell the document's diagnostics if need be; whether they are others than those told last."""
        here = here_of(document)
        version = here.snap.version(document.path)
        items = await self._found(here)
        if document not in self._documents() or here_of(document).snap.version(document.path) != version:
            return False  # It was closed or typed in meanwhile, and is looked at again.
        before, now = self._last.get(document.uri), digest(items)
        if self.pulls:
            return before is not None and before != now
        if always or before != now:
            self._last[document.uri] = now
            self._told.diagnostics(t.PublishDiagnosticsParams(document.uri, items, version))
        return before != now

    async def _found(self, here: Here) -> list[t.Diagnostic]:
        if here.is_heavy:
            return await self._jobs.run(lambda: diagnostics_of(here), here.token)
        with timed("diagnostics"):
            return diagnostics_of(here)

    def _lenses_changed(self, document: Document) -> bool:
        before = self._lenses.get(document.uri)
        if before is None or not self.shows_lenses:
            return False
        now = self._lenses[document.uri] = lens_titles(here_of(document), self.related(document))
        return before != now


def here_of(document: Document) -> Here:
    """The document as it is now."""
    return Here(document.session.vault(), document.path)


def visible(note: Note | None) -> object:
    """What other notes can see of a note: an edit of its prose leaves it equal."""
    if note is None:
        return ()
    headings = tuple((heading.level, heading.text) for heading in note.headings)
    links = tuple((link.target, link.subpath) for link in note.links)
    return (note.title, note.aliases, headings, tuple(block.id for block in note.blocks), links)


def digest(items: list[t.Diagnostic]) -> str:
    """A short text that is equal for equal diagnostics."""
    return hashlib.sha256(repr(items).encode()).hexdigest()[:16]
