"""What the YAML of a note's properties means: kinds, values, aliases, tags, and the links among them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from knapper.markup.inline import scan
from knapper.markup.note import Address, Link, LinkKind, Problem, Property, Tag
from knapper.markup.raw import Found
from knapper.markup.tags import is_tag
from knapper.text.span import Span

HASH_STAND_IN = "\ue0a1"
"""What stands for a `#` that YAML would take for the start of a comment."""

_KINDS = (
    ("number", re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")),
    ("checkbox", re.compile(r"true|false", re.IGNORECASE)),
    ("date", re.compile(r"\d{4}-\d{2}-\d{2}")),
    ("datetime", re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[-+]\d{2}:?\d{2})?")),
)
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_TAG_IN_TEXT = re.compile(r"[^\s,]+")


@dataclass(slots=True)
class Properties:
    """What has been read so far."""

    source: str
    base: int  # where the source begins in the note
    seen: set[int] = field(default_factory=set)  # nodes; an anchor's counts once
    properties: list[Property] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    addresses: list[Address] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    title: str | None = None
    problems: list[Problem] = field(default_factory=list)

    def text(self, node: Node) -> Span:
        """What is written for a scalar, without its quotes, in the source."""
        start, end = node.start_mark.index, node.end_mark.index
        if getattr(node, "style", None) in ("'", '"'):
            return Span(start + 1, end - 1)
        return Span(start, start + len(self.source[start:end].rstrip()))

    def end(self, node: Node) -> int:
        """Where a value ends in the note, its quotes included."""
        start, end = node.start_mark.index, node.end_mark.index
        return self.base + start + len(self.source[start:end].rstrip())

    def place(self, node: Node) -> Span:
        """The same, in the note."""
        return self.text(node).shift(self.base)


def read_properties(root: MappingNode, source: str, base: int) -> Properties:
    """The properties of *root*, composed from *source*, which begins at *base* of the note."""
    read = Properties(source, base)
    names: set[str] = set()
    for key, value in root.value:
        if not isinstance(key, ScalarNode):
            continue
        if key.value in names:
            message = f"The properties are not valid YAML: `{key.value}` stands twice."
            read.problems.append(Problem("broken-yaml", read.place(key), message))
            continue
        names.add(key.value)
        _read_property(read, key, value)
    return read


def _read_property(read: Properties, key: ScalarNode, value: Node) -> None:
    scalars = [node for node in _items(value) if id(node) not in read.seen and not _is_null(node)]
    name_span = read.place(key)
    end = max(read.end(value), name_span.end)
    prop = Property(
        _written(key),
        name_span,
        Span(name_span.start, end),
        _kind(value),
        tuple(_written(node) for node in scalars),
        tuple(read.place(node) for node in scalars),
    )
    read.properties.append(prop)
    name = prop.name.casefold()
    if name == "aliases":
        read.aliases += [alias for alias in map(str.strip, prop.values) if alias]
    elif name == "tags":
        for node in scalars:
            _read_tags(read, node, alone=isinstance(value, ScalarNode))
    elif name == "title" and isinstance(value, ScalarNode) and prop.values and read.title is None:
        read.title = prop.values[0].strip() or None
    _read_links(read, value)


def _items(value: Node) -> list[ScalarNode]:
    if isinstance(value, ScalarNode):
        return [value]
    if isinstance(value, SequenceNode):
        return [node for node in value.value if isinstance(node, ScalarNode)]
    return []


def _written(node: ScalarNode) -> str:
    return str(node.value).replace(HASH_STAND_IN, "#")


def _is_null(node: ScalarNode) -> bool:
    return not node.style and node.value in _NULLS


def _kind(value: Node) -> str:
    if isinstance(value, SequenceNode):
        return "list"
    if not isinstance(value, ScalarNode):
        return "mapping"
    if _is_null(value):
        return "null"
    if not value.style:
        for kind, pattern in _KINDS:
            if pattern.fullmatch(value.value):
                return kind
    return "text"


def _read_tags(read: Properties, node: ScalarNode, *, alone: bool) -> None:
    """`tags: a b` and `tags: a, b` hold two tags each; in quotes a comma parts no tags."""
    written = read.text(node)
    text = written.of(read.source)
    pieces = list(_TAG_IN_TEXT.finditer(text)) if alone and not (node.style and "," in text) else []
    spans = [Span(*piece.span()) for piece in pieces] or [Span(0, len(text))]
    for span in spans:
        piece = span.of(text)
        name = piece.lstrip("#").rstrip("/")
        if is_tag(name):
            start = read.base + written.start + span.start + len(piece) - len(piece.lstrip("#"))
            read.tags.append(Tag(name, Span(start, start + len(name)), in_properties=True))


def _read_links(read: Properties, value: Node) -> None:
    """Links in every scalar below *value*; brackets without quotes are no link but a list in a list."""
    stack = [value]
    while stack:
        node = stack.pop()
        if id(node) in read.seen:
            continue
        read.seen.add(id(node))
        if isinstance(node, ScalarNode):
            _scan_scalar(read, node)
        elif _is_unquoted_link(read, node):
            span = read.place(node)
            message = f'In a property a link needs quotes: "{span.shift(-read.base).of(read.source)}".'
            read.problems.append(Problem("unquoted-link", span, message))
        elif isinstance(node, MappingNode):
            stack += [child for pair in reversed(node.value) for child in reversed(pair)]
        elif isinstance(node, SequenceNode):
            stack += reversed(node.value)


def _is_unquoted_link(read: Properties, node: Node) -> bool:
    if (
        not isinstance(node, SequenceNode)
        or len(node.value) != 1
        or not isinstance(node.value[0], SequenceNode)
    ):
        return False
    written = read.text(node).of(read.source)
    return written.startswith("[[") and written.endswith("]]")


def _scan_scalar(read: Properties, node: ScalarNode) -> None:
    span = read.text(node)
    text = span.of(read.source)
    if "[" not in text and "://" not in text:
        return
    found = Found()
    scan(found, text.replace("\r", "\n"), read.base + span.start)
    whole = span.shift(read.base)
    for link in sorted(found.links, key=lambda link: link.span):
        read.links.append(replace(link, kind=LinkKind.PROPERTY, partial=link.span != whole))
    read.addresses += sorted(found.addresses, key=lambda address: address.span)
