"""The part of a vault that a question is about, as a test of paths.

Knows the index and the vault's links; must not know what is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from knapper.memory.asked import Memory, Scope
from knapper.vault.paths import NotePath, is_note, key, stem_of


@dataclass(frozen=True, slots=True)
class Scoped:
    """`hidden` is true of the notes that are not to be looked at, `empty` says why there are no others.

    `notes` are the numbers that the index has for those that are.
    """

    hidden: Callable[[NotePath], bool]
    notes: frozenset[int]
    empty: str = ""


def scoped(scope: Scope, memory: Memory) -> Scoped:
    """The notes of *scope* that may be looked at at all. Drawings and other files are no notes."""
    tests: list[Callable[[NotePath], bool]] = []
    said: list[str] = []
    if scope.note is not None:
        tests.append(_among((scope.note,)))
        said.append(f"in “{stem_of(scope.note)}”")
    if scope.linked is not None:
        tests.append(_among((scope.linked, *memory.linked(scope.linked))))
        said.append(f"linked with “{stem_of(scope.linked)}”")
    if scope.folder is not None and (folder := scope.folder.strip("/")):
        tests.append(_below(folder))
        said.append(f"in the folder “{folder}”")
    if scope.tag is not None and (tag := scope.tag.strip().lstrip("#").rstrip("/")):
        tests.append(_among(_tagged(tag, memory)))
        said.append(f"with the tag “{tag}”")

    def hidden(path: NotePath) -> bool:
        return not is_note(path) or not all(test(path) for test in tests) or memory.hidden(path)

    notes = memory.index.notes_where(lambda path: not hidden(path)) - memory.index.unseen()
    empty = "" if notes else f"There is no note {' and '.join(said)}.".replace(" .", " to look at.")
    return Scoped(hidden, notes, empty)


def _among(paths: Collection[NotePath]) -> Callable[[NotePath], bool]:
    keys = frozenset(map(key, paths))
    return lambda path: key(path) in keys


def _below(folder: str) -> Callable[[NotePath], bool]:
    start = f"{key(folder)}/"
    return lambda path: key(path).startswith(start)


def _tagged(tag: str, memory: Memory) -> list[NotePath]:
    notes = memory.index.notes_tagged(tag) - memory.index.unseen()
    return [facts.path for facts in memory.index.facts(notes).values()]
