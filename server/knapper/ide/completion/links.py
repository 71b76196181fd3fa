"""What is offered in a link: files, headings, blocks, each with the text that the link needs.

Joins those who find (`notes`, `headings`, `blocks`) with the pen that writes. Must not know how they do it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import unquote

from knapper.base.cancel import CancelToken
from knapper.ide.completion.blocks import FoundBlock, blocks_of_note, blocks_of_vault
from knapper.ide.completion.context import Destination, Part, Wikilink
from knapper.ide.completion.headings import FoundHeading, headings_of, headings_of_vault
from knapper.ide.completion.items import Choice, Offer
from knapper.ide.completion.notes import FoundName, find_names
from knapper.ide.completion.pen import DestinationPen, Pen
from knapper.ide.snapshot import Snapshot
from knapper.vault.paths import NotePath, is_note, linkable


@dataclass(frozen=True, slots=True)
class Asked:
    """Who completes a link and where: the line as it is, and the cursor's offset in the note."""

    snap: Snapshot
    path: NotePath
    line: str
    offset: int
    in_table: bool
    replaces: bool
    token: CancelToken


def in_wikilink(asked: Asked, link: Wikilink) -> Offer | None:
    """What can be written at the cursor of `[[…`, or None in a link whose note does not exist."""
    pen = Pen(asked.snap, asked.path, link, asked.line, asked.in_table, asked.replaces)
    if link.part is Part.NOTE:
        names = find_names(asked.snap, asked.path, link.query, embed=link.embed, token=asked.token)
        choices = [_note_choice(pen, name) for name in names if name.path is None or pen.can_write(name.path)]
        return Offer(pen.slot, choices, incomplete=True)
    if link.part is Part.ANY_HEADING:
        anywhere = headings_of_vault(asked.snap, asked.path, link.query, asked.token)
        return Offer(pen.slot, _heading_choices(pen, anywhere), incomplete=True)
    if link.part is Part.ANY_BLOCK:
        blocks = blocks_of_vault(asked.snap, asked.path, link.query, asked.offset, asked.token)
        return Offer(pen.slot, _block_choices(pen, blocks), incomplete=True)
    return _in_subpath(asked, pen, link.target, link.query, link.parents)


def in_destination(asked: Asked, link: Destination) -> Offer | None:
    """What can be written at the cursor of `[text](…`, or None in a link whose note does not exist."""
    pen = DestinationPen(asked.snap, asked.path, link, asked.replaces)
    query = unquote(link.query)
    if link.part is Part.NOTE:
        names = find_names(asked.snap, asked.path, query, embed=link.embed, token=asked.token)
        choices = [_note_choice(pen, name) for name in names if name.path is not None]
        return Offer(pen.slot, choices, incomplete=True)
    *parents, query = query.split("#")
    return _in_subpath(asked, pen, unquote(link.target), query, tuple(parents))


def _in_subpath(
    asked: Asked, pen: Pen | DestinationPen, target: str, query: str, parents: tuple[str, ...]
) -> Offer | None:
    snap, path = asked.snap, asked.path
    found = snap.resolve(path, target)
    if found is None:
        return None
    if pen.link.part is Part.HEADING:
        return Offer(pen.slot, _heading_choices(pen, headings_of(snap, found, query, parents)))
    blocks = blocks_of_note(snap, path, found, query, asked.offset)
    return Offer(pen.slot, _block_choices(pen, blocks))


def _note_choice(pen: Pen | DestinationPen, found: FoundName) -> Choice:
    if found.path is None:
        assert isinstance(pen, Pen), "only wikilinks are offered missing notes"
        return Choice(found.label, "unresolved", pen.unresolved(found.label), description="not created yet")
    new = pen.note(found.path, found.alias)
    kind = "alias" if found.alias else "note" if is_note(found.path) else "file"
    return Choice(
        found.label,
        kind,
        new,
        linkable(found.path),
        "alias" if found.alias else "",
        data={"path": found.path},
    )


def _heading_choices(pen: Pen | DestinationPen, headings: Iterable[FoundHeading]) -> list[Choice]:
    return [
        Choice(
            found.heading.text,
            "heading",
            pen.subpath(found.path, found.subpath, found.heading.text),
            linkable(found.path),
            f"H{found.heading.level}",
            data={"path": found.path, "subpath": found.subpath},
        )
        for found in headings
    ]


def _block_choices(pen: Pen | DestinationPen, blocks: Iterable[FoundBlock]) -> list[Choice]:
    return [
        Choice(
            found.label,
            "block",
            pen.subpath(found.path, f"^{found.id}"),
            linkable(found.path),
            "new id" if found.is_new else f"^{found.id}",
            found.extra_edits,
            found.command,
            {"path": found.path, "line": found.line},
        )
        for found in blocks
    ]
