"""Where Knapper keeps its own files. Knows folders; must not know what is written into them."""

from __future__ import annotations

import hashlib
import re
import tempfile
from functools import cache
from pathlib import Path

import platformdirs

_NAME = "knapper"


def cache_folder() -> Path:
    """What may always be deleted: indexes and vectors."""
    return Path(platformdirs.user_cache_dir(_NAME, appauthor=False))


def state_folder() -> Path:
    """What only the person may delete: the usage journal; and answers that were shown."""
    return Path(platformdirs.user_state_dir(_NAME, appauthor=False))


def config_folder() -> Path:
    """Where `config.toml` lies."""
    return Path(platformdirs.user_config_dir(_NAME, appauthor=False))


def data_folder() -> Path:
    """Downloaded models."""
    return Path(platformdirs.user_data_dir(_NAME, appauthor=False))


def vault_slug(root: Path) -> str:
    """A folder name for what belongs to the vault at *root*: `My Notes-3f0c9a1b2d4e`."""
    name = re.sub(r"[^\w. -]+", "_", root.name)[:40].strip(" .") or "vault"
    return f"{name}-{hashlib.sha256(str(root).encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"


@cache
def temporary_folder() -> Path:
    """A folder for the life of this process, for when the cache cannot be written."""
    return Path(tempfile.mkdtemp(prefix="knapper-"))
