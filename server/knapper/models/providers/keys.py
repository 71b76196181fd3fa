"""Keys of providers: found in the environment, the keychain, or a file that the person opted for; and hidden.

A key lives in none of Knapper's settings, logs, errors or traces. Must not know what keys are used for.
"""

from __future__ import annotations

import json
import os
import re
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from knapper.base.folders import config_folder
from knapper.models.providers.choice import PROVIDERS

SERVICE = "knapper"
PATIENCE = 10.0
"""Seconds for the keychain, which may ask the person to unlock it, and on some machines never answers."""
HIDDEN = "[hidden]"
_LIKE_A_KEY = re.compile(
    r"\b(?:sk|pk|key)-[\w-]{8,}|(?<=Bearer )\S+|(?<=x-api-key: )\S+|(?<=x-api-key=)\S+", re.IGNORECASE
)


class KeyTrouble(Exception):  # noqa: N818 -- One sentence for the person.
    """A key cannot be kept or forgotten; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A key (empty: there is none), where it was found, and sentences on what stood in the way."""

    value: str = field(default="", repr=False)
    where: str = ""
    remarks: tuple[str, ...] = ()


def account(provider: str, host: str) -> str:
    """The name that a key is kept under. Those of compatible servers belong to one host."""
    return f"{provider} at {host}" if provider == "compatible" else provider


def find_key(provider: str, host: str, *, file_allowed: bool, patience: float = PATIENCE) -> FoundKey:
    """The key for *provider*. May take *patience* seconds: never in the main thread."""
    variable = PROVIDERS[provider].key_name
    if value := os.environ.get(variable, "").strip():
        return FoundKey(value, f"the environment variable {variable}")
    name, remarks = account(provider, host), []
    try:
        if value := _asked_keychain(lambda ring: ring.get_password(SERVICE, name), patience):
            return FoundKey(str(value), "the keychain")
    except KeyTrouble as trouble:
        remarks.append(str(trouble))
    if file_allowed:
        try:
            if kept := _file_keys().get(name):
                return FoundKey(kept, str(key_file()), tuple(remarks))
        except KeyTrouble as trouble:
            remarks.append(str(trouble))
    return FoundKey(remarks=tuple(remarks))


def keep_key(provider: str, host: str, key: str, *, in_file: bool, patience: float = PATIENCE) -> str:
    """Keep *key* in the keychain, or in the file if wanted; gives where. Raises `KeyTrouble`."""
    name = account(provider, host)
    if in_file:
        _write_file({**_file_keys(), name: key})
        return str(key_file())
    _asked_keychain(lambda ring: ring.set_password(SERVICE, name, key), patience)
    return "the keychain"


def forget_key(provider: str, host: str, *, patience: float = PATIENCE) -> tuple[str, ...]:
    """Remove the key from keychain and file; gives where it was. Raises `KeyTrouble`."""
    name, gone = account(provider, host), []
    with suppress(KeyTrouble):
        if _asked_keychain(lambda ring: _removed(ring, name), patience):
            gone.append("the keychain")
    keys = _file_keys()
    if keys.pop(name, None):
        _write_file(keys)
        gone.append(str(key_file()))
    return tuple(gone)


def redact(text: str, *keys: str) -> str:
    """*text* without *keys* and without what looks like one: `Bearer sk-1234` gives `Bearer [hidden]`."""
    for key in keys:
        if key:
            text = text.replace(key, HIDDEN)
    return _LIKE_A_KEY.sub(HIDDEN, text)


def key_file() -> Path:
    """The file for those who have no keychain; only its owner may read it."""
    return config_folder() / "keys.json"


def _removed(ring: Any, name: str) -> bool:
    if ring.get_password(SERVICE, name) is None:
        return False
    ring.delete_password(SERVICE, name)
    return True


def _asked_keychain(question: Callable[[Any], Any], patience: float) -> Any:
    """The keychain's answer, from a thread that is left behind if none comes. Raises `KeyTrouble`."""
    answers: SimpleQueue[tuple[Any, str]] = SimpleQueue()

    def ask() -> None:
        try:
            import keyring  # noqa: PLC0415 -- Costs time, and only who asks a provider needs it.

            answers.put((question(keyring), ""))
        except Exception as error:  # noqa: BLE001 -- Back ends raise what they like, and the key may be in it.
            answers.put((None, type(error).__name__))

    threading.Thread(target=ask, name="keychain", daemon=True).start()
    try:
        value, trouble = answers.get(timeout=patience)
    except Empty:
        raise KeyTrouble(f"The keychain did not answer within {patience:g} s: unlock it. {_ELSE}") from None
    if trouble in ("NoKeyringError", "InitError", "ModuleNotFoundError"):
        raise KeyTrouble(f"This machine has no keychain. {_ELSE}")
    if trouble:
        raise KeyTrouble(f"The keychain failed ({trouble}). {_ELSE}")
    return value


_ELSE = "An environment variable or `knapper provider set --key-file` does without it."


def _file_keys() -> dict[str, str]:
    """The keys in the file; raises `KeyTrouble` if others could have read or written it, or it is damaged."""
    path = key_file()
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if os.name == "posix" and (status.st_mode & 0o077 or status.st_uid != os.getuid()):
                raise KeyTrouble(f"{path} can be read by others and is not used: `chmod 600` it.")
            found = json.loads(file.read()) if stat.S_ISREG(status.st_mode) else None
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        raise KeyTrouble(f"{path} cannot be read: remove it, and set the key again.") from None
    if not isinstance(found, dict):
        raise KeyTrouble(f"{path} cannot be read: remove it, and set the key again.")
    return {name: key for name, key in found.items() if isinstance(key, str)}


def _write_file(keys: dict[str, str]) -> None:
    """Write the file anew; it never exists with wider rights, not for a moment."""
    path = key_file()
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        new.unlink(missing_ok=True)
        with os.fdopen(
            os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            json.dump(keys, file, indent=1)
        new.replace(path)
    except OSError:
        raise KeyTrouble(f"{path} cannot be written: check who owns its folder.") from None
