"""The places in one note that mean the same as what the cursor is on."""

from __future__ import annotations

from collections.abc import Iterator

from knapper.ide.meaning import (
    BlockMeant,
    FileMeant,
    FootnoteMeant,
    HeadingMeant,
    Meaning,
    TagMeant,
    link_meaning,
    link_of,
    meaning_at,
    path_meant,
)
from knapper.ide.open_note import OpenNote
from knapper.ide.references import is_below
from knapper.ide.snapshot import Snapshot
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath, key


def highlights(snap: Snapshot, path: NotePath, offset: int) -> list[Place]:
    """What lights up with the cursor at *offset*, in the order of the text."""
    opened = snap.document(path)
    meaning = meaning_at(snap, path, offset)
    if opened is None or meaning is None:
        return []
    spans: Iterator[Span]
    match meaning:
        case TagMeant(name):
            spans = (tag.span for tag in opened.parse.tags if is_below(tag.name, name))
        case FootnoteMeant(identity):
            spans = (note.span for note in opened.parse.footnotes if key(note.id) == identity)
        case _:
            spans = _links(snap, opened, meaning)
    places = {opened.place(span) for span in spans}
    if isinstance(meaning, HeadingMeant) and meaning.path == path:
        places.add(meaning.heading.place)
    if isinstance(meaning, BlockMeant) and meaning.path == path:
        places.add(meaning.block.place)
    return sorted(places)


def _links(snap: Snapshot, opened: OpenNote, meaning: Meaning) -> Iterator[Span]:
    """The links with this meaning; for a whole note also those to its parts. Definitions count."""
    links = [*opened.parse.links, *(link_of(item) for item in opened.parse.definitions if not item.external)]
    for link in links:
        found = link_meaning(snap, opened.path, link)
        if found == meaning or (
            isinstance(meaning, FileMeant) and link.target and path_meant(found) == meaning.path
        ):
            yield link.span
