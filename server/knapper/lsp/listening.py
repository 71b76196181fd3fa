"""What the server does when the index of a vault has something to say. Must not know features."""

from __future__ import annotations

import gc
from functools import partial
from typing import TYPE_CHECKING

from knapper.index import messages as m
from knapper.lsp.handlers.models import offer_model
from knapper.lsp.progress import EMBEDDING
from knapper.lsp.session import Session

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

_GROWTH = 1.2
_RELATE_S = 0.3


class Listening:
    """The listener of all vaults of one server."""

    def __init__(self, server: KnapperServer) -> None:
        self._server = server
        self._frozen = 0

    def rebased(self, session: Session) -> None:
        """A vault has a newer view."""
        self._server.publisher.vault_changed(session)
        self._relate_again(session)
        self._server.usage.indexed(session)
        notes = sum(len(vault.snap.view.notes) for vault in self._server.all_vaults())
        if notes > _GROWTH * self._frozen:
            # Notes stay. A collection that looked through all of them would stop everything for
            # a fifth of a second at 10,000 notes.
            gc.freeze()
            self._frozen = notes

    def settings_changed(self) -> None:
        """A settings file in a vault is another one now."""
        self._server.reconfigure()

    def told(self, level: str, message: str) -> None:
        """The index has something to say to the person."""
        self._server.person.tell(level, message)

    def refused(self, session: Session, reason: str) -> None:
        """The index process will not index a vault, unless the person insists."""
        self._server.jobs.start(self._server.offer_indexing(session.root, session.uri, reason))

    def progressed(self, session: Session, event: m.Indexing) -> None:
        """The index says how far it is."""
        self._server.index_progress.report(session, event.what, event.done, event.total)

    def remembered(self, session: Session, event: m.Answer) -> None:
        """The models of the index process have got on, or one of them is wanted."""
        if isinstance(event, m.ModelWanted):
            self._server.jobs.start(offer_model(self._server, session, event))
        elif isinstance(event, m.Embedded):
            done, total = event.done + event.failed, 0 if event.reason else event.total
            self._server.index_progress.report(session, EMBEDDING, done, total)
            self._relate_again(session)

    def _relate_again(self, session: Session) -> None:
        """Look for the related notes of what is open again, in a moment: more may come."""
        server = self._server
        paths = [document.path for document in server.documents() if document.session is session]
        again = partial(server.related.look_again, session, paths)
        server.timers.later(("related", str(session.root)), _RELATE_S, again)
