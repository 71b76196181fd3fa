"""Tags to write: those of the vault, as the open notes have them now.

Knows how often each tag stands in the vault; must not know whether a hash is written before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from knapper.ide.completion.match import folded, tier
from knapper.ide.completion.tables import tables_of
from knapper.ide.snapshot import Snapshot
from knapper.markup.tags import is_tag
from knapper.text.fold import name_fold
from knapper.vault.paths import NotePath, key
from knapper.vault.tally import tag_and_parents


@dataclass(frozen=True, slots=True)
class KnownTag:
    """A tag with how often it stands in the vault, tags below it included."""

    name: str
    count: int


def known_tags(snap: Snapshot, path: NotePath, offset: int, query: str) -> list[KnownTag]:
    """The tags that answer *query*: the best match first, of equal ones the most frequent.

    The tag that is being typed at *offset* does not count itself.
    """
    changes, new = _unsaved(snap, path, offset)
    wanted = name_fold(query).strip()
    found: list[tuple[int, int, str]] = []
    tags = tables_of(snap.view).tags
    for name, (text, display, count) in tags.items():
        grade = tier(wanted, text)
        left = count + changes[name] if name in changes else count
        if grade is not None and left > 0:
            found.append((grade, -left, display))
    for name, display in new.items():
        grade = tier(wanted, folded(display))
        if grade is not None and name not in tags and changes[name] > 0:
            found.append((grade, -changes[name], display))
    found.sort()
    return [KnownTag(display, -count) for _, count, display in found if is_tag(display)]


def _unsaved(snap: Snapshot, path: NotePath, offset: int) -> tuple[Counter[str], dict[str, str]]:
    """How the open notes change the counts of the saved ones, by folded name, and how tags are spelled."""
    changes: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for opened in snap.overlays.values():
        saved = snap.view.notes.get(opened.path)
        before = [tag.name for tag in saved.tags] if saved else []
        after = [tag.name for tag in opened.parse.tags if opened.path != path or not tag.span.holds(offset)]
        if before != after:
            changes.subtract(_counted(before))
            changes.update(_counted(after))
            for name in after:
                for each in tag_and_parents(name):
                    spelled.setdefault(key(each), each)
    return changes, spelled


def _counted(names: Iterable[str]) -> Counter[str]:
    return Counter(key(each) for name in names for each in tag_and_parents(name))
