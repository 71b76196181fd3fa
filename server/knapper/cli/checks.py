"""What `knapper doctor` looks at: one function a check, each a plain sentence with ok, warn or fail."""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from knapper.base.folders import cache_folder, config_folder, data_folder, state_folder
from knapper.base.settings import Settings, read_settings, unknown_names
from knapper.cli.output import counted
from knapper.cli.providing import NOBODY, provided
from knapper.cli.trial import KINDS, chosen, try_model
from knapper.index.location import Location, synced_by
from knapper.index.vaults import user_layer, vault_layer
from knapper.index.watch import Watch
from knapper.models.choice import folder_named, has_downloads
from knapper.store.engine import engine
from knapper.store.errors import StoreError
from knapper.store.reader import Reader
from knapper.vault.obsidian import exclusion, read_obsidian
from knapper.vault.paths import NotePath, key

OK, WARN, FAIL = "ok", "warn", "fail"
_SHOWN = 5
_WATCH_TRIES = 16


class Check(NamedTuple):
    """What was looked at and how it is: `level` is ok, warn or fail; `message` a sentence."""

    name: str
    level: str
    message: str


def check_engine() -> Check:
    """Whether SQLite is new enough and has its full text search."""
    found = engine()
    if not found.enough:
        return Check(
            "sqlite", FAIL, f"SQLite {found.version} is too old; {found.minimum} or later is needed."
        )
    if not found.full_text:
        return Check("sqlite", FAIL, f"SQLite {found.version} was built without FTS5, its full text search.")
    return Check("sqlite", OK, f"SQLite {found.version} with FTS5.")


def check_folders() -> Iterator[Check]:
    """Whether Knapper's own folders can be written."""
    for what, folder in (("index", cache_folder()), ("state", state_folder()), ("data", data_folder())):
        why = _unwritable(folder)
        if why:
            yield Check(
                f"{what} folder", WARN, f"{folder} cannot be written ({why}); a temporary one is used."
            )
        else:
            yield Check(f"{what} folder", OK, f"{folder} can be written.")


def check_settings(root: Path) -> Iterator[Check]:
    """Whether the person's, the vault's and Obsidian's settings can be read."""
    user, complaint = user_layer()
    _, of_user = read_settings([user])
    yield _settings_check("settings", config_folder() / "config.toml", user, [complaint, *of_user])
    vault, complaint = vault_layer(root)
    settings, complaints = read_settings([user], vault)
    of_vault = complaints[len(of_user) :]
    yield _settings_check("vault settings", root / ".knapper.toml", vault, [complaint, *of_vault])
    yield _obsidian_check(root, settings)


def check_vault(root: Path) -> Iterator[Check]:
    """Whether the vault can be read, and where it lies."""
    try:
        with os.scandir(root) as found:
            empty = not any(True for _ in found)
    except OSError as error:
        yield Check("vault", FAIL, f"{root} cannot be read: {error.strerror}.")
        return
    yield Check("vault", WARN if empty else OK, f"{root} {'is empty' if empty else 'can be read'}.")
    if service := synced_by(root):
        yield Check("sync", OK, f"{service} keeps the vault in step; the index stays outside of it.")


def check_index(location: Location) -> Iterator[Check]:
    """Whether there is an index, it is whole, and its full text agrees with it."""
    if location.remark:
        yield Check("index place", WARN, location.remark)
    if not location.database.exists():
        yield Check("index", WARN, "There is no index yet; `knapper index` makes one.")
        return
    try:
        reader = Reader(location.database)
    except StoreError as error:
        yield Check(
            "index", FAIL, f"{location.database} cannot be used ({error}); `knapper rebuild` makes a new one."
        )
        return
    try:
        drift = reader.drift()
        if drift:
            yield Check("index", FAIL, f"The index is damaged ({drift}); `knapper rebuild` makes a new one.")
            return
        counts = reader.counts()
        yield Check(
            "index",
            OK,
            f"The index is whole: {counted(counts.notes, 'note')}, {counted(counts.links, 'link')}.",
        )
        loaded = reader.load()
        yield check_problems(loaded.problems)
        yield check_twins(loaded.files)
    except StoreError as error:
        yield Check("index", FAIL, f"The index cannot be read: {error}.")
    finally:
        reader.close()


