"""What a test sees of a parsed note: one short line for each thing that was found."""

from __future__ import annotations

from knapper.markup.note import Link, Parse
from knapper.markup.parse import parse


def links(text: str) -> list[str]:
    """The links of *text*: `wikilink N#H|d`; what is special about one stands behind it in brackets."""
    return [show(link) for link in parse(text).links]


def targets(text: str) -> list[str]:
    """The targets of the links of *text*."""
    return [link.target for link in parse(text).links]


def show(link: Link) -> str:
    shown = f"{link.kind} {link.target}"
    if link.subpath is not None:
        shown += f"#{link.subpath}"
    if link.display is not None:
        shown += f"|{link.display}"
    flags = [name for name in ("angle", "in_table", "in_comment", "partial") if getattr(link, name)]
    return f"{shown} ({', '.join(flags)})" if flags else shown


def tags(text: str) -> list[str]:
    return [tag.name for tag in parse(text).tags]


def addresses(text: str) -> list[str]:
    return [address.url for address in parse(text).addresses]


def headings(text: str) -> list[str]:
    """The headings of *text* as `## Text`."""
    return [f"{'#' * heading.level} {heading.text}" for heading in parse(text).headings]


def blocks(text: str) -> list[tuple[str, str]]:
    """The block ids of *text*, each with the text it names."""
    return [(block.id, block.block.of(text)) for block in parse(text).block_ids]


def regions(text: str, *kinds: str) -> list[tuple[str, str]]:
    """The regions of these kinds, or all, each with its text."""
    return [(r.kind, r.span.of(text)) for r in parse(text).regions if not kinds or r.kind in kinds]


def problems(text: str) -> list[tuple[str, str]]:
    """The codes of the problems of *text*, each with the text it is about."""
    return [(problem.code, problem.span.of(text)) for problem in parse(text).problems]


def written(text: str) -> list[str]:
    """Every span of every link of *text*, as written: the whole, the target, the subpath, the display."""
    return [
        " · ".join("-" if span is None else span.of(text) for span in spans)
        for link in parse(text).links
        for spans in [(link.span, link.target_span, link.subpath_span, link.display_span)]
    ]


def in_order(parsed: Parse) -> bool:
    """Whether everything stands in the order of the text."""
    lists = (
        parsed.links,
        parsed.addresses,
        parsed.definitions,
        parsed.headings,
        parsed.block_ids,
        parsed.footnotes,
        parsed.regions,
    )
    return all(
        [item.span.start for item in items] == sorted(item.span.start for item in items) for items in lists
    )
