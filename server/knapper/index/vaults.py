"""Which folder is the vault of a file, what its own settings file says, and what is too much to index.

Must not know what an index is.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from knapper.base.folders import config_folder
from knapper.index.plain import read_plain

MARKERS = (".obsidian", ".knapper.toml")
MOST_FILES = 100_000
_MOST_BYTES = 1_000_000


def vault_root(file: Path, workspace: Path | None = None) -> Path | None:
    """The vault of *file*: the nearest folder upwards with a marker, else *workspace* if it holds the file.

    Never the home folder or the root of a file system because of a marker: both get one by accident.
    """
    for folder in (file, *file.parents):
        if has_marker(folder) and not is_everything(folder):
            return folder
    if workspace is not None and (file == workspace or workspace in file.parents):
        return workspace
    return None


def has_marker(folder: Path) -> bool:
    """Whether *folder* says itself that it is a vault."""
    return any((folder / marker).exists() for marker in MARKERS)


def is_everything(folder: Path) -> bool:
    """Whether *folder* is a home folder or the root of a file system."""
    return folder.parent == folder or _is_home(folder)


def refusal(root: Path) -> str | None:
    """Why the vault at *root* should not be indexed unless the person insists, or None."""
    if root.parent == root:
        return f"{root} is a whole disk, so its notes are not indexed."
    if _is_home(root):
        return f"{root} is your home folder, so its notes are not indexed."
    return None


def user_layer() -> tuple[dict[str, Any], str | None]:
    """The person's settings in `config.toml`, and a sentence if they cannot be read."""
    return _toml(config_folder() / "config.toml")


def vault_layer(root: Path) -> tuple[dict[str, Any], str | None]:
    """The vault's settings in `.knapper.toml`, and a sentence if they cannot be read."""
    return _toml(root / ".knapper.toml")


def _is_home(folder: Path) -> bool:
    try:
        return folder == Path.home() or folder.samefile(Path.home())
    except (OSError, RuntimeError):
        return False


def _toml(path: Path) -> tuple[dict[str, Any], str | None]:
    try:
        return tomllib.loads(read_plain(path, _MOST_BYTES).decode("utf-8-sig")), None
    except FileNotFoundError:
        return {}, None
    except OSError as error:
        return {}, f"{path} cannot be read ({error.strerror}); it is left out."
    except (ValueError, RecursionError) as error:  # Brackets can be nested too deeply to be read.
        return {}, f"{path} is damaged ({error}); it is left out."
