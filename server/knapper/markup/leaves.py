"""The rules for blocks that hold no other blocks, in the dialect of Obsidian.

A rule has markdown-it's form: `rule(state, line, end, silent)` says whether a block of its kind begins at
*line*; unless *silent*, it notes what the block holds and sets `state.line` behind it. Lines from *end*
on belong to somebody else.
"""
# ruff: noqa: FBT001 -- `silent` is part of that form.

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import rules_block

from knapper.markup.destination import DEFINITION, decode, decode_url, is_external
from knapper.markup.heading import plain, shown_link
from knapper.markup.note import Definition
from knapper.markup.raw import RawDefinition, RawHeading
from knapper.markup.state import State
from knapper.text.span import Span

Rule = Callable[[State, int, int, bool], bool]

_ATX = re.compile(r"(#{1,6})(?:[ \t]++|$)")
_UNDERLINE = re.compile(r"(?:=++|-++)[ \t]*+")
_RULE = re.compile(r"([-*_])(?:[ \t]*+\1){2,}+[ \t]*+")
_ID = re.compile(r"\^([\w-]++)[ \t]*+")


def code(state: State, line: int, end: int, silent: bool) -> bool:
    """Four blanks before every line."""
    return _opaque(rules_block.code, "code", state, line, end, silent)


def fence(state: State, line: int, end: int, silent: bool) -> bool:
    """Code between two fences; without the second one it goes to the end of the container."""
    return _opaque(rules_block.fence, "code", state, line, end, silent)


def html(state: State, line: int, end: int, silent: bool) -> bool:
    """HTML, in which nothing is read, its comments, and Templater's commands `<% … %>`."""
    for opening, closing, kind in (("<!--", "-->", "html"), ("<%", "%>", "code")):
        if state.src.startswith(opening, state.first(line)):
            if _is_read_inline(state, line, opening, closing):
                return False
            if not silent:
                _enclosed(state, line, end, closing, kind)
            return True
    return _opaque(rules_block.html_block, "html", state, line, end, silent)


def rule(state: State, line: int, end: int, silent: bool) -> bool:  # noqa: ARG001
    """A line across the page, of `-`, `*` or `_`."""
    if not _RULE.fullmatch(state.src, state.first(line), state.eMarks[line]):
        return False
    if not silent:
        state.line = line + 1
    return True


def math(state: State, line: int, end: int, silent: bool) -> bool:
    """`$$` over several lines; without the closing one it goes to the end of the container."""
    at = state.first(line)
    if not state.src.startswith("$$", at) or state.src.startswith("$$$", at):
        return False
    if state.src.find("$$", at + 2, state.eMarks[line]) >= 0:
        return False  # The inline reader takes what is closed on its line.
    if silent:
        # In `text $$a` the formula has begun before, and this line closes it.
        return not state.in_formula(at)
    _enclosed(state, line, end, "$$", "math")
    return True


def definition(state: State, line: int, end: int, silent: bool) -> bool:  # noqa: ARG001
    """`[label]: ./n.md "title"` on a line of its own; Obsidian takes none that is indented."""
    if state.sCount[line] != state.blkIndent:
        return False
    match = DEFINITION.fullmatch(state.src, state.first(line), state.eMarks[line])
    if match is None or match[1].startswith("^") or not match[1].strip():
        return False
    start, stop = match.span(2)
    angle = match[2].startswith("<")
    if angle:
        start, stop = start + 1, stop - 1
    written = state.src[start:stop]
    external = is_external(written)
    target, mark, subpath = (written, "", "") if external else written.partition("#")
    middle = start + len(target)
    state.found.definitions.append(
        RawDefinition(
            state.span(line, line + 1),
            Definition(
                state.span(line, line + 1),
                match[1],
                Span(*match.span(1)),
                decode_url(target) if external else decode(target),
                Span(start, middle),
                decode(subpath) if mark else None,
                external,
            ),
            Span(middle + 1, stop) if mark else None,
            angle,
        )
    )
    state.line = line + 1
    return True


def heading(state: State, line: int, end: int, silent: bool) -> bool:  # noqa: ARG001
    """`## Text`, with or without marks at the end."""
    match = _ATX.match(state.src, state.first(line), state.eMarks[line])
    if match is None:
        return False
    if not silent:
        state.line = line + 1
        text = state.src[match.end() : state.eMarks[line]].rstrip(" \t")
        bare = text.rstrip("#")
        if not bare or bare[-1] in " \t":
            text = bare.rstrip(" \t")
        _add_heading(state, len(match[1]), line, Span(match.end(), match.end() + len(text)))
    return True


def paragraph(state: State, line: int, end: int) -> None:
    """Everything else; a line of `=` or `-` below makes it a heading."""
    after, level = _paragraph_end(state, line, end)
    state.line = after + 1 if level else after
    if level:
        text = Span(state.first(line), state.eMarks[after - 1])
        _add_heading(state, level, line, Span(text.start, text.start + len(text.of(state.src).rstrip())))
        return
    container = state.containers[-1] if state.containers else None
    span = state.span(line, after)
    state.add("paragraph", span)
    if "^" in state.src[state.bMarks[after - 1] : span.end]:
        _add_paragraph_id(state, line, after, container)
    state.read_lines(line, after)


