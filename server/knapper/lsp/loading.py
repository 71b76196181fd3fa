"""Making the next view of a vault from its index. Runs in a job thread; touches nothing but its arguments.

An index that had to be replaced, or that is far ahead, is loaded whole; otherwise only what changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from knapper.base.cancel import CancelToken
from knapper.base.collector import no_collection
from knapper.base.settings import Settings
from knapper.ide.completion.tables import prepare
from knapper.store.reader import Reader
from knapper.vault.obsidian import Obsidian, exclusion, read_obsidian, too_slow
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView


@dataclass(frozen=True, slots=True)
class Wanted:
    """What there is: the last view (None: load everything) and Obsidian's settings (None: read them)."""

    view: VaultView | None
    obsidian: Obsidian | None
    settings: Settings
    read: Callable[[NotePath], str | None]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The view to swap in, and sentences for the person about settings that cannot be used."""

    view: VaultView
    obsidian: Obsidian
    warnings: tuple[str, ...]


def load(reader: Reader, wanted: Wanted, token: CancelToken) -> Loaded:
    """The newest state of the index as a view. Raises `Cancelled`, and what reading raises."""
    obsidian, warnings = wanted.obsidian, list[str]()
    if obsidian is None:
        obsidian, warnings = read_obsidian(lambda path: wanted.read(NotePath(path)))
        warnings += exclusion(obsidian, wanted.settings)[1]
    with no_collection():
        view = _newer(reader, wanted.view) or _whole(reader, obsidian, wanted.settings, token)
        if wanted.obsidian is None:
            view = view.configured(obsidian, wanted.settings)
        token.check()
        prepare(view)  # Compares every path with what is excluded.
    warnings += too_slow(view.excluded)
    return Loaded(view, obsidian, tuple(warnings))


def _newer(reader: Reader, view: VaultView | None) -> VaultView | None:
    delta = reader.changes_since(view.seq) if view is not None else None
    if view is None or delta is None:
        return None
    if not (delta.notes or delta.files or delta.gone) and delta.problems == view.problems:
        return replace(view, seq=delta.seq)  # only unsaved rows changed: the graph is reused as it is
    return view.apply(delta)


def _whole(reader: Reader, obsidian: Obsidian, settings: Settings, token: CancelToken) -> VaultView:
    loaded = reader.load()
    token.check()
    return VaultView.build(loaded.notes, loaded.files, obsidian, settings, loaded.seq, loaded.problems)
