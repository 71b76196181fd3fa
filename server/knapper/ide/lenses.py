"""How many backlinks a note, and each of its linked headings and blocks, has."""

from __future__ import annotations

from collections import Counter

from knapper.ide.hover import counted
from knapper.ide.meaning import BlockMeant, HeadingMeant, Meaning, part_meaning
from knapper.ide.results import Lens
from knapper.ide.sections import subpaths
from knapper.ide.snapshot import Snapshot
from knapper.text.span import START, Place
from knapper.vault.paths import NotePath


def lenses(snap: Snapshot, path: NotePath) -> list[Lens]:
    """The lenses of the note at *path*: one on the first line, one at each linked heading and block."""
    note = snap.note(path)
    if note is None or not snap.settings["lens.backlinks"]:
        return []
    whole, parts = _counts(snap, path)
    found = [Lens(START, counted(whole, "backlink"), whole)] if whole else []
    for heading, subpath in zip(note.headings, subpaths(note), strict=True):
        if count := parts[HeadingMeant(path, heading)]:
            title = f"{counted(count, 'backlink')} to this heading"
            found.append(Lens(_line(heading.place), title, count, subpath))
    for block in note.blocks:
        if count := parts[BlockMeant(path, block)]:
            title = f"{counted(count, 'backlink')} to this block"
            found.append(Lens(_line(block.block), title, count, f"^{block.id}"))
    return sorted(found, key=lambda lens: (lens.place, lens.subpath is not None))


def _counts(snap: Snapshot, path: NotePath) -> tuple[int, Counter[Meaning]]:
    """The links from other notes, and all links to each part, in one walk through them."""
    whole = 0
    by_subpath: Counter[tuple[str, bool]] = Counter()
    for source, link in snap.links_to(path):
        whole += source != path
        if link.subpath:
            by_subpath[link.subpath, link.markdown] += 1
    parts: Counter[Meaning] = Counter()
    for (subpath, markdown), count in by_subpath.items():
        parts[part_meaning(snap, path, subpath, markdown=markdown)] += count
    return whole, parts


def _line(place: Place) -> Place:
    return Place(place.line, 0, place.line, 0)
