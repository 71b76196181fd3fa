"""A small vault on disk, and folders of Knapper's own that nobody else uses."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.register_assert_rewrite("tests.cli.transcript")

NOTES = {
    "Bread.md": (
        "---\naliases: [Loaf]\ntags: [kitchen/baking]\n---\n# Bread\n\n"
        "## Starter\n\nFeed the sourdough starter.\n"
    ),
    "Oven.md": "The oven needs [[Bread]] and ![[Bread#Starter]].\nSee [[Missing note]].\n",
    "Diary/2024-05-01.md": "Baked [the bread](../Bread.md). `[[no link]]` [[missing note|soon]]\n",
    "Alone.md": "A zeppelin without any link.\n",
    ".obsidian/app.json": "{}",
}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The vault of NOTES, with an empty cache."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "own" / name))
    root = tmp_path / "vault"
    for path, text in NOTES.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root
