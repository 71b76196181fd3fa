"""What one stretch of a note holds before its parts are put together.

`Found` collects while the text is read; `Raw` is the frozen result. Nothing here depends on what stands
elsewhere in the note, so that the untouched part of an edited note can be kept: section ends, reference
links and what an id on a line of its own names are worked out afterwards, by `assemble`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from knapper.markup.note import Address, Definition, Footnote, Link, Region, Tag
from knapper.text.span import Span


class Use(NamedTuple):
    """What may be a reference link: `[text][label]`, `[label][]`, `[label]`; `image` with a `!` before it."""

    span: Span
    label: str
    display_span: Span
    image: bool


class RawDefinition(NamedTuple):
    """A reference definition and what a link that uses it must know besides."""

    span: Span
    definition: Definition
    subpath_span: Span | None
    angle: bool


class RawHeading(NamedTuple):
    """A heading without its section."""

    span: Span
    level: int
    text: str
    text_span: Span


class RawId(NamedTuple):
    """A block id; without a block it names the block of the note that stands before it."""

    span: Span
    id: str
    block: Span | None


class Callout(NamedTuple):
    """A callout's type as written."""

    span: Span
    type: str


@dataclass(slots=True)
class Found:
    """What has been found so far, in lists that only grow."""

    blocks: list[Span] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    addresses: list[Address] = field(default_factory=list)
    definitions: list[RawDefinition] = field(default_factory=list)
    headings: list[RawHeading] = field(default_factory=list)
    ids: list[tuple[Span, str, Span | int | None]] = field(default_factory=list)  # int: a region to come
    tags: list[Tag] = field(default_factory=list)
    footnotes: list[Footnote] = field(default_factory=list)
    callouts: list[Callout] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)

    def raw(self) -> Raw:
        """The frozen result, everything in the order of the text."""
        regions = self.regions
        ids = [
            RawId(span, name, regions[block].span if isinstance(block, int) else block)
            for span, name, block in self.ids
        ]
        return Raw(
            blocks=tuple(self.blocks),
            links=tuple(sorted(self.links, key=_start)),
            uses=tuple(sorted(self.uses, key=_start)),
            addresses=tuple(sorted(self.addresses, key=_start)),
            definitions=tuple(self.definitions),
            headings=tuple(self.headings),
            ids=tuple(sorted(ids, key=_start)),
            tags=tuple(self.tags),
            footnotes=tuple(sorted(self.footnotes, key=_start)),
            callouts=tuple(self.callouts),
            regions=tuple(regions),
        )


@dataclass(frozen=True, slots=True)
class Raw:
    """The parts of a stretch, each tuple in the order of the text; spans count from the note's start."""

    blocks: tuple[Span, ...] = ()  # the outermost ones, from the start of a line
    links: tuple[Link, ...] = ()
    uses: tuple[Use, ...] = ()
    addresses: tuple[Address, ...] = ()
    definitions: tuple[RawDefinition, ...] = ()
    headings: tuple[RawHeading, ...] = ()
    ids: tuple[RawId, ...] = ()
    tags: tuple[Tag, ...] = ()
    footnotes: tuple[Footnote, ...] = ()
    callouts: tuple[Callout, ...] = ()
    regions: tuple[Region, ...] = ()


_start = attrgetter("span.start")
