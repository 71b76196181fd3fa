"""A progress bar for long work, on a terminal only."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from knapper.base.progress import Progress, silent

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

_PATIENCE = 0.3
"""Seconds of work before a bar is worth the flicker."""


class _Bar:
    """A listener that shows the newest work as one bar on standard error."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._what = ""
        self._bar: ProgressBar[int] | None = None

    def __call__(self, what: str, done: int, total: int) -> None:
        """*done* of *total* things are done."""
        if time.monotonic() - self._begun < _PATIENCE:
            return
        if what != self._what or self._bar is None:
            self.close()
            self._what = what
            self._bar = click.progressbar(length=max(total, 1), label=what, file=sys.stderr)
            self._bar.__enter__()
        self._bar.length = max(total, 1)
        self._bar.update(done - self._bar.pos)

    def close(self) -> None:
        """End the bar's line."""
        if self._bar is not None:
            self._bar.render_finish()
            self._bar = None


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """A progress listener: a bar on a terminal, nobody elsewhere."""
    if not sys.stderr.isatty():
        yield silent
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.close()
