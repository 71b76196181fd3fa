"""Headings to link to: of one note behind `#`, nested ones behind `#A#`, of the whole vault behind `##`.

Knows the headings of notes and how a link names one; must not know how the link is written around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knapper.base.cancel import CancelToken
from knapper.ide.completion.items import SEARCHED
from knapper.ide.completion.match import folded, matching, tier
from knapper.ide.completion.near import near_notes, nearness
from knapper.ide.completion.tables import tables_of
from knapper.ide.snapshot import Snapshot
from knapper.markup.heading import linkable_heading, strip_heading
from knapper.text.fold import name_fold
from knapper.vault.note import Note, NoteHeading
from knapper.vault.paths import NotePath
from knapper.vault.subpath import find_subpath

_BOUND = 400  # headings of the vault that are ranked; of more the first matches say enough


@dataclass(frozen=True, slots=True)
class FoundHeading:
    """A heading and what a link writes behind `#` to mean it.

    It is `Minecraft The Game`, or `B#Notes` where another heading `Notes` comes first.
    """

    path: NotePath
    heading: NoteHeading
    subpath: str


def headings_of(
    snap: Snapshot, path: NotePath, query: str, parents: Sequence[str] = ()
) -> list[FoundHeading]:
    """The headings of one note that answer *query*, below the nested *parents*; best first."""
    note = snap.note(path)
    if note is None:
        return []
    below = _below(note, parents)
    found = matching(query, below, lambda index: note.headings[index].text)
    return [named for index in found if (named := _named(note, index, parents))]


def headings_of_vault(snap: Snapshot, path: NotePath, query: str, token: CancelToken) -> list[FoundHeading]:
    """The headings of all notes that answer *query*: the best match first, then the nearest note."""
    if not query.strip():
        return _headings_nearby(snap, path)
    near, wanted = nearness(snap, path), name_fold(query).strip()
    ranked: list[tuple[tuple[bool, int, float], Note, int]] = []
    for line, place in tables_of(snap.view).headings.search(query, _BOUND, token):
        note = snap.view.notes.get(place.path)
        if note and place.path not in snap.overlays:
            rank = (snap.view.is_excluded(place.path), tier(wanted, line) or 0, -near.part_of(place.path))
            ranked.append((rank, note, place.index))
    for opened in snap.overlays.values():
        for index, heading in enumerate(opened.note.headings):
            grade = tier(wanted, folded(heading.text))
            if grade is not None:
                ranked.append(((False, grade, -near.part_of(opened.path)), opened.note, index))
    ranked.sort(key=lambda item: item[0])
    return [named for _, note, index in ranked[:SEARCHED] if (named := _named(note, index, ()))]


def _headings_nearby(snap: Snapshot, path: NotePath) -> list[FoundHeading]:
    found: list[FoundHeading] = []
    for other in dict.fromkeys([path, *near_notes(snap, path, SEARCHED)]):
        if len(found) >= SEARCHED:
            break
        found += headings_of(snap, other, "")
    return found


def _below(note: Note, parents: Sequence[str]) -> range:
    """Which headings lie in the section that the *parents* name, all of them without parents."""
    first, last = 0, len(note.headings)
    for parent in parents:
        wanted = strip_heading(parent)
        at = next((n for n in range(first, last) if strip_heading(note.headings[n].text) == wanted), None)
        if at is None:
            return range(0)
        level = note.headings[at].level
        first = at + 1
        last = next((n for n in range(first, last) if note.headings[n].level <= level), last)
    return range(first, last)


def _named(note: Note, index: int, parents: Sequence[str]) -> FoundHeading | None:
    """The heading with a subpath that means it and not an earlier one of the same text."""
    heading = note.headings[index]
    name = linkable_heading(heading.text)
    if not name:
        return None
    typed = "".join(f"{parent}#" for parent in parents)
    if parents or find_subpath(note, name, markdown=False) == heading:
        return FoundHeading(note.path, heading, typed + name)
    chain = name
    for parent in _ancestors(note, index):
        chain = f"{linkable_heading(parent.text)}#{chain}"
        if find_subpath(note, chain, markdown=False) == heading:
            return FoundHeading(note.path, heading, chain)
    return FoundHeading(note.path, heading, name)


def _ancestors(note: Note, index: int) -> list[NoteHeading]:
    """The headings above the one at *index*, the nearest first."""
    found: list[NoteHeading] = []
    level = note.headings[index].level
    for heading in reversed(note.headings[:index]):
        if heading.level < level:
            found.append(heading)
            level = heading.level
    return found
