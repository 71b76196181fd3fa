"""Getting a model from the hub, when a person wants it, and noticing when its files are not whole.

Takes minutes: never on the way of a request. What was fetched is written down with sizes and hashes, so that
truncated or damaged files are known for what they are and fetched again. Must not know who waits.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from knapper.base.progress import Progress, silent
from knapper.models.choice import folder_named, megabytes, models_folder
from knapper.models.folder import file_digest
from knapper.models.library import cross_encoder, session_options, text_embedding
from knapper.models.ports import DamagedModel, ModelError

EMBEDDER, RERANKER = "embedder", "reranker"

_RECORDS = "fetched.json"
_PATIENCE = 8.0
_AGAIN = "Search goes on with full text; `knapper models fetch` tries again."


def fetch(name: str, kind: str, progress: Progress = silent) -> None:
    """Download the model *name*, whole, unless it is there already. Raises `ModelError`.

    *progress* is called from another thread, with megabytes.
    """
    if folder_named(name) is not None:
        raise ModelError(f"{name} is a folder, and folders are not downloaded.")
    try:
        verify(name)
        known = name in _records()
    except DamagedModel:
        forget(name)
        known = False
    if known:
        return
    models_folder().mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(models_folder() / ".lock", timeout=0):
            _fetch(name, kind, progress)
    except Timeout:
        raise ModelError("Another process is downloading a model just now.") from None


def verify(name: str) -> None:
    """Compare the files of a downloaded model with what was fetched; raises `DamagedModel`."""
    record = _records().get(name, {})
    for path, (size, digest) in record.get("files", {}).items():
        file = models_folder() / path
        if not file.is_file() or file.stat().st_size != size or file_digest(file) != digest:
            raise DamagedModel(f"The model {name} is damaged: {file.name} is not as it was downloaded.")


def was_fetched(name: str) -> bool:
    """Whether the person once had this model downloaded: then it may be fetched again when it breaks."""
    return name in _records()


def forget(name: str) -> None:
    """Remove the files of a downloaded model."""
    record = _records()
    entry = record.pop(name, None)
    if entry and entry.get("folder"):
        shutil.rmtree(models_folder() / entry["folder"], ignore_errors=True)
        _save(record)


def is_offline() -> bool:
    """Whether the person has said that the hub is not to be asked."""
    return os.environ.get("HF_HUB_OFFLINE", "").strip().upper() in {"1", "TRUE", "YES", "ON"}


def _fetch(name: str, kind: str, progress: Progress) -> None:
    library: Any = text_embedding() if kind == EMBEDDER else cross_encoder()
    known = [model for model in library.list_supported_models() if model["model"].lower() == name.lower()]
    if not known:
        raise ModelError(f"fastembed knows no {kind} called {name}.")
    _reach(name)
    total = megabytes(name) or int(known[0]["size_in_GB"] * 1000)
    options = {**session_options(), "local_files_only": False}
    with _watched(name, total, progress):
        try:
            model = library(name, cache_dir=str(models_folder()), lazy_load=True, **options)
        except Exception as error:
            reason = f"{str(error).strip()[:200] or type(error).__name__}".rstrip(".")
            raise ModelError(f"The model {name} could not be downloaded: {reason}. {_AGAIN}") from error
    _remember(name, Path(model.model._model_dir))  # noqa: SLF001 -- Nothing else tells.


def _reach(name: str) -> None:
    """Raise `ModelError` at once if there is no hub: the library would try for forty seconds."""
    address = os.environ.get("HF_ENDPOINT", "https://huggingface.co")
    reason = ""
    if is_offline():
        reason = "HF_HUB_OFFLINE is set"
    else:
        try:
            urllib.request.urlopen(address, timeout=_PATIENCE).close()  # noqa: S310 -- The hub, or the person's own.
        except urllib.error.HTTPError:
            return  # It has answered.
        except (OSError, ValueError) as error:
            reason = f"{address} cannot be reached ({getattr(error, 'reason', None) or error})"
    if reason:
        raise ModelError(f"The model {name} could not be downloaded: {reason}. {_AGAIN}")


@contextmanager
def _watched(name: str, total: int, progress: Progress) -> Iterator[None]:
    """Tell how much has arrived while the caller waits, by looking at the folder."""
    done = threading.Event()
    before = _bytes(models_folder())
    what = f"Downloading {name}"

    def watch() -> None:
        while not done.wait(0.5):
            progress(what, min((_bytes(models_folder()) - before) // 1_000_000, max(total - 1, 0)), total)

    thread = threading.Thread(target=watch, name="download", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    progress(what, total, total)


def _remember(name: str, folder: Path) -> None:
    root = models_folder()
    files = {
        path.relative_to(root).as_posix(): [path.stat().st_size, file_digest(path)]
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    top = folder.relative_to(root).parts[0]
    _save({**_records(), name: {"folder": top, "files": files}})


def _records() -> dict[str, Any]:
    try:
        found = json.loads((models_folder() / _RECORDS).read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _save(records: dict[str, Any]) -> None:
    with suppress(OSError):
        temporary = models_folder() / f"{_RECORDS}.new"
        temporary.write_text(json.dumps(records, indent=1), encoding="utf-8")
        temporary.replace(models_folder() / _RECORDS)


def _bytes(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):
            total += path.lstat().st_size if path.is_file() else 0
    return total