def check_watching() -> Check:
    """Whether the system tells of changed files, tried in a folder of our own."""
    seen = threading.Event()
    with tempfile.TemporaryDirectory(prefix="knapper-") as folder:
        watch = Watch(Path(folder), lambda _: seen.set(), lambda: None, lambda _: None)
        for attempt in range(_WATCH_TRIES):  # It begins to listen some time after it was started.
            (Path(folder) / f"{attempt}.md").touch()
            if seen.wait(0.25):
                break
        watch.stop()
    if seen.is_set():
        return Check("watching", OK, "Changed files are noticed at once.")
    return Check("watching", WARN, "Changed files are not noticed at once here, only every few minutes.")


def check_models(settings: Settings) -> Iterator[Check]:
    """Whether the models of the settings are there, tell sense from nonsense, and how fast they are."""
    for kind, name in chosen(settings):
        if folder_named(name) is None and not has_downloads():
            yield Check(
                kind, OK, f"{name} is not downloaded: full text only. `knapper models fetch` gets it."
            )
            continue
        trial = try_model(kind, name, settings)
        if trial.problem:
            yield Check(kind, WARN, trial.problem)
        else:
            figures = ", ".join(
                f"{trial.figures[figure]:g} {unit}" for figure, unit in KINDS[kind] if figure in trial.figures
            )
            yield Check(kind, OK, f"{name} puts golden pairs in order; {figures}.")


def check_provider(settings: Settings) -> Check:
    """Whether who writes answers could be asked; nobody is asked for it."""
    found = provided(settings)
    if found.provider == "none":
        return Check("provider", OK, NOBODY)
    if found.problem:
        return Check("provider", WARN, " ".join([*found.remarks, found.problem]))
    key = f", its key is {found.key}" if found.key else ""
    said = f"{found.model} at {found.host} writes answers{key}. `knapper provider test` tries it."
    return Check("provider", OK, said)


def check_problems(problems: Mapping[NotePath, str]) -> Check:
    """Whether every note could be read."""
    if not problems:
        return Check("notes", OK, "Every note could be read.")
    shown = "; ".join(f"{path}: {reason}" for path, reason in list(problems.items())[:_SHOWN])
    return Check("notes", WARN, f"{counted(len(problems), 'file')} could not be read, or not wholly. {shown}")


def check_twins(files: Iterable[NotePath]) -> Check:
    """Whether two files differ only in letter case or in how accents are encoded."""
    by_key: dict[str, list[NotePath]] = {}
    for path in files:
        by_key.setdefault(key(path), []).append(path)
    twins = [paths for paths in by_key.values() if len(paths) > 1]
    if not twins:
        return Check("names", OK, "No two files differ only in letter case.")
    shown = "; ".join(" and ".join(sorted(paths)) for paths in twins[:_SHOWN])
    return Check(
        "names",
        WARN,
        f"Some files differ only in letter case, which other computers cannot keep apart: {shown}.",
    )


def _settings_check(
    name: str, file: Path, layer: Mapping[str, Any], complaints: Iterable[str | None]
) -> Check:
    said = [complaint for complaint in complaints if complaint]
    said += [f"There is no setting {unknown}." for unknown in unknown_names(layer)]
    if said:
        return Check(name, WARN, " ".join(said))
    return Check(name, OK, f"{file} {'can be read' if file.exists() else 'is not there; the defaults hold'}.")


def _obsidian_check(root: Path, settings: Settings) -> Check:
    obsidian, warnings = read_obsidian(lambda path: _text(root / path))
    warnings = [*warnings, *exclusion(obsidian, settings)[1]]
    if warnings:
        return Check("obsidian", WARN, " ".join(warnings))
    there = (root / ".obsidian").is_dir()
    return Check(
        "obsidian",
        OK,
        "Obsidian's settings can be read." if there else "There is no .obsidian folder; its defaults hold.",
    )


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        return ""  # There, and not readable: no JSON, so it is told.


def _unwritable(folder: Path) -> str | None:
    """Why *folder* cannot be written, or None. Makes it if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return error.strerror or str(error)
