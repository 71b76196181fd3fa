"""The link graph as a call hierarchy: backlinks come in, links go out."""

from __future__ import annotations

from collections.abc import Iterable

from knapper.ide.locate import locate
from knapper.ide.meaning import meaning_of, path_meant
from knapper.ide.preview import title_of
from knapper.ide.results import Call, CallItem
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Definition, Link
from knapper.text.span import Place
from knapper.vault.paths import NotePath


def prepare(snap: Snapshot, path: NotePath, offset: int) -> CallItem | None:
    """The note to begin with: the one that the link under the cursor leads to, else this one."""
    opened = snap.document(path)
    if opened is None:
        return None
    thing = locate(opened.parse, offset)
    if not isinstance(thing, Link | Definition):
        return _item(snap, path)
    meant = path_meant(meaning_of(snap, opened, thing))
    return _item(snap, meant) if meant else None


def incoming(snap: Snapshot, path: NotePath) -> list[Call]:
    """The notes that link to *path*, with the places of their links."""
    return _grouped(snap, ((link.source, link.link.place) for link in snap.backlinks(path)))


def outgoing(snap: Snapshot, path: NotePath) -> list[Call]:
    """The files that the note at *path* links to, with the places of the links in it."""
    note = snap.note(path)
    pairs = zip(note.links if note else (), snap.outgoing(path), strict=True)
    return _grouped(snap, ((target, link.place) for link, target in pairs if target not in {None, path}))


def _grouped(snap: Snapshot, links: Iterable[tuple[NotePath | None, Place]]) -> list[Call]:
    places: dict[NotePath, list[Place]] = {}
    for path, place in links:
        if path is not None:
            places.setdefault(path, []).append(place)
    return [Call(_item(snap, path), tuple(found)) for path, found in places.items()]


def _item(snap: Snapshot, path: NotePath) -> CallItem:
    return CallItem(path, title_of(snap, path), path)
