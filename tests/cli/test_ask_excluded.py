"""Nothing is sent while the files that say what is excluded are damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_ask import HELD, choose, own_machine
from tests.cli.transcript import run
from tests.models.providers.streams import chat
from tests.models.providers.wire import stream, wire

__all__ = ["own_machine"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (".obsidian/app.json", '{"userIgnoreFilters": ["Bread'),
        (".knapper.toml", "[index"),
        (".knapper.toml", '[index]\nexclude = ["/[/"]\n'),
        (".knapper.toml", '[index]\nexclude = "Bread.md"\n'),
    ],
)
def test_nothing_is_sent_while_it_cannot_be_known_what_is_excluded(file: str, text: str, vault: Path) -> None:
    (vault / file).write_text(text)
    with wire(stream(chat(HELD))) as server:
        choose(server)
        result = run(vault, "ask", "how do I feed the sourdough starter?")

        assert server.received == []
    assert "Feed the sourdough starter. [1]" in result.stdout
    assert "It cannot be known which notes are excluded, so nobody was asked" in result.stderr
