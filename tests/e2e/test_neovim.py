"""What a person does in real Neovim, with the configuration that we ship, on a copy of the example vault."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.neovim import PROJECT, Neovim
from tests.e2e.validate import problems_in


@pytest.fixture
def neovim(tmp_path: Path) -> Iterator[Neovim]:
    """Neovim on a fresh copy of the example vault; at the end every message must have been valid."""
    vault = shutil.copytree(PROJECT / "examples/vault", tmp_path.resolve() / "vault")
    editor = Neovim(vault, tmp_path)
    try:
        yield editor
    finally:
        editor.quit()
    assert problems_in(editor.recording) == []


def test_a_link_is_completed_by_keys(neovim: Neovim) -> None:
    neovim.open("Kitchen/Bread.md")
    neovim.keys("Gosee [[Sourd")
    neovim.wait(lambda: "Sourdough starter" in neovim.offered(), "the completion menu")
    assert _accept_first(neovim) == "see [[Sourdough starter]]"


def test_an_alias_behind_wide_characters_is_completed_in_its_place(neovim: Neovim) -> None:
    neovim.open("Kitchen/Miso.md")
    neovim.keys("Go味噌 🫘 é [[Gertr")
    neovim.wait(lambda: "Gertrud" in neovim.offered(), "the completion menu")
    assert _accept_first(neovim) == "味噌 🫘 é [[Sourdough starter|Gertrud]]"


def test_a_heading_is_completed_behind_the_hash(neovim: Neovim) -> None:
    neovim.open("Kitchen/Bread.md")
    neovim.keys("Go[[Wood oven#Fal")
    neovim.wait(lambda: "Falling heat" in neovim.offered(), "the completion menu")
    assert _accept_first(neovim) == "[[Wood oven#Falling heat]]"


def test_a_hover_shows_the_section_that_is_meant(neovim: Neovim) -> None:
    neovim.open("Kitchen/Rye loaf.md")
    neovim.keys("/Falling heat<CR>K")
    text = neovim.wait(neovim.float, "the hover")
    assert "flat breads, two minutes" in text
    assert "Three hours before" not in text


def test_a_definition_is_the_line_of_the_heading(neovim: Neovim) -> None:
    neovim.open("Kitchen/Rye loaf.md")
    neovim.keys("/Falling heat<CR><C-]>")
    lines = (neovim.vault / "Kitchen/Wood oven.md").read_text("utf-8").split("\n")
    heading = ("Kitchen/Wood oven.md", lines.index("## Falling heat") + 1)
    neovim.wait(lambda: neovim.place() == heading, "the jump")


def test_references_list_every_link_to_the_note(neovim: Neovim) -> None:
    neovim.open("Sky/Telescope.md")
    neovim.keys("/Collimation<CR>grr")
    found = neovim.wait(neovim.quickfix, "the list of references")
    assert {entry.path for entry in found} >= {"Sky/Telescope.md", "Sky/Log.md"}


def test_a_lens_counts_and_lists_the_backlinks(neovim: Neovim) -> None:
    neovim.open("Sky/Collimation.md")
    line, title = neovim.wait(neovim.lenses, "the lenses")[0]
    assert title == "2 backlinks"
    neovim.command(str(line))
    neovim.command("lua vim.lsp.codelens.run()")
    found = neovim.wait(neovim.locations, "the list of backlinks")
    assert sorted(entry.path for entry in found) == ["Sky/Log.md", "Sky/Telescope.md"]
    assert all("[[Collimation]]" in entry.text for entry in found)


def test_a_diagnostic_comes_and_goes(neovim: Neovim) -> None:
    neovim.open("Sky/Collimation.md")
    neovim.wait(lambda: neovim.diagnostics() == [], "a note without problems")
    neovim.keys("Go[[No such instrument]]<Esc>")
    [message] = neovim.wait(neovim.diagnostics, "the diagnostic")
    assert "No such instrument" in message
    neovim.keys("dd")
    neovim.wait(lambda: neovim.diagnostics() == [], "the diagnostic to go")


def test_what_others_write_to_disk_is_seen(neovim: Neovim) -> None:
    neovim.open("House/Budget 2025.md")
    neovim.wait(lambda: "Apple press" in str(neovim.diagnostics()), "the diagnostic")
    (neovim.vault / "House/Apple press.md").write_text("# Apple press\n\nA spindle of beech wood.\n", "utf-8")
    neovim.wait(lambda: "Apple press" not in str(neovim.diagnostics()), "the diagnostic to go")
    neovim.command("KnapperSearch spindle beech")
    first = neovim.wait(neovim.quickfix, "the hits")[0]
    assert first.path == "House/Apple press.md"
    assert "spindle" in first.text


def test_unsaved_text_is_found(neovim: Neovim) -> None:
    neovim.open("Sky/Collimation.md")
    neovim.keys("Goa zymurgical afterthought<Esc>")
    neovim.wait(lambda: "zymurgical" in neovim.line(), "the typing")
    neovim.command("KnapperSearch zymurgical")
    assert [hit.path for hit in neovim.wait(neovim.quickfix, "the hits")] == ["Sky/Collimation.md"]


def test_backlinks_and_status_have_commands(neovim: Neovim) -> None:
    neovim.open("Kitchen/Miso.md")
    neovim.command("KnapperBacklinks")
    found = neovim.wait(neovim.locations, "the backlinks")
    assert "Kitchen/Soup for twenty.md" in {entry.path for entry in found}
    neovim.command("KnapperStatus")
    neovim.wait(lambda: "knapper is ready" in neovim.messages(), "the status")


def _accept_first(neovim: Neovim) -> str:
    """Choose the first item of the menu; the line once the link is closed."""
    neovim.keys("<C-n><C-y>")
    neovim.wait(lambda: neovim.line().endswith("]]"), "the link")
    return neovim.line()
