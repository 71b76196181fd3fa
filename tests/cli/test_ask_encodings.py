"""Notes answer on the command line in whatever encoding; what lies outside the vault does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.transcript import run

NOTE = "# Glaze\n\nThe café glaze melts at cone six.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_a_note_answers_in_whatever_encoding(encoding: str, vault: Path) -> None:
    (vault / "Glaze.md").write_bytes(NOTE.encode(encoding))
    result = run(vault, "ask", "when does the glaze melt?")

    assert "glaze melts at cone six. [1]" in result.stdout
    assert result.exit_code == 0


def test_a_note_that_has_become_a_link_out_of_the_vault_does_not_answer(vault: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(NOTE)
    (vault / "Glaze.md").symlink_to(outside)

    assert "cone six" not in run(vault, "ask", "when does the glaze melt?").output
