"""Writes settings into the person's `config.toml`; what else stands there stays, with its comments.

Must not know what the settings mean.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from knapper.base.folders import config_folder
from knapper.base.settings import BY_NAME, read_settings
from knapper.cli.options import Trouble

_NEW_FILE = "# Knapper's settings for all vaults; the project's README describes them.\n\n"


def config_file() -> Path:
    """Where the person's settings lie."""
    return config_folder() / "config.toml"


def write_settings(changes: Mapping[str, object]) -> Path:
    """Set each dotted name of *changes*; a default value takes the line out. Raises `Trouble`.

    With `{"ask.model": "m"}` the text `[ask] # mine` becomes `[ask] # mine`, `model = "m"`. Nothing is
    written unless the new text can be read again and says what was wanted.
    """
    file = config_file()
    try:
        old = file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        old = _NEW_FILE
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{file} cannot be read ({_reason(error)}): mend it first.") from error
    new = _changed(old, changes, file)
    if new != old:
        _replace(file, new)
    return file


def _changed(old: str, changes: Mapping[str, object], file: Path) -> str:
    """The text of the settings with *changes*, read again to be sure of it."""
    try:
        document = tomlkit.parse(old.replace("\r\n", "\n"))
        inner = document.get("knapper")
        root: Any = inner if isinstance(inner, Mapping) else document
        for name, value in changes.items():
            _set(root, name, value)
        new = tomlkit.dumps(document)
        read, _ = read_settings([tomllib.loads(new)])
    except (TOMLKitError, ValueError, RecursionError) as error:
        raise Trouble(f"{file} is damaged ({error}): mend it first.") from error
    wrong = [name for name, value in changes.items() if read[name] != value]
    if wrong:
        raise Trouble(f"{file} is written in a way that cannot be changed here: set {wrong[0]} by hand.")
    return new.replace("\n", "\r\n") if "\r\n" in old else new


def _set(root: Any, name: str, value: object) -> None:
    """Set one setting, wherever it stands: in a table, or with a dotted name."""
    table, _, last = name.partition(".")
    root.pop(name, None)  # `"ask.model" = …` in quotes would win over the table.
    section = root.get(table)
    if value == BY_NAME[name].default:
        if isinstance(section, Mapping):
            section.pop(last, None)  # type: ignore[attr-defined]
        return
    if section is None:
        root[table] = section = tomlkit.table()
    section[last] = value


def _replace(file: Path, text: str) -> None:
    """Write *file* whole or not at all. If it is a link to where settings are kept, it stays one."""
    target = file.resolve()
    new = target.with_name(f"{target.name}.{os.getpid()}.new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        new.write_bytes(text.encode("utf-8"))
        with suppress(FileNotFoundError):
            new.chmod(target.stat().st_mode & 0o777)
        new.replace(target)
    except OSError as error:
        with suppress(OSError):
            new.unlink()
        raise Trouble(f"{file} cannot be written ({_reason(error)}): check who owns its folder.") from error


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "it is no text"
