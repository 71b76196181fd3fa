"""What is being typed at the cursor in the properties of a note, told from the lines up to it.

Knows just enough YAML to say which property, which value of it and which quotes; the properties are broken
nearly always while they are typed. Must not know the vault.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from knapper.ide.completion.context import (
    Context,
    Destination,
    Slot,
    TagUse,
    Wikilink,
    destination_at,
    wikilink_at,
)

_FENCE = re.compile(r"---[ \t]*\r?$", re.MULTILINE)
_NAME = re.compile(r"(?![-#?!&*|>%@`\"'\[\]{}])[^\s:#][^:#]*|")
_KEYED = re.compile(r"(?P<name>[^\s:#\-][^:]*|\"[^\"]*\"|'[^']*')\s*:(?:[ \t]+|$)")
_ITEM = re.compile(r"[ \t]*-(?:[ \t]+|$)")
_BLOCK_TEXT = re.compile(r"[|>][-+\d]*\s*$")
_TAGS = ("tags", "tag")


@dataclass(frozen=True, slots=True)
class PropertyName:
    """The name of a property: `ta` at the start of a line."""

    slot: Slot
    has_colon: bool


@dataclass(frozen=True, slots=True)
class PropertyValue:
    """A value, or one item of a list: for `status: do<|>` the name is `status` and the slot holds `do`."""

    name: str
    slot: Slot
    quote: str  # the quote before it, or ""
    closed: bool  # and whether that quote is closed behind it
    flow: bool  # inside `[…]`, where a comma ends it


PropertyContext = Context | PropertyName | PropertyValue


def in_properties(content: str, line_start: int) -> bool:
    """Whether the line that begins at *line_start* lies between the fences of the properties.

    Properties that are not closed yet reach up to the first empty line.
    """
    opening = _FENCE.match(content, 1 if content.startswith("\ufeff") else 0)
    if opening is None or line_start <= opening.start():
        return False
    closing = _FENCE.search(content, opening.end() + 1)
    while closing and content[closing.start() - 1] not in "\r\n":
        closing = _FENCE.search(content, closing.end())
    if closing:
        return opening.end() < line_start < closing.start()
    return not re.search(r"\n[ \t]*\r?\n", content[opening.end() : line_start])


def property_context_at(content: str, line_start: int, line: str, column: int) -> PropertyContext | None:
    """What is being typed at *column* of *line*, which begins at *line_start* and lies in the properties."""
    above = content[:line_start]
    if _in_block_text(above, line):
        return None
    if keyed := _KEYED.match(line):
        if column >= keyed.end():
            return _value_at(_unquoted(keyed["name"]), line, keyed.end(), column)
        return _name_at(line, column)
    name = _name_above(above)
    if (item := _ITEM.match(line)) and column >= item.end():
        return _value_at(name, line, item.end(), column) if name else None
    if line[:1] in (" ", "\t") and name:
        return _value_at(name, line, len(line) - len(line.lstrip()), column)
    return _name_at(line, column)


def _name_at(line: str, column: int) -> PropertyName | None:
    if not _NAME.fullmatch(line[:column]):
        return None
    rest, colon, _ = line[column:].partition(":")
    if not colon:
        rest = ""
    return PropertyName(Slot(0, column + len(rest), line[:column]), has_colon=bool(colon))


def _name_above(above: str) -> str | None:
    """The property that the line below *above* belongs to."""
    for line in reversed(re.split(r"\r\n|\n|\r", above)[:-1]):
        if keyed := _KEYED.match(line):
            return _unquoted(keyed["name"])
        if line[:1] not in (" ", "\t", "-", "#", ""):
            return None
    return None


def _in_block_text(above: str, line: str) -> bool:
    """Whether the line is part of a text that `key: |` began."""
    if line[:1] not in (" ", "\t"):
        return False
    for earlier in reversed(re.split(r"\r\n|\n|\r", above)[:-1]):
        if earlier[:1] not in (" ", "\t", ""):
            return _BLOCK_TEXT.search(earlier) is not None
    return False


def _unquoted(name: str) -> str:
    return name.strip().strip("\"'")


# --- values ---


@dataclass(frozen=True, slots=True)
class _Scalar:
    """The scalar that the cursor is in: where it begins behind its quote, and what is around it."""

    start: int
    quote: str
    flow: bool


def _value_at(name: str, line: str, start: int, column: int) -> PropertyContext | None:
    scalar = _scalar_before(line, start, column)
    if scalar is None:
        return None
    if link := _link_at(line, column, scalar):
        return link
    typed = line[scalar.start : column]
    if name.casefold() in _TAGS:
        return _tag_in(line, column, scalar)
    if name.casefold() in ("aliases", "alias"):
        return None
    rest = _rest_of(line[column:], scalar)
    closed = line[column + len(rest) :].startswith(scalar.quote) if scalar.quote else True
    slot = Slot(scalar.start, column + len(rest), typed, _blank_before(line, scalar.start))
    return PropertyValue(name, slot, scalar.quote, closed, scalar.flow)


def _blank_before(line: str, start: int) -> str:
    """What YAML wants between `tags:` or `-` and a value that begins at *start*."""
    return " " if line[:start].endswith((":", "-")) else ""


def _scalar_before(line: str, start: int, column: int) -> _Scalar | None:
    """The scalar that is open at *column* of a value that begins at *start*; None in a comment.

    Of `[a, "b c` it is `b c` with its quote. Double brackets are a link that somebody forgot to quote.
    """
    begins, quote, flow, at = start, "", False, start
    while at < column:
        character = line[at]
        if quote:
            if character == "\\" and quote == '"':
                at += 1
            elif character == quote:
                quote, begins = "", at + 1
        elif line.startswith("[[", at):
            close = line.find("]]", at, column)
            at = close + 1 if close >= 0 else column
        elif character in "\"'" and not line[begins:at].strip():
            quote, begins = character, at + 1
        elif (character == "[" and not line[begins:at].strip()) or (flow and character == ","):
            flow, begins = True, at + 1
        elif character == "#" and at > begins and line[at - 1] in " \t" and line[at + 1 : at + 2] in " \t":
            return None
        at += 1
    if not quote:
        begins += len(line[begins:column]) - len(line[begins:column].lstrip())
    return _Scalar(begins, quote, flow)


def _rest_of(after: str, scalar: _Scalar) -> str:
    """What belongs to the scalar right of the cursor."""
    if scalar.quote:
        rest, quote, _ = after.partition(scalar.quote)
        return rest if quote else ""
    stop = re.search(r"[,\]]|\s*$" if scalar.flow else r"\s+#|\s*$", after)
    return after[: stop.start()] if stop else ""


def _tag_in(line: str, column: int, scalar: _Scalar) -> TagUse:
    """The tag at the cursor: blanks and commas part tags in a plain value too."""
    start = (
        scalar.start
        + len(line[scalar.start : column])
        - len(re.split(r"[\s,]", line[scalar.start : column])[-1])
    )
    rest = re.match(r"[^\s,\]\"']*", line[column:])
    assert rest, "it may be empty"
    typed = line[start:column]
    slot = Slot(start, column + rest.end(), typed, _blank_before(line, start))
    return TagUse(slot, typed.removeprefix("#"), in_properties=True)


def _link_at(line: str, column: int, scalar: _Scalar) -> Wikilink | Destination | None:
    link = wikilink_at(line, column) or destination_at(line, column)
    if link is None or link.opener < scalar.start:
        return None
    if isinstance(link, Destination):
        return link
    bare = not scalar.quote and not line[scalar.start : link.opener].strip()
    closed = not scalar.quote or scalar.quote in line[link.slot.end :]
    return replace(link, quote=scalar.quote, quote_closed=closed, bare=bare)
