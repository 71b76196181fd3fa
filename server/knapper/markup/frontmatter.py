"""The properties at the top of a note: where they end, and YAML's reading of them.

Scalars are taken as they are written: a date stays text, `007` keeps its zeros. YAML's anchors are looked
at where they stand and never expanded, so no small text grows large.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import yaml

from knapper.markup.note import Address, Link, Problem, Property, Region, Tag
from knapper.markup.properties import HASH_STAND_IN, Properties, read_properties
from knapper.text.span import Span

_OPENING = re.compile(r"\ufeff?---[ \t]*+(?:\r\n|\r|\n)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))---[ \t]*+(?:\r\n|\r|\n|\Z)")
# Neither reads numbers, dates and the like; with libyaml it is many times faster.
_LOADER = yaml.CBaseLoader if yaml.__with_libyaml__ else yaml.BaseLoader
_UNREADABLE = (yaml.YAMLError, ValueError, RecursionError)
# A name at the start of a line. Lists may stand there too, and brackets that close one.
_NAME = re.compile(r"(?:\A|(?<=[\r\n]))[^\s#\-\]}]")
_NO_BREAK = re.compile(r"[^\r\n]")
# Obsidian allows `tags: [#a]`; to libyaml that `#` begins a comment.
_HASH_IN_LIST = re.compile(r"(?<=[\[,])#(?=\S)")


@dataclass(frozen=True, slots=True)
class Front:
    """What stands in the frontmatter, and where the body begins behind it."""

    body: int
    properties: tuple[Property, ...] = ()
    links: tuple[Link, ...] = ()
    addresses: tuple[Address, ...] = ()
    tags: tuple[Tag, ...] = ()
    aliases: tuple[str, ...] = ()
    title: str | None = None
    problems: tuple[Problem, ...] = ()
    regions: tuple[Region, ...] = ()


def find_frontmatter(text: str) -> tuple[Span, int] | None:
    """The span of the YAML and the offset behind the closing line, or None.

    The first line must be `---`, blanks behind it and a byte order mark before it do no harm.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return None
    closing = _CLOSING.search(text, opening.end())
    return (Span(opening.end(), closing.start()), closing.end()) if closing else None


def body_start(text: str) -> int:
    """Where the text behind the frontmatter, or behind a byte order mark, begins."""
    found = find_frontmatter(text)
    if found is None:
        return 1 if text.startswith("\ufeff") else 0
    return found[1]


def read_frontmatter(text: str) -> Front:
    """The properties of the note with this text.

    Broken YAML is a problem, and the properties that can be read each by itself are read, so that a note
    keeps its aliases and tags while another property is being typed.
    """
    found = find_frontmatter(text)
    if found is None:
        return Front(body_start(text))
    span, body = found
    start = 1 if text.startswith("\ufeff") else 0
    region = Region("frontmatter", Span(start, len(text[:body].rstrip())))
    source = span.of(text)
    root: yaml.Node | None
    try:
        root, problems = _compose(source), []
    except _UNREADABLE as error:
        problems = [_broken(error, source, span)]
        source = _readable(source)
        root = _compose_if_readable(source)
    if isinstance(root, yaml.MappingNode):
        return _front(body, region, read_properties(root, source, span.start), problems)
    if root is not None:
        problems.append(Problem("broken-yaml", span, "The properties are no list of names and values."))
    return Front(body, problems=tuple(problems), regions=(region,))


def _front(body: int, region: Region, values: Properties, problems: list[Problem]) -> Front:
    return Front(
        body,
        properties=tuple(values.properties),
        links=tuple(values.links),
        addresses=tuple(values.addresses),
        tags=tuple(values.tags),
        aliases=tuple(values.aliases),
        title=values.title,
        problems=(*problems, *values.problems),
        regions=(region,),
    )


def _readable(source: str) -> str:
    r"""*source* with blanks instead of each property that cannot be read by itself; the rest keeps its place.

    `a: [\nb: 1` gives `    \nb: 1`.
    """
    starts = [name.start() for name in _NAME.finditer(source)]
    parts = [source[: starts[0] if starts else None]]
    for start, end in pairwise([*starts, len(source)]):
        part = source[start:end]
        is_readable = isinstance(_compose_if_readable(part), yaml.MappingNode)
        parts.append(part if is_readable else _NO_BREAK.sub(" ", part))
    return "".join(parts)


def _compose_if_readable(source: str) -> yaml.Node | None:
    try:
        return _compose(source)
    except _UNREADABLE:
        return None


def _compose(source: str) -> yaml.Node | None:
    try:
        return _load(source)
    except yaml.YAMLError:
        if _HASH_IN_LIST.search(source) is None:
            raise
        return _load(_HASH_IN_LIST.sub(HASH_STAND_IN, source))


def _load(source: str) -> yaml.Node | None:
    loader = _LOADER(source)
    try:
        return loader.get_single_node()
    finally:
        loader.dispose()


def _broken(error: Exception, source: str, span: Span) -> Problem:
    mark = getattr(error, "problem_mark", None)
    at = min(mark.index if mark is not None else getattr(error, "position", 0) or 0, len(source))
    start = max(source.rfind("\n", 0, at), source.rfind("\r", 0, at)) + 1
    line = re.split(r"[\r\n]", source[start:], maxsplit=1)[0]
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
    return Problem(
        "broken-yaml",
        Span(span.start + start, span.start + start + len(line)),
        f"The properties are not valid YAML: {reason}.",
    )
