"""Where the index of a vault lies. Knows folders, not what is in them."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from knapper.base.folders import cache_folder, temporary_folder, vault_slug
from knapper.store.schema import FILE_NAME

_SYNCED_NAMES = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "mobile documents": "iCloud",
    "icloud drive": "iCloud",
    "clouddocs": "iCloud",
    "google drive": "Google Drive",
}
_SYNCED_MARKS = {".stfolder": "Syncthing", ".dropbox": "Dropbox", ".dropbox.cache": "Dropbox"}


@dataclass(frozen=True, slots=True)
class Location:
    """The folder of an index, and what the person should be told about the choice."""

    folder: Path
    remark: str | None = None

    @property
    def database(self) -> Path:
        """The index itself."""
        return self.folder / FILE_NAME


def locate(root: Path, where: str = "cache") -> Location:
    """The place for the index of the vault at *root*, made and writable; *where* is `index.location`."""
    remark = None
    if where == "vault":
        service = synced_by(root)
        if service is None and _prepared(root / ".knapper", ignored=True):
            return Location(root / ".knapper")
        reason = f"{service} would copy it while it is written" if service else "its folder cannot be written"
        remark = f"The index of {root.name} is kept in the cache folder and not in the vault: {reason}."
    slug = vault_slug(root)
    folder = cache_folder() / "vaults" / slug
    if _prepared(folder):
        return Location(folder, remark)
    spare = temporary_folder() / slug
    spare.mkdir(parents=True, exist_ok=True)
    reason = f"{folder} cannot be written, so the index of {root.name} is kept for this session only."
    return Location(spare, reason)


def synced_by(folder: Path) -> str | None:
    """The service that synchronises *folder*, as far as one can tell: `Dropbox`, or None."""
    for parent in (folder, *folder.parents):
        folded = parent.name.casefold()
        for name, service in _SYNCED_NAMES.items():
            if folded == name or folded.startswith((f"{name} -", f"{name} (")):
                return service
        for mark, service in _SYNCED_MARKS.items():
            if (parent / mark).exists():
                return service
    return None


def _prepared(folder: Path, *, ignored: bool = False) -> bool:
    """Make *folder* and say whether it can be written; *ignored*: git is to leave it alone."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if ignored and not (folder / ".gitignore").exists():
            (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        handle, name = tempfile.mkstemp(prefix="probe-", dir=folder)
        os.close(handle)
        Path(name).unlink()
    except OSError:
        return False
    return True
