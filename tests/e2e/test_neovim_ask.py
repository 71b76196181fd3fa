"""Questions in real Neovim, answered by a real server on this machine that speaks a provider's format."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.neovim import PROJECT, Neovim
from tests.e2e.validate import problems_in
from tests.e2e.writer import Sentence, Stop, settings, writer
from tests.models.providers.wire import Silence, Wire, document, wire

QUESTION = "How long do flat breads take in the wood oven?"
FLAT = Sentence("Flat breads take two minutes at 350 °C [?].\n", "350 °C flat breads, two minutes")
EMBERS = Sentence("Rake out the embers, then mop the floor with a wet rag [?].\n", "Rake out the embers")
FIRST, SECOND = FLAT.text.replace("?", "1"), EMBERS.text.replace("?", "2")


@pytest.fixture
def neovim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Neovim]:
    """Neovim on a fresh copy of the example vault; at the end every message must have been valid."""
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    monkeypatch.delenv("KNAPPER_API_KEY", raising=False)
    vault = shutil.copytree(PROJECT / "examples/vault", tmp_path.resolve() / "vault")
    editor = Neovim(vault, tmp_path)
    try:
        yield editor
    finally:
        editor.quit()
    assert problems_in(editor.recording) == []


def answered_by(neovim: Neovim, server: Wire) -> None:
    """Have *server* write the answers; before the editor's server starts."""
    file = neovim.recording.parent / "xdg_config_home/knapper/config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(settings(server), "utf-8")


def test_an_answer_is_seen_while_it_is_written_and_its_citation_followed(neovim: Neovim) -> None:
    stop = Stop()
    with writer([FLAT, "Rake ", stop, EMBERS._replace(text=EMBERS.text.removeprefix("Rake "))]) as server:
        answered_by(neovim, server)
        neovim.open("Kitchen/Bread.md")
        neovim.command(f"KnapperAsk {QUESTION}")
        neovim.wait(lambda: FIRST.strip() in neovim.text(), "the first words")
        early = neovim.text()
        stop.seen.set()
        neovim.wait(lambda: "## Sources" in neovim.text(), "the sources")
        whole = neovim.text()
    neovim.keys("/two minutes at<CR><CR>")
    neovim.wait(lambda: neovim.place()[0] == "Kitchen/Wood oven.md", "the passage")

    assert early == f"# {QUESTION}\n\n{FIRST}\n*Asking {server.host} …*"
    assert whole.startswith(f"# {QUESTION}\n\n{FIRST}{SECOND}\n## Sources\n\n[1] Kitchen/Wood oven.md:")
    assert f"- Written by m at {server.host}, which was sent passages of " in whole
    assert neovim.line() == "- 350 °C flat breads, two minutes"


def test_a_selection_is_asked_about_and_the_source_is_opened_beside_the_answer(neovim: Neovim) -> None:
    neovim.open("Kitchen/Bread.md")
    neovim.keys("Gohow hot is the wood oven for flat breads<Esc>V:KnapperAsk<CR>")
    neovim.wait(lambda: "## Sources" in neovim.text(), "the answer")
    answer = neovim.text()
    neovim.keys("/^\\[1\\]<CR><CR>")
    neovim.wait(lambda: neovim.place()[0].endswith(".md"), "the passage")

    assert answer.startswith("# how hot is the wood oven for flat breads\n\n")
    assert f"[1] {neovim.place()[0]}:{neovim.place()[1]}" in answer
    assert neovim.lua("return #vim.api.nvim_tabpage_list_wins(0)") == 2


def test_an_action_asks_about_a_heading(neovim: Neovim) -> None:
    neovim.open("Kitchen/Wood oven.md")
    neovim.keys("/^## Firing<CR>")
    neovim.wait(lambda: neovim.line() == "## Firing", "the heading")
    chosen = "function(a) return a.title == 'Ask memory about this' end"
    neovim.lua(f"vim.lsp.buf.code_action({{ apply = true, filter = {chosen} }})")
    neovim.wait(lambda: "## Sources" in neovim.text(), "the answer")

    assert neovim.text().startswith("# Wood oven: Firing\n\n")


def test_a_question_follows_another_and_the_answer_becomes_a_note(neovim: Neovim) -> None:
    with writer([FLAT], [EMBERS]) as server:
        answered_by(neovim, server)
        neovim.open("Kitchen/Bread.md")
        neovim.command(f"KnapperAsk {QUESTION}")
        neovim.wait(lambda: "## Sources" in neovim.text(), "the answer")
        neovim.command("KnapperAskMore what is done with the embers of the wood oven before?")
        neovim.wait(lambda: neovim.text().count("## Sources") == 2, "the second answer")
        talk = neovim.text()
        second = server.received[1].body.decode()
        neovim.command("KnapperAskSave Embers")
        neovim.wait(lambda: neovim.place()[0].endswith("Embers.md"), "the note")
        note = neovim.wait(neovim.text, "its text")

    assert talk.index(FIRST) < talk.index("# what is done with the embers") < talk.index("Rake out the")
    assert QUESTION in second
    assert "two minutes" in second
    assert note.startswith("---\ntitle: ")
    assert "[[Wood oven" in note
    assert "Rake out the embers" in note


def test_a_running_answer_is_stopped_and_what_has_come_stays(neovim: Neovim) -> None:
    with writer([FLAT, "Before", Silence()]) as server:
        answered_by(neovim, server)
        neovim.open("Kitchen/Bread.md")
        neovim.command(f"KnapperAsk {QUESTION}")
        neovim.wait(lambda: FIRST.strip() in neovim.text(), "the first words")
        neovim.keys("<C-c>")
        neovim.wait(lambda: "*Stopped.*" in neovim.text(), "the end")
        hung_up = server.hung_up.wait(10)

    assert hung_up
    assert neovim.text() == f"# {QUESTION}\n\n{FIRST}\n*Stopped.*"


def test_an_answer_that_is_closed_is_not_written_on(neovim: Neovim) -> None:
    with writer([FLAT, "Before", Silence()]) as server:
        answered_by(neovim, server)
        neovim.open("Kitchen/Bread.md")
        neovim.command(f"KnapperAsk {QUESTION}")
        neovim.wait(lambda: FIRST.strip() in neovim.text(), "the first words")
        neovim.command("bwipeout")
        hung_up = server.hung_up.wait(10)

    assert hung_up
    assert neovim.place()[0] == "Kitchen/Bread.md"
    assert "Error" not in neovim.messages()


def test_what_is_wrong_is_said_where_the_answer_would_be(neovim: Neovim) -> None:
    with wire(document(401, {"error": {"message": "no"}})) as server:
        answered_by(neovim, server)
        neovim.open("Kitchen/Bread.md")
        neovim.command(f"KnapperAsk {QUESTION}")
        neovim.wait(lambda: "wants a key" in neovim.text(), "the trouble")

    assert neovim.text() == (
        f"# {QUESTION}\n\n{server.host} wants a key: put it into KNAPPER_API_KEY,"
        " or `knapper provider set` sets one."
    )


def test_a_dry_run_shows_what_would_be_sent(neovim: Neovim) -> None:
    with writer([FLAT]) as server:
        answered_by(neovim, server)
        neovim.open("Kitchen/Bread.md")
        neovim.command(f"KnapperAsk! {QUESTION}")
        neovim.wait(lambda: "## Passages" in neovim.text(), "the dry run")
        received = list(server.received)

    assert received == []
    assert f"Nothing was sent. {server.host} would be sent about " in neovim.text()
    assert "flat breads, two minutes" in neovim.text()
