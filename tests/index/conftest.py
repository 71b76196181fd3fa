"""A vault on disk that a test writes, and folders of Knapper's own that nobody else uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.index.workshop import Server, Workshop


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    """An empty vault and an empty cache."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "own" / name))
    root = tmp_path / "vault"
    (root / ".obsidian").mkdir(parents=True)
    return Workshop(root)


@pytest.fixture
def servers() -> Iterator[list[Server]]:
    """Servers that a test starts; they are stopped at its end."""
    started: list[Server] = []
    yield started
    for server in started:
        server.client.stop()
