"""Where a link leads: the start of a note or file, a heading, a block; between footnotes and their uses."""

from __future__ import annotations

from datetime import date

from knapper.ide.locate import locate
from knapper.ide.meaning import BlockMeant, FileMeant, HeadingMeant, Meaning, PartMissing, meaning_of
from knapper.ide.open_note import OpenNote
from knapper.ide.results import Location
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Footnote, Property
from knapper.text.span import START
from knapper.vault.daily import daily_note_path
from knapper.vault.paths import NotePath


def definition(snap: Snapshot, path: NotePath, offset: int) -> list[Location]:
    """Where to go from the cursor; nowhere from what leads out of the vault or to what is missing.

    The whole link leads to its heading or block, whichever half the cursor is in. If only the heading is
    missing, the note is still a place to go.
    """
    opened = snap.document(path)
    thing = locate(opened.parse, offset) if opened else None
    if opened is None or thing is None:
        return []
    if isinstance(thing, Footnote):
        return _counterparts(opened, thing)
    if isinstance(thing, Property):
        return _daily_note(snap, opened, thing, offset)
    found = location_of(meaning_of(snap, opened, thing))
    return [found] if found else []


def location_of(meaning: Meaning | None) -> Location | None:
    """The place that *meaning* has in the vault."""
    match meaning:
        case FileMeant(path) | PartMissing(path):
            return Location(path, START)
        case HeadingMeant(path, heading):
            return Location(path, heading.place)
        case BlockMeant(path, block):
            return Location(path, block.block)
    return None


def _daily_note(snap: Snapshot, opened: OpenNote, item: Property, offset: int) -> list[Location]:
    """A date in a property leads to the daily note of that day, as in Obsidian, if there is one."""
    if item.kind not in {"date", "datetime"}:
        return []
    for value, span in zip(item.values, item.value_spans, strict=True):
        if span.holds(offset) and (day := _day(value)):
            path = snap.names.exact(daily_note_path(snap.view.obsidian, day))
            return [Location(path, START)] if path and path != opened.path else []
    return []


def _day(value: str) -> date | None:
    try:
        return date.fromisoformat(value[:10])
    except ValueError:
        return None


def _counterparts(opened: OpenNote, footnote: Footnote) -> list[Location]:
    """Of a use its definition, of a definition its uses."""
    same = (other for other in opened.parse.footnotes if other.id.casefold() == footnote.id.casefold())
    return [
        Location(opened.path, opened.place(other.span))
        for other in same
        if (other.body is None) != (footnote.body is None)
    ]
