"""A note that one remembers is found: by its title, and by a few words of one of its sentences."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.search.library import Library, library

EXAMPLE = Path(__file__).parents[2] / "examples" / "vault"
_SENTENCE = re.compile(r"^[A-Z][^\n\[|#]{60,}$", re.MULTILINE)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The example vault, indexed."""
    folder = tmp_path_factory.mktemp("known") / "vault"
    shutil.copytree(EXAMPLE, folder)
    made = library(folder, {})
    yield made
    made.reader.close()


def title(note: Path) -> str | None:
    """What a person would type who knows the note's name."""
    return note.stem


def remembered(note: Path) -> str | None:
    """Every other long word of the note's last long sentence, as one remembers it: six at most."""
    sentences = _SENTENCE.findall(note.read_text(encoding="utf-8"))
    words = re.findall(r"[^\W\d_]{4,}", sentences[-1]) if sentences else []
    return " ".join(words[::2][:6]) if len(words) > 6 else None


@pytest.mark.parametrize(("asked", "wanted"), [(title, 0.9), (remembered, 0.95)])
def test_a_remembered_note_is_found(
    example: Library, asked: Callable[[Path], str | None], wanted: float
) -> None:
    """The mean of one over the rank at which the note comes."""
    ranks = []
    for note in sorted(EXAMPLE.rglob("*.md")):
        if query := asked(note):
            found = example.found(query)
            path = note.relative_to(EXAMPLE).as_posix()
            ranks.append(1 / (found.index(path) + 1) if path in found else 0.0)

    assert len(ranks) > 20
    assert sum(ranks) / len(ranks) >= wanted
