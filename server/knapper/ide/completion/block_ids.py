"""The blocks of a note that a link can lead to, and the edit that gives one an id.

Knows where Obsidian wants an id: behind a paragraph or a list item, on a line of its own below a table, a
quotation or code. Must not know who asks.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from knapper.ide.results import TextEdit
from knapper.markup.note import Parse, Region
from knapper.text.lines import Text
from knapper.text.span import Span

_INLINE = ("paragraph", "item")
_STANDING = ("table", "quote", "callout", "code", "math")
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+(?:\[.\][ \t]+)?")
_ONLY_ID = re.compile(r"\s*\^[A-Za-z0-9-]+\s*")
_TRAILING_ID = re.compile(r"\s+\^[A-Za-z0-9-]+\s*$")
_BLANKS = re.compile(r"\s+")
_SHOWN = 120


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a note. `own` is its text without children, `id` what it is linked by if it has one."""

    kind: str
    span: Span
    own: Span
    id: str | None
    label: str

    def digest(self, content: str) -> str:
        """A short hash of the block's own text, by which it is found again."""
        return hashlib.blake2b(
            self.own.of(content).encode("utf-8", "surrogatepass"), digest_size=8
        ).hexdigest()


def blocks_of(content: str, parse: Parse) -> tuple[Block, ...]:
    """The blocks of a note in their order: those with an id, and those that can be given one."""
    named = [
        Block("named", found.block, found.block, found.id, shown(found.block.of(content)))
        for found in parse.block_ids
        if found.valid
    ]
    taken = {block.span.start for block in named}
    free = [block for block in _linkable(content, parse.regions) if block.span.start not in taken]
    return tuple(sorted([*named, *free], key=lambda block: block.span))


def shown(block: str) -> str:
    """The beginning of a block on one line: `- [ ] buy milk ^a1` gives `buy milk`."""
    plain = _TRAILING_ID.sub("", block[: 4 * _SHOWN])
    marker = _MARKER.match(plain)
    line = _BLANKS.sub(" ", plain[marker.end() :] if marker else plain).strip()
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1].rstrip() + "…"


def _linkable(content: str, regions: Sequence[Region]) -> Iterator[Block]:
    """The blocks at the top level, and list items at any depth of lists."""
    around: list[Region] = []
    ordered = sorted(regions, key=lambda region: (region.span.start, -region.span.end))
    for index, region in enumerate(ordered):
        while around and around[-1].span.end <= region.span.start:
            around.pop()
        inside = [outer.kind for outer in around if outer.kind != "list"]
        nested_item = region.kind == "item" and all(kind == "item" for kind in inside)
        if nested_item or (not inside and region.kind in (*_STANDING, "paragraph")):
            block = _block(content, region, ordered[index + 1 :])
            if block:
                yield block
        around.append(region)


def _block(content: str, region: Region, behind: Sequence[Region]) -> Block | None:
    own = region.span
    if region.kind == "item":
        first = next((inner for inner in behind if inner.kind != "list"), None)
        own = _own_of_item(content, region.span, first)
    own = Span(own.start, own.start + len(own.of(content).rstrip()))
    label = shown(own.of(content))
    if not label or _ONLY_ID.fullmatch(own.of(content)):
        return None
    return Block(region.kind, region.span, own, None, label)


def _own_of_item(content: str, item: Span, first: Region | None) -> Span:
    """What an item says before its children."""
    if first is None or first.span.start >= item.end:
        return item
    if first.kind == "paragraph" and not content[item.start : first.span.start].strip(
        "-*+.) \t0123456789[]xX"
    ):
        return Span(item.start, first.span.end)
    return Span(item.start, first.span.start)


def new_id(block: str, taken: Collection[str]) -> str:
    """An id for a block with this text that is not yet *taken*; equal texts get equal ids.

    Six characters that look random: nobody takes them for a word, and they do not change with the
    order in which blocks are linked.
    """
    folded = {other.lower() for other in taken}
    seed = 0
    while True:
        digest = hashlib.blake2b(f"{seed}\0{block}".encode("utf-8", "surrogatepass"), digest_size=3)
        if digest.hexdigest() not in folded:
            return digest.hexdigest()
        seed += 1


def id_edit(text: Text, block: Block, name: str) -> TextEdit:
    """The edit that gives *block* the id *name*: ` ^name` at its end, or a line of its own."""
    if block.kind in _INLINE:
        line_end = text.line_span(text.line_of(block.own.end)).end
        behind = text.content[block.own.end : line_end]
        # Blanks at the end of the line go: an id must be the last thing on it.
        span = Span(block.own.end, line_end if not behind.strip() else block.own.end)
        return TextEdit(text.place(span), f" ^{name}")
    line = text.line_of(block.own.end)
    end = text.line_span(line).end
    line_break = line_break_of(text)
    follows = line + 1 < text.line_count() and text.line(line + 1).strip()
    new = f"{line_break}{line_break}^{name}" + (line_break if follows else "")
    return TextEdit(text.place(Span(end, end)), new)


def line_break_of(text: Text) -> str:
    """How the lines of *text* end: as its first one does."""
    if text.line_count() < 2:
        return "\n"
    return text.content[text.line_span(0).end : text.line_starts[1]]
