"""Blocks to link to: of one note behind `#^`, of the vault behind `^^`.

A block without an id gets one when it is chosen: in the note itself by a further edit of the item, in
another note by a command, which `write_block_id` turns into an edit of that note as it is then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from knapper.base.cancel import CancelToken
from knapper.ide.completion.block_ids import Block, blocks_of, id_edit, new_id, shown
from knapper.ide.completion.items import LIMIT, SEARCHED
from knapper.ide.completion.match import folded, matching, tier
from knapper.ide.completion.near import near_notes, nearness
from knapper.ide.completion.tables import tables_of
from knapper.ide.results import Command, FileEdit, TextEdit
from knapper.ide.snapshot import Snapshot
from knapper.markup.parse import parse
from knapper.text.fold import name_fold
from knapper.text.lines import Text
from knapper.vault.paths import NotePath, is_note

WRITE_BLOCK_ID = "knapper.writeBlockId"
_BOUND = 400
_READ = 40_000  # characters of closed notes looked at for blocks without an id, in one answer


@dataclass(frozen=True, slots=True)
class FoundBlock:
    """A block, the id to link to, and what has to happen so that it has that id."""

    path: NotePath
    label: str
    id: str
    is_new: bool
    line: int
    extra_edits: tuple[TextEdit, ...] = ()
    command: Command | None = None


def blocks_of_note(
    snap: Snapshot, source: NotePath, path: NotePath, query: str, offset: int
) -> list[FoundBlock]:
    """The blocks of the note at *path* that answer *query*; the one at *offset* of *source* is left out."""
    text = snap.text(path) if is_note(path) else None
    if text is None:
        return []
    blocks: Iterable[Block] = _blocks(snap, path, text)
    if path == source:
        blocks = [block for block in blocks if not block.own.holds(offset)]
    found = matching(query, blocks, lambda block: f"{block.label} {block.id or ''}")
    return _identified(snap, source, path, text, found[: LIMIT + 1])


def blocks_of_vault(
    snap: Snapshot, source: NotePath, query: str, offset: int, token: CancelToken
) -> list[FoundBlock]:
    """Blocks of all notes that answer *query*: all that have an id, and of the nearest notes the others.

    Blocks without an id are in no index; reading every note for them would take seconds.
    """
    ranked: list[tuple[tuple[bool, int, float], FoundBlock]] = []
    near, wanted = nearness(snap, source), name_fold(query).strip()

    def offer(found: FoundBlock) -> None:
        grade = tier(wanted, folded(f"{found.label} {found.id}")) if wanted else 0
        if grade is not None:
            excluded = snap.view.is_excluded(found.path)
            ranked.append(((excluded, grade, -near.part_of(found.path) - 0.1 * (not found.is_new)), found))

    looked_at = _nearest(snap, source)
    for path in looked_at:
        token.check()
        for found in blocks_of_note(snap, source, path, query, offset):
            offer(found)
    for found in _named_blocks(snap, query, token):
        if found.path not in looked_at:
            offer(found)
    ranked.sort(key=lambda item: item[0])
    return [found for _, found in ranked[:SEARCHED]]


def write_block_id(snap: Snapshot, arguments: Mapping[str, object]) -> FileEdit | None:
    """The edit that a chosen block still needs, or None: it has the id already, or it is gone.

    *arguments* are those of the item's command: `path`, `id`, `digest` of the block's text and `line`
    where it was. The block is looked for again, because the note may have changed since.
    """
    path, name = NotePath(str(arguments.get("path"))), str(arguments.get("id"))
    text = snap.text(path) if snap.names.has(path) else None
    if text is None:
        return None
    line = arguments.get("line")
    at = line if isinstance(line, int) else 0
    same = [
        block
        for block in _blocks(snap, path, text)
        if block.id is None and block.digest(text.content) == arguments.get("digest")
    ]
    if not same:
        return None
    block = min(same, key=lambda block: abs(text.line_of(block.span.start) - at))
    return FileEdit(path, (id_edit(text, block, name),), snap.version(path))


def _nearest(snap: Snapshot, source: NotePath) -> list[NotePath]:
    """The notes whose every block is offered: the open ones, and near ones as far as reading is quick."""
    found = [source, *(path for path in snap.overlays if path != source)]
    read = 0
    for path in near_notes(snap, source, 20):
        note = snap.view.notes.get(path)
        if note and path not in found and read + note.size <= _READ:
            read += note.size
            found.append(path)
    return found


def _named_blocks(snap: Snapshot, query: str, token: CancelToken) -> Iterator[FoundBlock]:
    for _, place in tables_of(snap.view).blocks.search(query, _BOUND, token):
        note = snap.view.notes.get(place.path)
        if note and place.path not in snap.overlays:
            block = note.blocks[place.index]
            yield FoundBlock(place.path, shown(block.text) or block.id, block.id, False, block.block.line)


def _blocks(snap: Snapshot, path: NotePath, text: Text) -> tuple[Block, ...]:
    if opened := snap.overlays.get(path):
        return blocks_of(text.content, opened.parse)
    return _blocks_of_closed(text.content)


@lru_cache(maxsize=32)
def _blocks_of_closed(content: str) -> tuple[Block, ...]:
    return blocks_of(content, parse(content))


def _identified(
    snap: Snapshot, source: NotePath, path: NotePath, text: Text, blocks: Iterable[Block]
) -> list[FoundBlock]:
    taken = {block.id for block in _blocks(snap, path, text) if block.id}
    found = []
    for block in blocks:
        line = text.line_of(block.span.start)
        if block.id:
            found.append(FoundBlock(path, block.label or block.id, block.id, False, line))
            continue
        name = new_id(block.own.of(text.content), taken)
        taken.add(name)
        if path == source:
            found.append(FoundBlock(path, block.label, name, True, line, (id_edit(text, block, name),)))
        else:
            arguments = {"path": path, "id": name, "digest": block.digest(text.content), "line": line}
            command = Command(WRITE_BLOCK_ID, arguments)
            found.append(FoundBlock(path, block.label, name, True, line, command=command))
    return found
