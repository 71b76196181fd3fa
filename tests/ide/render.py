"""Results of the features as a person would see them."""

from __future__ import annotations

from collections.abc import Iterable

from knapper.ide.results import CreateFile, Edit, Location
from knapper.ide.snapshot import Snapshot
from knapper.text.span import START, Place
from knapper.vault.paths import NotePath


def shown(snap: Snapshot, locations: Iterable[Location]) -> list[str]:
    """Each location as `path`, or as `path:line text`, lines counted from 1."""
    return [
        location.path
        if location.place == START
        else f"{location.path}:{location.place.line + 1} {said(snap, location.path, location.place)}"
        for location in locations
    ]


def said(snap: Snapshot, path: NotePath, place: Place) -> str:
    """The text of the file at *place*, line breaks written as blanks."""
    text = snap.text(path)
    assert text is not None
    return text.span(place).of(text.content).replace("\n", " ").strip()


def applied(snap: Snapshot, edits: Iterable[Edit]) -> dict[str, str]:
    """The files that *edits* change, as they are then."""
    after: dict[str, str] = {}
    for edit in edits:
        if isinstance(edit, CreateFile):
            after[edit.path] = edit.text
            continue
        text = snap.text(edit.path)
        assert text is not None
        assert edit.version == snap.version(edit.path)
        content = text.content
        for change in sorted(edit.edits, key=lambda change: change.place, reverse=True):
            span = text.span(change.place)
            content = content[: span.start] + change.new + content[span.end :]
        after[edit.path] = content
    return after
