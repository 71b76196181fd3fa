"""Related notes in real Neovim: above the note, beside the cursor and as a list, by a real model."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.neovim import Neovim
from tests.e2e.raw_client import vault
from tests.e2e.validate import problems_in
from tests.model import lay_out_model

NOTES = {
    "Kitten.md": "Our young tomcat naps on the sofa and chases mice in the garden.\n",
    "Tabby.md": "A small cat sleeps upon a couch all day and hunts rodents.\n",
    "Plan.md": "see [[Kitten]]\n",
    "Saturn.md": "The rings of the planet are seen best through a large telescope.\n",
    "Galaxy.md": "Astronomers count billions of stars beyond the Milky Way.\n",
    "Tax.md": "The annual return of income is due in May; keep every receipt.\n",
    "Invoice.md": "Customers pay their bills within thirty days by bank transfer.\n",
}
EMBEDDING_S = 150.0


@pytest.fixture
def neovim(tmp_path: Path) -> Iterator[Neovim]:
    """Neovim on a vault whose passages have vectors; at the end every message must have been valid."""
    model = lay_out_model(tmp_path / "model")
    settings = tmp_path / "xdg_config_home/knapper/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"[embeddings]\nmodel = {json.dumps(str(model))}\n", encoding="utf-8")
    root = vault(tmp_path.resolve(), {**NOTES, ".obsidian/app.json": "{}"})
    editor = Neovim(root, tmp_path)
    try:
        editor.open("Kitten.md")
        end = time.monotonic() + EMBEDDING_S
        while not (status := editor.status())["chunks"] == status["embedded"] == len(NOTES):
            assert time.monotonic() < end, status
            time.sleep(0.1)
        yield editor
    finally:
        editor.quit()
    assert problems_in(editor.recording) == []


def test_related_notes_are_a_lens_a_hover_and_a_list(neovim: Neovim) -> None:
    neovim.wait(lambda: [title for _, title in neovim.lenses() if "Related: Tabby" in title], "the lens")
    neovim.command("KnapperRelated")
    listed = neovim.wait(neovim.locations, "the list of related notes")
    neovim.command("lclose")
    neovim.open("Plan.md")
    neovim.wait(lambda: _hovers(neovim), "the related notes in the hover")

    assert (listed[0].path, listed[0].text) == ("Tabby.md", f"Tabby: {NOTES['Tabby.md'].strip()}")
    assert "- Tabby: A small cat sleeps upon a couch" in neovim.float()


def _hovers(neovim: Neovim) -> bool:
    neovim.keys("<Esc>gg0fK")
    neovim.keys("K")
    neovim.wait(neovim.float, "the hover")
    return "Related" in neovim.float()
