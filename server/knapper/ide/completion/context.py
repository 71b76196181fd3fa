"""What is being typed at the cursor, told from its line alone.

Columns are code points of that line. Knows how links, tags and footnotes begin; must not know the vault,
and never needs the note to parse: what is typed is broken almost always.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from knapper.markup.tags import tag_at


class Part(StrEnum):
    """Which part of a link the cursor is in."""

    NOTE = "note"  # [[No
    HEADING = "heading"  # [[Note#He
    BLOCK = "block"  # [[Note#^bl or [[Note^bl
    ANY_HEADING = "any-heading"  # [[##He
    ANY_BLOCK = "any-block"  # [[^^bl


@dataclass(frozen=True, slots=True)
class Slot:
    """The columns that an accepted item replaces; the cursor is in between, or at the end.

    `typed` is what stands before the cursor: for `[[my no<|>te]]` it is `my no`, and the end is behind
    `note`. The `lead` is written before any item.
    """

    start: int
    end: int
    typed: str
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Wikilink:
    """A wikilink or embed that is not closed before the cursor.

    For `![[Ada#Li<|>fe|A]]` the target is `Ada`, the query `Li`, `bar` is `|A` and `closing` 2.
    """

    part: Part
    slot: Slot
    opener: int  # the column of `[[`, or of `![[`
    embed: bool
    target: str
    parents: tuple[str, ...]  # of a nested heading link: for `[[N#A#B` it is `A`
    query: str
    subpath: str  # right of the cursor, with its `#`; only where a note is typed
    bar: str  # right of the cursor: the display with its bar
    closing: int  # how many closing brackets are there already
    quote: str = ""  # in a property: the quote around the link, `'` or `"`
    quote_closed: bool = True
    bare: bool = False  # in a property: the value begins with the link and has no quotes


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a Markdown link, an image or a link reference definition."""

    part: Part
    slot: Slot
    opener: int
    embed: bool
    target: str  # as written, encoded
    query: str
    subpath: str  # right of the cursor, with its `#`
    angle: bool  # begins with `<`
    missing: str  # what has to be written to close it: `)`, `>)`, `>` or nothing


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a reference link: `[text][la`."""

    slot: Slot
    opener: int
    missing: str


@dataclass(frozen=True, slots=True)
class FootnoteUse:
    """A footnote: `[^no`."""

    slot: Slot
    opener: int
    missing: str


@dataclass(frozen=True, slots=True)
class Callout:
    """The type of a callout: `> [!no`."""

    slot: Slot
    missing: str


@dataclass(frozen=True, slots=True)
class TagUse:
    """A tag: in text `#pro` with its hash, in the tags property `pro`."""

    slot: Slot
    query: str
    in_properties: bool = False


Context = Wikilink | Destination | Label | FootnoteUse | Callout | TagUse

# No name is longer. A line may hold a megabyte, and every letter typed in it comes here.
_REACH = 2000

_BAR = re.compile(r"\\?\|")
_BARE_BAR = re.compile(r"(?<!\\)\|")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_TITLE = re.compile(r"\s[\"'(]")
_DEFINITION = re.compile(r" {0,3}(?:> ?)*\[(?!\^)[^\[\]]+\]:[ \t]*")
_LABEL = re.compile(r"(?<!\])\]\[((?!\^)[^\[\]]*)$")
_FOOTNOTE = re.compile(r"(?<![\[\\])\[\^([^\[\]\s]*)$")
_CALLOUT = re.compile(r"^[\s>*+\-\d.)]*>[ \t]*\[!([^\[\]\s]*)$")
_UP_TO_BRACKET = re.compile(r"[^\[\]]*(?=\])")


def context_at(line: str, column: int, *, in_table: bool = False) -> Context | None:
    """What is being typed at *column* of *line* in the body of a note, or None.

    The opener nearest to the cursor counts: in `[[a and [b](c<|>` it is the destination.
    """
    first = max(0, column - _REACH)
    if first == 0 and len(line) <= column + _REACH:
        return _context(line, column, in_table=in_table)
    found = _context(line[first : column + _REACH], column - first, in_table=in_table)
    return _moved(found, first) if found else None


def _moved(found: Context, by: int) -> Context:
    slot = Slot(found.slot.start + by, found.slot.end + by, found.slot.typed)
    if isinstance(found, Callout | TagUse):
        return replace(found, slot=slot)
    return replace(found, slot=slot, opener=found.opener + by)


def _context(line: str, column: int, *, in_table: bool) -> Context | None:
    links: list[Wikilink | Destination | Label | FootnoteUse] = [
        found
        for found in (
            wikilink_at(line, column, in_table=in_table),
            destination_at(line, column),
            _label_at(line, column),
            _footnote_at(line, column),
        )
        if found is not None
    ]
    tag = _tag_at(line, column)
    if links:
        nearest = max(links, key=lambda found: found.opener)
        if tag and isinstance(nearest, Destination) and " " in line[nearest.opener : column]:
            return tag  # `[a](b and so on #ta`: nobody writes a destination like that
        return nearest
    return _callout_at(line, column) or tag


# --- wikilinks ---


def wikilink_at(line: str, column: int, *, in_table: bool = False) -> Wikilink | None:
    """The wikilink that is open at *column*: none behind its `]]`, nor in its display."""
    before = line[:column]
    opener = before.rfind("[[")
    if opener < 0 or _is_escaped(line, opener):
        return None
    inner = before[opener + 2 :]
    if "]]" in inner or _BAR.search(inner):
        return None  # closed, in the display, or (in a table) in another cell
    embed = before[:opener].endswith("!") and not _is_escaped(line, opener - 1)
    part, width, target, parents, query = _parts(inner)
    rest, subpath, bar, closing = _wikilink_tail(line[column:], part, in_table=in_table)
    start = opener + 2 + width
    slot = Slot(start, column + len(rest), before[start:])
    return Wikilink(
        part, slot, opener - embed, embed, target.strip(), parents, query.strip(), subpath, bar, closing
    )


def _parts(inner: str) -> tuple[Part, int, str, tuple[str, ...], str]:
    """The cursor's part, where it begins in *inner* (the link up to the cursor), target, parents, query.

    `N#A#B` gives a heading at 4, `N`, `("A",)` and `B`.
    """
    if inner.startswith("##"):
        return Part.ANY_HEADING, 0, "", (), inner[2:]
    if inner.startswith("^^"):
        return Part.ANY_BLOCK, 0, "", (), inner[2:]
    target, hash_mark, subpath = inner.partition("#")
    if not hash_mark:
        target, caret, query = inner.partition("^")
        return (Part.BLOCK, len(target), target, (), query) if caret else (Part.NOTE, 0, "", (), inner)
    *parents, last = subpath.split("#")
    if last.lstrip().startswith("^"):
        return Part.BLOCK, len(target), target, (), last.lstrip()[1:]
    return Part.HEADING, len(inner) - len(last), target, tuple(parents), last


def _wikilink_tail(after: str, part: Part, *, in_table: bool) -> tuple[str, str, str, int]:
    """Right of the cursor: rest of the part, subpath, bar with display, how many brackets close it.

    `te#H|d]] more` gives `te`, `#H`, `|d` and 2.
    """
    close, other = after.find("]]"), after.find("[[")
    inner = after[: max(close, 0)]
    if close < 0 or 0 <= other < close or (in_table and _BARE_BAR.search(inner)):
        return "", "", "", int(after.startswith("]"))
    bar = _BAR.search(inner)
    path, display = (inner[: bar.start()], inner[bar.start() :]) if bar else (inner, "")
    if part is not Part.NOTE:
        return path, "", display, 2
    rest, hash_mark, subpath = path.partition("#")
    return rest, hash_mark + subpath, display, 2


# --- Markdown's links ---


def destination_at(line: str, column: int) -> Destination | None:
    """The destination that is open at *column*: behind `](` or behind `[label]: `."""
    before = line[:column]
    opener = before.rfind("](")
    if opener > 0 and "[" in before[:opener] and before[opener - 1] != "]":
        embed = re.search(r"!\[[^\[\]]*$", before[:opener]) is not None
        return _destination(line, column, opener + 2, closer=")", embed=embed)
    if match := _DEFINITION.match(before):
        return _destination(line, column, match.end(), closer="", embed=False)
    return None


def _destination(line: str, column: int, start: int, *, closer: str, embed: bool) -> Destination | None:
    angle = line[start:column].startswith("<")
    start += angle
    inner = line[start:column]
    if _SCHEME.match(inner) or _TITLE.search(inner) or (">" in inner if angle else _is_closed(inner)):
        return None
    if not closer and " " in inner and not angle:
        return None
    part, width, target, query = _destination_parts(inner)
    rest, subpath, missing = _destination_tail(line[column:], part, closer, angle=angle)
    slot = Slot(start + width, column + len(rest), inner[width:])
    return Destination(part, slot, start - angle, embed, target, query.strip(), subpath, angle, missing)


def _is_closed(inner: str) -> bool:
    """Whether a parenthesis closes that was not opened: `a(b)` no, `a) b` yes."""
    depth = 0
    for character in inner:
        depth += (character == "(") - (character == ")")
        if depth < 0:
            return True
    return False


def _destination_parts(inner: str) -> tuple[Part, int, str, str]:
    target, hash_mark, subpath = inner.partition("#")
    if not hash_mark:
        return Part.NOTE, 0, "", inner
    if subpath.startswith("^"):
        return Part.BLOCK, len(target) + 1, target, subpath[1:]
    return Part.HEADING, len(target) + 1, target, subpath


def _destination_tail(after: str, part: Part, closer: str, *, angle: bool) -> tuple[str, str, str]:
    """Right of the cursor: rest of the part, subpath, and what is missing to close the link."""
    stop = "<>" if angle else r"\s()"
    pattern = rf"([^#{stop}]*)((?:#[^{stop}]*)?)" if part is Part.NOTE else rf"([^{stop}]*)()"
    match = re.match(pattern, after)
    assert match, "both groups may be empty"
    behind = after[match.end() :]
    end = (">" if angle else "") + closer
    if closer and not re.match(
        rf"{'>' if angle else ''}(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*\)", behind
    ):
        has_angle = angle and after.startswith(">")
        return "", "", closer if has_angle else end
    if not closer and angle and not behind.startswith(">"):
        return "", "", end
    return match[1], match[2], ""


def _label_at(line: str, column: int) -> Label | None:
    match = _LABEL.search(line[:column])
    if match is None or "[" not in line[: match.start()]:
        return None
    slot, missing = _bracketed(line, column, match)
    return Label(slot, match.start(1) - 1, missing)


def _footnote_at(line: str, column: int) -> FootnoteUse | None:
    match = _FOOTNOTE.search(line[:column])
    if match is None:
        return None
    slot, missing = _bracketed(line, column, match)
    return FootnoteUse(slot, match.start(), missing)


def _callout_at(line: str, column: int) -> Callout | None:
    match = _CALLOUT.search(line[:column])
    return Callout(*_bracketed(line, column, match)) if match else None


def _bracketed(line: str, column: int, match: re.Match[str]) -> tuple[Slot, str]:
    """The slot of the match's first group up to a closing bracket, and the bracket if it is missing."""
    rest = _UP_TO_BRACKET.match(line, column)
    end = rest.end() if rest else column
    return Slot(match.start(1), end, match[1]), "" if rest else "]"


# --- tags ---


def _tag_at(line: str, column: int) -> TagUse | None:
    """The tag at *column*; one letter more makes a tag of a lone `#` and of `#20`, which are none yet."""
    start = line.rfind("#", 0, column)
    name = tag_at(f"{line[:column]}x{line[column:]}", start) if start >= 0 else None
    if name is None or len(name) < column - start:
        return None
    slot = Slot(start, max(column, start + len(name)), line[start:column])
    return TagUse(slot, line[start + 1 : column])


def _is_escaped(line: str, column: int) -> bool:
    """Whether an odd number of backslashes stands before *column*."""
    before = line[:column]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
