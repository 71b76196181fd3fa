"""What is shown beside a chosen item: the beginning of the note, section or block it links to.

Asked for one item at a time, so it may read a file. Must not know how items are made.
"""

from __future__ import annotations

from collections.abc import Mapping

from knapper.ide.meaning import BlockMeant, FileMeant, HeadingMeant
from knapper.ide.preview import preview, shortened
from knapper.ide.snapshot import Snapshot
from knapper.vault.note import NoteHeading
from knapper.vault.paths import NotePath
from knapper.vault.subpath import find_subpath


def documentation(snap: Snapshot, data: Mapping[str, object]) -> str:
    """Markdown for the `data` of an item; empty if there is nothing to show (any more).

    `{"path": "a.md"}` shows the note, with `"subpath": "Plan"` that section, with `"line": 7` the block
    that begins on that line.
    """
    path = NotePath(str(data.get("path", "")))
    if not snap.names.has(path):
        return ""
    line, subpath = data.get("line"), data.get("subpath")
    if isinstance(line, int):
        return _block_at(snap, path, line)
    if not isinstance(subpath, str):
        return preview(snap, FileMeant(path))
    note = snap.note(path)
    found = find_subpath(note, subpath, markdown=False) if note else None
    if found is None:
        return ""
    return preview(
        snap, HeadingMeant(path, found) if isinstance(found, NoteHeading) else BlockMeant(path, found)
    )


def _block_at(snap: Snapshot, path: NotePath, line: int) -> str:
    """The text from *line* on, up to the next empty line."""
    text = snap.text(path)
    if text is None or line >= text.line_count():
        return ""
    end = next((n for n in range(line, text.line_count()) if not text.line(n).strip()), text.line_count())
    return shortened("\n".join(text.line(n) for n in range(line, end)))
