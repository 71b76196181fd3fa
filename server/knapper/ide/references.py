"""Everything that means the same as what the cursor is on.

Answers about closed notes come from the places that the view holds: no file is read, and the work is
that of the links to one note, whatever the size of the vault.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from knapper.base.cancel import CancelToken
from knapper.ide.meaning import (
    BlockMeant,
    FileMeant,
    FileMissing,
    FootnoteMeant,
    HeadingMeant,
    Meaning,
    PartMissing,
    TagMeant,
    meaning_at,
    part_meaning,
)
from knapper.ide.open_note import OpenNote
from knapper.ide.results import Location
from knapper.ide.snapshot import Snapshot
from knapper.text.span import START
from knapper.vault.paths import NotePath, key
from knapper.vault.view import Backlink


def references(
    snap: Snapshot,
    path: NotePath,
    offset: int,
    *,
    declaration: bool = False,
    token: CancelToken | None = None,
) -> list[Location]:
    """The places that mean what the cursor is on, by path and place; with *declaration* where it is, too."""
    meaning = meaning_at(snap, path, offset)
    if meaning is None:
        return []
    if isinstance(meaning, FootnoteMeant):
        return _footnotes(snap.document(path), meaning, declaration=declaration)
    found = list(references_of(snap, meaning, token or CancelToken()))
    if declaration and (declared := declared_at(meaning)):
        found.append(declared)
    return sorted(found, key=attrgetter("path", "place"))


def references_to(snap: Snapshot, path: NotePath, subpath: str | None) -> list[Location]:
    """The links to a note, heading or block: what a lens with this subpath counts.

    For a whole note these are its backlinks: links from the note to itself are left out.
    """
    meaning = part_meaning(snap, path, subpath)
    if subpath is None:
        return [Location(backlink.source, backlink.link.place) for backlink in snap.backlinks(path)]
    return list(references_of(snap, meaning, CancelToken()))


def references_of(snap: Snapshot, meaning: Meaning, token: CancelToken) -> Iterator[Location]:
    """Every place in the vault that means *meaning*, in no order."""
    match meaning:
        case FileMeant(path):
            links = (link for link in snap.links_to(path) if link.link.target)
            yield from (Location(link.source, link.link.place) for link in links)
        case HeadingMeant(path) | BlockMeant(path) | PartMissing(path):
            yield from (Location(link.source, link.link.place) for link in links_meaning(snap, path, meaning))
        case FileMissing(name):
            yield from (Location(link.source, link.link.place) for link in snap.links_to_missing(name))
        case TagMeant(name):
            yield from _tags(snap, name, token)


def links_meaning(
    snap: Snapshot, path: NotePath, meaning: HeadingMeant | BlockMeant | PartMissing
) -> Iterator[Backlink]:
    """The links to one part of the note at *path*."""
    known: dict[tuple[str | None, bool], Meaning] = {}  # a hub's links share a few subpaths
    for backlink in snap.links_to(path):
        part = (backlink.link.subpath, backlink.link.markdown)
        if part not in known:
            known[part] = part_meaning(snap, path, part[0], markdown=part[1])
        if known[part] == meaning:
            yield backlink


def declared_at(meaning: Meaning) -> Location | None:
    """Where the thing itself stands, if it stands anywhere."""
    match meaning:
        case FileMeant(path):
            return Location(path, START)
        case HeadingMeant(path, heading):
            return Location(path, heading.place)
        case BlockMeant(path, block):
            return Location(path, block.place)
    return None


def _tags(snap: Snapshot, name: str, token: CancelToken) -> Iterator[Location]:
    known: dict[str, bool] = {}  # many notes share few tags
    use = snap.view.tags.get(name)
    for path in {*(use.notes if use else ()), *snap.open_notes}:
        token.check()
        note = snap.note(path)
        for tag in note.tags if note and path in snap.names else ():
            if tag.name not in known:
                known[tag.name] = is_below(tag.name, name)
            if known[tag.name]:
                yield Location(path, tag.place)


def is_below(tag: str, name: str) -> bool:
    """Whether *tag*, as written, is the tag *name* (folded) or one below it, as `A/b` is below `a`."""
    return f"{key(tag)}/".startswith(f"{name}/")


def _footnotes(opened: OpenNote | None, meaning: FootnoteMeant, *, declaration: bool) -> list[Location]:
    if opened is None:
        return []
    return [
        Location(opened.path, opened.place(footnote.span))
        for footnote in opened.parse.footnotes
        if key(footnote.id) == meaning.id and (declaration or footnote.body is None)
    ]
