"""The rules for blocks that hold other blocks: lists, quotations and callouts, footnotes, comments.

Lists and quotations are found by markdown-it's rules; here is only what they mean to a note.
"""
# ruff: noqa: FBT001 -- `silent` is part of the form of a rule.

from __future__ import annotations

import re

from markdown_it import rules_block

from knapper.markup.note import Footnote
from knapper.markup.raw import Callout
from knapper.markup.state import State
from knapper.text.span import Span

_CALLOUT = re.compile(r">[ \t]*+\[!([^\[\]\r\n]+)\]")
_FOOTNOTE = re.compile(r"(\[\^([^\s\[\]]++)\]):[ \t]*+")
_MARKER = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)")
_FOOTNOTE_INDENT = 2  # Obsidian's; other tools ask for four, which is more than two


def quotation(state: State, line: int, end: int, silent: bool) -> bool:
    """`>` before every line; a callout if it begins with `[!type]`."""
    if silent:
        return True
    callout = _CALLOUT.match(state.src, state.first(line), state.eMarks[line])
    kind = "callout" if callout else "quote"
    if callout:
        state.found.callouts.append(Callout(Span(*callout.span(1)), callout[1]))
    state.open(kind)
    state.begin_paragraph(line)
    state.quotations += 1
    rules_block.blockquote(state, line, end, silent)
    state.quotations -= 1
    state.close(kind, state.span(line, state.line))
    return True


def item_list(state: State, line: int, end: int, silent: bool) -> bool:
    """A list, with dots or numbers."""
    if not _MARKER.match(state.src, state.first(line), state.eMarks[line]):
        return False
    if silent:
        return rules_block.list_block(state, line, end, silent)
    state.open("list")
    if rules_block.list_block(state, line, end, silent):
        state.close("list", state.span(line, state.line))
        return True
    state.containers.pop()
    state.found.regions.pop()
    return False


def footnote(state: State, line: int, end: int, silent: bool) -> bool:
    """`[^1]: Text`, and what is indented below."""
    match = _FOOTNOTE.match(state.src, state.first(line), state.eMarks[line])
    if match is None:
        return False
    if silent:
        return True
    kept = state.tShift[line], state.sCount[line], state.blkIndent, state.parentType
    state.blkIndent += _FOOTNOTE_INDENT
    state.tShift[line] = match.end() - state.bMarks[line]
    state.sCount[line] = state.blkIndent
    state.parentType = "footnote"
    state.push("footnote_open", "", 1)
    state.containers.append(("footnote", -1))
    state.md.block.tokenize(state, line, end)
    state.containers.pop()
    state.push("footnote_close", "", -1)
    state.tShift[line], state.sCount[line], state.blkIndent, state.parentType = kept
    stop = state.span(line, state.line).end
    body = Span(min(match.end(), stop), stop)
    state.found.footnotes.append(Footnote(match[2], Span(*match.span(1)), body))
    return True


def comment(state: State, line: int, end: int, silent: bool) -> bool:
    """`%%` over several lines, opened at the start of one; links and tags in it count, headings do not.

    Without the closing mark it goes to the end of the container.
    """
    at = state.first(line)
    if not state.src.startswith("%%", at) or state.src.find("%%", at + 2, state.eMarks[line]) >= 0:
        return False
    if silent:
        return True
    last, close = state.find_closing("%%", line, end)
    state.open("comment")
    state.comments += 1
    state.push("comment_open", "", 1)
    limit, state.lineMax = state.lineMax, last
    state.read(at + 2, state.eMarks[line])
    if line + 1 < last:
        state.md.block.tokenize(state, line + 1, last)
    if close >= 0:
        state.read(state.bMarks[last], close)
    state.lineMax = limit
    state.push("comment_close", "", -1)
    state.comments -= 1
    if close < 0:
        state.line = last
        state.close("comment", state.span(line, last))
    else:
        state.line = last + 1
        state.close("comment", Span(at, close + 2))
        state.read(close + 2, state.eMarks[last])
    return True
