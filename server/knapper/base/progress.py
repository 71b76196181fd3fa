"""How long work tells how far it is, without knowing who listens."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told by long work how far it is. Calls are cheap; the listener throttles."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """*done* of *total* things are done; *what* says in words what is being done."""


def silent(what: str, done: int, total: int) -> None:
    """Listen to nobody."""
