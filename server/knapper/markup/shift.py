"""The parts of a note moved to another place: the same parts, with every span further on or back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knapper.markup.note import Address, Definition, Footnote, Link, Region, Tag
from knapper.markup.raw import Callout, RawDefinition, RawHeading, RawId, Use
from knapper.text.span import Span


def place_of(part: Any) -> int:
    """Where a part of a note begins."""
    start: int = part.start if type(part) is Span else part.span.start
    return start


def _span(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _maybe(span: Span | None, by: int) -> Span | None:
    return None if span is None else Span(span.start + by, span.end + by)


def _link(link: Link, by: int) -> Link:
    return Link(
        link.kind,
        _span(link.span, by),
        link.target,
        _span(link.target_span, by),
        link.subpath,
        _maybe(link.subpath_span, by),
        link.display,
        _maybe(link.display_span, by),
        link.markdown,
        link.angle,
        link.in_table,
        link.in_comment,
        link.partial,
    )


def _address(address: Address, by: int) -> Address:
    return Address(
        _span(address.span, by), address.url, _span(address.url_span, by), _maybe(address.display_span, by)
    )


def _definition(raw: RawDefinition, by: int) -> RawDefinition:
    written = raw.definition
    definition = Definition(
        _span(written.span, by),
        written.label,
        _span(written.label_span, by),
        written.target,
        _span(written.target_span, by),
        written.subpath,
        written.external,
    )
    return RawDefinition(definition.span, definition, _maybe(raw.subpath_span, by), raw.angle)


SHIFTS: dict[str, Callable[[Any, int], Any]] = {
    "blocks": _span,
    "links": _link,
    "uses": lambda use, by: Use(_span(use.span, by), use.label, _span(use.display_span, by), use.image),
    "addresses": _address,
    "definitions": _definition,
    "headings": lambda heading, by: RawHeading(
        _span(heading.span, by), heading.level, heading.text, _span(heading.text_span, by)
    ),
    "ids": lambda block, by: RawId(_span(block.span, by), block.id, _maybe(block.block, by)),
    "tags": lambda tag, by: Tag(tag.name, _span(tag.span, by)),
    "footnotes": lambda note, by: Footnote(note.id, _span(note.span, by), _maybe(note.body, by)),
    "callouts": lambda callout, by: Callout(_span(callout.span, by), callout.type),
    "regions": lambda region, by: Region(region.kind, _span(region.span, by)),
}
"""How each tuple of a `Raw` is moved."""