def flat(state: State, line: int, end: int) -> None:
    """What is nested too deep to be taken apart: links and tags in it still count."""
    after = line + 1
    while after < end and (state.isEmpty(after) or state.sCount[after] >= state.blkIndent):
        after += 1
    state.line = after
    span = state.span(line, after)
    state.add("paragraph", span)
    state.read(span.start, span.end)


def find_id(state: State, start: int, stop: int) -> tuple[Span, str] | None:
    """The block id at the end of `src[start:stop]`, a line or the end of one."""
    at = state.src.rfind("^", start, stop)
    if at < 0 or (at > start and state.src[at - 1] not in " \t"):
        return None
    match = _ID.fullmatch(state.src, at, stop)
    return (Span(at, match.end(1)), match[1]) if match else None


def _is_read_inline(state: State, line: int, opening: str, closing: str) -> bool:
    """Whether text follows behind the closing mark on the same line. CommonMark would hide it, we read it."""
    close = state.src.find(closing, state.first(line) + len(opening), state.eMarks[line])
    return close >= 0 and bool(state.src[close + len(closing) : state.eMarks[line]].strip())


def _enclosed(state: State, line: int, end: int, closing: str, kind: str) -> None:
    """What goes on to a closing mark, or to the end of the container; the text behind the mark is read."""
    at = state.first(line)
    last, close = line, state.src.find(closing, at + 2, state.eMarks[line])
    if close < 0:
        last, close = state.find_closing(closing, line, end)
    if close < 0:
        state.line = last
        state.add(kind, state.span(line, last))
        return
    state.line = last + 1
    state.add(kind, Span(at, close + len(closing)))
    state.read(close + len(closing), state.eMarks[last])


def _opaque(rule: Rule, kind: str, state: State, line: int, end: int, silent: bool) -> bool:
    if not rule(state, line, end, silent):
        return False
    if not silent:
        state.add(kind, state.span(line, state.line))
    return True


def _paragraph_end(state: State, line: int, end: int) -> tuple[int, int]:
    """The line after the text, and the level if an underline there makes it a heading, else 0."""
    src, limit = state.src, state.lineMax
    parent, state.parentType = state.parentType, "paragraph"
    state.begin_paragraph(line)
    level, after = 0, line + 1
    while after < limit:
        at = state.bMarks[after] + state.tShift[after]
        if at >= state.eMarks[after]:
            break
        indent = state.sCount[after] - state.blkIndent
        if indent <= 3:
            if indent >= 0 and after < end and _UNDERLINE.fullmatch(src, at, state.eMarks[after]):
                level = 1 if src[at] == "=" else 2
                break
            if state.sCount[after] >= 0 and state.interrupts(state, after, limit):
                break
        after += 1
    state.parentType = parent
    return after, level


def _add_paragraph_id(state: State, line: int, after: int, container: tuple[str, int] | None) -> None:
    found = find_id(state, state.first(after - 1), state.eMarks[after - 1])
    if found is None:
        return
    span, name = found
    alone = span.start == state.first(line)
    block: Span | int | None
    if alone and container is None:
        block = None  # The block before may be one that is not read again.
    elif alone and state.previous is not None:
        block = state.span(*state.previous)
    elif container and (
        container[0] in ("quote", "callout") or (container[0] == "item" and state.previous is None)
    ):
        block = container[1]  # The item with what it holds, or the whole quotation.
    else:
        block = state.span(line, after)
    state.found.ids.append((span, name, block))


def _add_heading(state: State, level: int, line: int, text: Span) -> None:
    links, addresses = len(state.found.links), len(state.found.addresses)
    regions = len(state.found.regions)
    whole = state.span(line, state.line)
    id_line = max(text.start, state.src.rfind("\n", text.start, text.end) + 1)
    found = find_id(state, id_line, text.end) if "^" in text.of(state.src) else None
    if found is not None:
        state.found.ids.append((found[0], found[1], whole))
        text = Span(text.start, text.start + len(state.src[text.start : found[0].start].rstrip()))
    state.read(text.start, text.end)
    if state.comments:
        return  # Nobody sees a heading in a comment.
    pieces = [(link.span, shown_link(link)) for link in state.found.links[links:]]
    for address in state.found.addresses[addresses:]:
        shown = address.display_span or address.url_span
        pieces.append((address.span, plain(shown.of(state.src))))
    for region in state.found.regions[regions:]:
        if region.kind == "code-span":
            pieces.append((region.span, region.span.of(state.src).strip("`").strip()))
        elif region.kind in ("comment", "html"):
            pieces.append((region.span, ""))
    shown_pieces = [(span.start - text.start, span.end - text.start, new) for span, new in pieces]
    shown_text = plain(text.of(state.src), shown_pieces)
    state.found.headings.append(RawHeading(whole, level, shown_text, text))
