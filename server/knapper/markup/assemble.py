"""From the parts of a note to the note: what depends on more than one block.

Sections end where another heading begins, a reference link leads where its definition says, an id on a
line of its own names the block before it, and an id may stand twice.
"""

from __future__ import annotations

from bisect import bisect_right
from operator import attrgetter

from knapper.markup.frontmatter import Front
from knapper.markup.note import Address, BlockId, Heading, Link, LinkKind, Parse, Problem
from knapper.markup.raw import Raw, RawDefinition, RawHeading, Use
from knapper.text.span import Span

_start = attrgetter("span.start")


def assemble(text: str, front: Front, raw: Raw) -> Parse:
    """The note with these properties and these parts."""
    links, addresses = _references(text, raw)
    block_ids = _block_ids(raw)
    headings = _headings(raw.headings, len(text))
    return Parse(
        links=front.links + links,
        addresses=front.addresses + addresses,
        definitions=tuple(definition.definition for definition in raw.definitions),
        headings=headings,
        block_ids=block_ids,
        tags=front.tags + raw.tags,
        properties=front.properties,
        footnotes=raw.footnotes,
        callouts=tuple((callout.type, callout.span) for callout in raw.callouts),
        regions=front.regions + raw.regions,
        problems=front.problems + _id_problems(block_ids),
        aliases=front.aliases,
        title=front.title or _first_heading(text, raw),
        body=front.body,
    )


def reference_key(label: str) -> str:
    """What labels of references are compared by: `[The  Label]` and `[the label]` are equal."""
    return " ".join(label.split()).casefold()


def _first_heading(text: str, raw: Raw) -> str | None:
    if raw.headings and raw.headings[0].level == 1 and raw.blocks:
        heading, block = raw.headings[0], raw.blocks[0]
        if heading.span.end == block.end and not text[block.start : heading.span.start].strip():
            return heading.text or None
    return None


def _headings(headings: tuple[RawHeading, ...], end: int) -> tuple[Heading, ...]:
    ends = [end] * len(headings)
    open_ones: list[int] = []
    for index, heading in enumerate(headings):
        while open_ones and headings[open_ones[-1]].level >= heading.level:
            ends[open_ones.pop()] = heading.span.start
        open_ones.append(index)
    return tuple(
        Heading(level, shown, span, text_span, Span(span.start, section_end))
        for (span, level, shown, text_span), section_end in zip(headings, ends, strict=True)
    )


def _block_ids(raw: Raw) -> tuple[BlockId, ...]:
    ids = []
    for span, name, block in raw.ids:
        named = block
        if named is None:
            before = bisect_right(raw.blocks, span.start, key=attrgetter("start")) - 2
            named = raw.blocks[before] if before >= 0 else span
        ids.append(BlockId(name, span, named, valid=name.isascii() and "_" not in name))
    return tuple(ids)


def _id_problems(ids: tuple[BlockId, ...]) -> tuple[Problem, ...]:
    problems = []
    seen: set[str] = set()
    for block in ids:
        if not block.valid:
            message = (
                f"A block id holds only Latin letters, digits and hyphens: `^{block.id}` cannot be linked."
            )
            problems.append(Problem("invalid-block-id", block.span, message))
        elif block.id.lower() in seen:
            message = f"The block id `^{block.id}` stands twice; links lead to the first one."
            problems.append(Problem("duplicate-block-id", block.span, message))
        seen.add(block.id.lower())
    return tuple(problems)


def _references(text: str, raw: Raw) -> tuple[tuple[Link, ...], tuple[Address, ...]]:
    """Links and addresses, those among them that are made by reference."""
    if not raw.definitions:
        return raw.links, raw.addresses
    known: dict[str, RawDefinition] = {}
    for definition in raw.definitions:
        known.setdefault(reference_key(definition.definition.label), definition)
    links, addresses = list(raw.links), list(raw.addresses)
    end = 0
    for use in raw.uses:
        found = known.get(reference_key(use.label))
        if found is None or use.span.start < end:
            continue  # In `[text][label]` the brackets of the label are no link of their own.
        end = use.span.end
        if found.definition.external:
            url, url_span = found.definition.target, found.definition.target_span
            addresses.append(Address(use.span, url, url_span, use.display_span))
        elif found.definition.target not in ("", "/") or found.definition.subpath:
            links.append(_reference(text, use, found))
    return tuple(sorted(links, key=_start)), tuple(sorted(addresses, key=_start))


def _reference(text: str, use: Use, found: RawDefinition) -> Link:
    definition = found.definition
    return Link(
        LinkKind.REFERENCE,
        use.span,
        definition.target,
        definition.target_span,
        definition.subpath,
        found.subpath_span,
        use.display_span.of(text),
        use.display_span,
        markdown=True,
        angle=found.angle,
    )
