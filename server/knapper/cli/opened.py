"""A vault as a subcommand sees it: found, its index brought up to date, and read.

Knows where vaults and settings are looked for on the command line; must not know what is printed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from knapper.base.settings import Settings, read_settings
from knapper.cli.bar import progress_bar
from knapper.cli.options import Trouble
from knapper.cli.output import remark, remarks
from knapper.index.local import LocalIndex, NotIndexed, bring_up_to_date
from knapper.index.read import text_in
from knapper.index.vaults import user_layer, vault_layer, vault_root
from knapper.store.errors import StoreError
from knapper.store.reader import Reader
from knapper.store.words import WordReader
from knapper.vault.obsidian import Obsidian, exclusion, read_obsidian, too_slow
from knapper.vault.paths import NotePath, is_note, key, linkable, stem_of
from knapper.vault.resolve import resolve
from knapper.vault.view import VaultView


@dataclass(frozen=True)
class OpenedVault:
    """A vault whose index is up to date and open for reading."""

    root: Path
    settings: Settings
    index: LocalIndex
    reader: Reader

    @cached_property
    def obsidian(self) -> Obsidian:
        """Obsidian's own settings of the vault; what cannot be used is told once."""
        obsidian, warnings = read_obsidian(self.text_of)
        remarks(warnings)
        return obsidian

    @cached_property
    def view(self) -> VaultView:
        """The whole vault in memory."""
        loaded = self.reader.load()
        return VaultView.build(
            loaded.notes, loaded.files, self.obsidian, self.settings, loaded.seq, loaded.problems
        )

    @property
    def hidden(self) -> Callable[[NotePath], bool] | None:
        """Which notes a search leaves out, or None if it leaves out none."""
        found, complaints = exclusion(self.obsidian, self.settings)
        remarks(complaints)
        if found is None:
            return None
        if not found.is_simple:  # Which filters cannot be used is told before anything is shown.
            for _, path in WordReader(self.reader.connection).notes():
                found.holds(path)
            remarks(too_slow(found))
        return found.holds

    def text_of(self, path: str) -> str | None:
        """The text of a file of the vault, or None."""
        return text_in(Path(os.path.realpath(self.root)), path)

    def note_called(self, name: str) -> NotePath:
        """The note that a person means by *name*: a path from here or in the vault, or a note's name."""
        inside = _inside(self.root, name)
        for said in (inside, name):
            path = resolve(self.view.names, NotePath(""), said) if said else None
            if path is not None:
                return path
        near = [stem_of(path) for path in self.view.notes if is_note(path) and _alike(name, path)]
        also = f" There is {', '.join(sorted(near)[:5])}." if near else ""
        raise Trouble(f"There is no note called {name} in {self.root}.{also}")


def find_root(folder: Path | None) -> Path:
    """The root of the vault in *folder*, or of the one around the current folder. Raises `Trouble`."""
    try:
        here = (folder or Path()).resolve()
        if not here.exists():
            raise Trouble(f"There is no folder {here}.")
        if not here.is_dir():
            raise Trouble(f"{here} is no folder but a file; --vault takes the folder of a vault.")
        os.scandir(here).close()
    except OSError as error:
        raise Trouble(f"The folder {folder or 'you are in'} cannot be read: {error.strerror}.") from error
    return here if folder else (vault_root(here) or here)


def settings_of(root: Path) -> Settings:
    """The settings in force for the vault at *root*; what cannot be used is told."""
    user, user_complaint = user_layer()
    vault, vault_complaint = vault_layer(root)
    settings, complaints = read_settings([user], vault)
    remarks(filter(None, [user_complaint, vault_complaint, *complaints]))
    return settings


@contextmanager
def opened(folder: Path | None, *, anew: bool = False, embed: bool = False) -> Iterator[OpenedVault]:
    """Open the vault in *folder* (`find_root`), its index up to date, or built *anew*. Raises `Trouble`.

    With *embed* its vectors too, if the model is there.
    """
    root = find_root(folder)
    settings = settings_of(root)
    try:
        with progress_bar() as progress:
            index = bring_up_to_date(root, settings, progress, anew=anew, embed=embed)
        for text in index.remarks:
            remark(text)
        reader = Reader(index.database)
        try:
            yield OpenedVault(root, settings, index, reader)
        finally:
            reader.close()
    except NotIndexed as error:
        raise Trouble(str(error)) from error
    except StoreError as error:
        raise Trouble(f"The index of {root} cannot be used: {error}. Try `knapper rebuild`.") from error


def _inside(root: Path, name: str) -> str | None:
    """*name*, a path from the current folder, as a path in the vault: `../Bread.md` may be `Bread.md`."""
    if "\0" in name:
        return None
    path = Path(name).resolve()
    return path.relative_to(root).as_posix() if path.is_file() and path.is_relative_to(root) else None


def _alike(name: str, path: str) -> bool:
    said = key(stem_of(name))
    return bool(said) and (said in key(linkable(path)) or key(stem_of(path)) in said)
