"""An index in a folder, written by hand from texts."""

from __future__ import annotations

from pathlib import Path

from knapper.index.apply import Timings, entry_of
from knapper.store.rows import Entry, FileState
from knapper.store.writer import Writer
from knapper.vault.names import Names
from knapper.vault.paths import NotePath

STATE = FileState(10, 1_700_000_000_123_456_789, 5)


def entry(path: str, text: str, *others: str) -> Entry:
    """The rows of a note in a vault that also has these files."""
    names = Names.of(NotePath(other) for other in (path, *others))
    return entry_of(NotePath(path), text, STATE, names, Timings()).with_digest("digest")


def written(folder: Path, **notes: str) -> Writer:
    """A new index with these notes, by their names without `.md`."""
    writer = Writer(folder / "index.db", "server", root="/vault")
    put(writer, **notes)
    return writer


def put(writer: Writer, **notes: str) -> None:
    """Commit these notes, all of them at once."""
    paths = [f"{name}.md" for name in notes]
    with writer.commit():
        writer.put_files({NotePath(path): STATE for path in paths})
        for name, text in notes.items():
            writer.put_note(entry(f"{name}.md", text, *paths), STATE)
