"""Which model the settings choose, and where downloaded ones lie. Knows names and folders; loads nothing."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from knapper.base.folders import data_folder
from knapper.base.settings import Settings

_MEGABYTES = {"BAAI/bge-small-en-v1.5": 67, "Xenova/ms-marco-MiniLM-L-6-v2": 80}
"""Of the default models, so that offering them needs no library."""


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """An embedding model and how it is to be used: two equal choices make equal vectors."""

    model: str
    pooling: str = ""  # of a folder; empty: as its own files say
    query_prefix: str = ""
    passage_prefix: str = ""

    def as_text(self) -> str:
        """The choice as a line that `from_text` reads."""
        return json.dumps(asdict(self))

    @staticmethod
    def from_text(text: str) -> EmbedderChoice | None:
        """The choice in a line, or None if it is none."""
        try:
            fields: dict[str, Any] = json.loads(text)
            return EmbedderChoice(**{name: str(value) for name, value in fields.items()})
        except (ValueError, TypeError, AttributeError):
            return None


def embedder_choice(settings: Settings) -> EmbedderChoice | None:
    """What the settings say about vectors; None if search by meaning is switched off."""
    if not settings["embeddings.enabled"] or not settings["embeddings.model"]:
        return None
    return EmbedderChoice(
        settings["embeddings.model"],
        settings["embeddings.pooling"],
        settings["embeddings.queryPrefix"],
        settings["embeddings.passagePrefix"],
    )


def folder_named(name: str) -> Path | None:
    """The folder that *name* is, there or not; None for a model that is known by its name.

    `~/models/mine` and `/models/mine` are folders, `BAAI/bge-small-en-v1.5` is a name.
    """
    try:
        path = Path(name).expanduser()
    except RuntimeError:  # There is no home.
        path = Path(name)
    return path if path.is_absolute() else None


def models_folder() -> Path:
    """Where downloaded models lie."""
    return data_folder() / "models"


def has_downloads() -> bool:
    """Whether anything was ever downloaded: if not, no library need be asked for a model."""
    try:
        return any(path.is_dir() for path in models_folder().iterdir())
    except OSError:
        return False


def megabytes(name: str) -> int:
    """How much there is to download for a model, 0 if that is not known without its library."""
    return _MEGABYTES.get(name, 0)
