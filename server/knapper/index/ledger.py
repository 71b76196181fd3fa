"""What an index process has been asked and not yet done: what a new process has to be asked again.

Pure. Open vaults and unsaved texts are states, said again whole; other requests are said again while
their tickets are open. A ticket may so be returned twice. What is asked of models is not repeated.
"""

from __future__ import annotations

from dataclasses import replace

from knapper.index.messages import (
    Asking,
    CloseVault,
    Committed,
    Configure,
    DropOverlay,
    Event,
    Failed,
    OpenVault,
    Overlay,
    Request,
)


class Ledger:
    """Requests by what they are about."""

    def __init__(self) -> None:
        self._vaults: dict[str, OpenVault] = {}
        self._overlays: dict[tuple[str, str], Overlay] = {}
        self._open: dict[int, Request] = {}

    def note_request(self, request: Request) -> None:
        """The server asks for this."""
        if isinstance(request, Asking):
            return
        match request:
            case OpenVault(vault=vault):
                self._vaults[vault] = request
                return
            case CloseVault(vault=vault):
                self._forget(vault)
                return
            case Configure(vault=vault, settings=settings) if vault in self._vaults:
                self._vaults[vault] = replace(self._vaults[vault], settings=settings)
            case Overlay(vault=vault, path=path):
                self._overlays[vault, path] = request
            case DropOverlay(vault=vault, path=path):
                self._overlays.pop((vault, path), None)
        self._open[request.ticket] = request

    def note_event(self, event: Event) -> None:
        """The process says this."""
        if isinstance(event, Committed):
            for ticket in event.tickets:
                self._open.pop(ticket, None)
        elif isinstance(event, Failed):
            self._open.pop(event.ticket, None)

    def to_repeat(self) -> list[Request]:
        """What a new process has to be told, in this order: the current texts come after all else."""
        current = set(map(id, self._overlays.values()))
        rest = [request for request in self._open.values() if id(request) not in current]
        return [*self._vaults.values(), *rest, *self._overlays.values()]

    def _forget(self, vault: str) -> None:
        self._vaults.pop(vault, None)
        self._overlays = {where: text for where, text in self._overlays.items() if where[0] != vault}
        self._open = {ticket: request for ticket, request in self._open.items() if request.vault != vault}
