"""Where the settings come from: config.toml, initialization options, the client's answers, the vault.

Knows the layers and their order; `base.settings` knows what they mean. Each complaint is told once.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from knapper.base.folders import config_folder
from knapper.base.settings import Settings, read_settings
from knapper.index.vaults import user_layer, vault_layer

SECTION = "knapper"


class SettingLayers:
    """The layers of one client. Settings are made for a vault's root, because its own file narrows them."""

    def __init__(self, options: Any) -> None:
        self._complaints: list[str] = []
        self._stamps = {config_folder() / "config.toml": _stamp(config_folder() / "config.toml")}
        self._user = self._read(user_layer())
        self._options = _layer(options)
        self._answers: dict[Path | None, Mapping[str, Any]] = {}
        self._insisted: set[Path] = set()

    def answered(self, root: Path | None, answer: Any) -> None:
        """The client's own settings, for one vault or (None) for all."""
        self._answers[root] = _layer(answer)

    def look_again(self) -> bool:
        """Whether a settings file is another one by now, as `config.toml` after `knapper provider set`.

        Of two servers on a vault only one is told when its `.knapper.toml` changes.
        """
        before, self._stamps = self._stamps, {file: _stamp(file) for file in self._stamps}
        if self._stamps == before:
            return False
        self._user = self._read(user_layer())
        return True

    def insist(self, root: Path) -> None:
        """The person wants this folder indexed, however wide it is, until the server ends."""
        self._insisted.add(root)

    def settings(self, root: Path) -> Settings:
        """The settings in force in the vault at *root*."""
        answer = self._answers.get(root) or self._answers.get(None) or {}
        self._stamps[root / ".knapper.toml"] = _stamp(root / ".knapper.toml")
        vault = self._read(vault_layer(root))
        insisted = {"index.always": True} if root in self._insisted else {}
        settings, complaints = read_settings((self._user, self._options, answer, insisted), vault)
        self._complaints += complaints
        return settings

    def complaints(self) -> list[str]:
        """What cannot be used, in sentences, since this was asked last."""
        found, self._complaints = self._complaints, []
        return found

    def _read(self, found: tuple[dict[str, Any], str | None]) -> Mapping[str, Any]:
        values, complaint = found
        if complaint:
            self._complaints.append(complaint)
        return values


def _stamp(file: Path) -> tuple[int, int] | None:
    """What tells one state of *file* from another; None while there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _layer(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
