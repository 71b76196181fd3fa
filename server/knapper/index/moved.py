"""Where a vault lay before it was moved, so that its usage journal can follow.

Nothing in a vault says which one it is, and nothing is written into one to say so. A vault counts as moved if
there is an index of a folder that is gone, with nearly the same notes at the same paths. Must not know what a
journal is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from knapper.base.folders import cache_folder, state_folder, vault_slug
from knapper.search.journal import JOURNAL_NAME, journal_file
from knapper.store.errors import StoreError
from knapper.store.reader import Reader
from knapper.store.schema import FILE_NAME
from knapper.store.words import WordReader
from knapper.vault.paths import is_note

_FEWEST = 8
"""Vaults of fewer notes are too easily alike: every new one has the same `Welcome.md`."""
_LEAST = 0.9
"""So much of both vaults must be the same notes."""


def is_whole(database: Path) -> bool:
    """Whether everything in the vault has been read into its index."""
    try:
        reader = Reader(database)
        try:
            counts = reader.counts()
        finally:
            reader.close()
    except StoreError:
        return False
    return not counts.building and not counts.pending


def former_journal(root: Path, database: Path) -> Path | None:
    """The journal of the vault at *root*, with the index *database*, from where it lay before; or None."""
    told = _read(database)
    if told is None:
        return None
    _, former, notes = told
    if former and _is_gone(former) and journal_file(Path(former)).exists():
        return journal_file(Path(former))  # The index lies in the vault and has moved along.
    if len(notes) < _FEWEST:
        return None
    likely = [(_same(notes, old), _written(journal), journal) for journal, old in _left_behind(root)]
    share, _, journal = max(likely, default=(0.0, 0.0, root))
    return journal if share >= _LEAST else None


def _left_behind(root: Path) -> Iterator[tuple[Path, Mapping[str, str]]]:
    """The journals of vaults that are not where they were, each with the notes of its index."""
    for journal in (state_folder() / "vaults").glob(f"*/{JOURNAL_NAME}"):
        slug = journal.parent.name
        database = cache_folder() / "vaults" / slug / FILE_NAME
        if slug == vault_slug(root) or not database.exists():
            continue
        told = _read(database)
        if told is not None and vault_slug(Path(told[0])) == slug and _is_gone(told[0]):
            yield journal, told[2]


def _read(database: Path) -> tuple[str, str, Mapping[str, str]] | None:
    """What an index tells: its root, the one before if it moved along, and digests of its notes by path."""
    try:
        reader = Reader(database)
        try:
            digests = WordReader(reader.connection).digests()
            notes = {str(path): digest for path, digest in digests.items() if digest and is_note(path)}
            return str(reader.meta("root")), str(reader.meta("moved_from") or ""), notes
        finally:
            reader.close()
    except StoreError:
        return None


def _same(notes: Mapping[str, str], old: Mapping[str, str]) -> float:
    same = sum(old.get(path) == digest for path, digest in notes.items())
    return same / max(len(notes), len(old), 1)


def _written(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _is_gone(root: str) -> bool:
    try:
        return not Path(root).exists()
    except OSError:
        return False  # It cannot be looked at, and may well be there.
