"""Which rule is asked where, and the reading of a whole text.

markdown-it asks every rule at every line. Here the first character of the line decides which ones can
apply, which makes the reading about twice as fast.
"""

from __future__ import annotations

from typing import cast

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.ruler import Ruler
from markdown_it.rules_block import StateBlock

from knapper.markup.containers import comment, footnote, item_list, quotation
from knapper.markup.leaves import Rule, code, definition, fence, flat, heading, html, math, paragraph, rule
from knapper.markup.raw import Raw
from knapper.markup.state import State
from knapper.markup.table import table
from knapper.text.span import Span

MAX_NESTING = 100
"""How deep blocks are taken apart; what lies deeper is read flat. A list takes two levels."""

MAX_QUOTATIONS = 20
"""How deep quotations are: markdown-it goes over all lines of a quotation again at every level."""

_STARTS: dict[str, tuple[Rule, ...]] = {
    "#": (heading,),
    ">": (quotation,),
    "`": (fence,),
    "~": (fence,),
    "-": (rule, item_list),
    "*": (rule, item_list),
    "_": (rule,),
    "+": (item_list,),
    **dict.fromkeys("0123456789", (item_list,)),
    "<": (html,),
    "[": (footnote, definition),
    "$": (math,),
    "%": (comment,),
}
_INTERRUPTS = _STARTS | {"[": (footnote,)}


def read_blocks(text: str, start: int, end: int) -> Raw:
    """What stands in `text[start:end]`, which are whole lines; offsets count from *text*'s start."""
    state = State(_MARKDOWN, _interrupts, text, start, end)
    _BLOCKS.tokenize(state, 0, state.lineMax)
    return state.found.raw()


class _Blocks(ParserBlock):
    """markdown-it's block parser with our own choice of rules."""

    def __init__(self) -> None:
        self.ruler = Ruler()
        self.ruler.push("quotation", _ends_quotation, {"alt": ["blockquote"]})
        self.ruler.push("item", _ends_item, {"alt": ["list"]})

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803
        """Read the blocks of one container."""
        state = cast("State", state)
        outermost = not state.containers
        line = startLine
        previous = None
        while line < endLine:
            while line < endLine and state.isEmpty(line):
                line += 1
            state.line = line
            if line >= endLine or state.sCount[line] < state.blkIndent:
                break
            state.previous = previous
            _read_block(state, line, endLine)
            previous = line, state.line
            if outermost:
                span = state.span(line, state.line)
                state.found.blocks.append(Span(state.bMarks[line], span.end))
            line = state.line
        state.tight = False  # Nobody asks, and to mark tight paragraphs would take a second pass.


def _read_block(state: State, line: int, end: int) -> None:
    if state.level >= MAX_NESTING or state.quotations >= MAX_QUOTATIONS:
        flat(state, line, end)
        return
    if state.sCount[line] - state.blkIndent >= 4:
        code(state, line, end, False)
        return
    for begins in _STARTS.get(state.src[state.first(line)], ()):
        if begins(state, line, end, False):
            return
    if not (state.has_bars and table(state, line, end, False)):
        paragraph(state, line, end)


def _interrupts(state: State, line: int, end: int) -> bool:
    """Whether a block that begins at *line* ends the paragraph or the table before it."""
    if _begins(state, line, end):
        return True
    return state.has_bars and state.parentType != "table" and table(state, line, end, True)


def _begins(state: State, line: int, end: int) -> bool:
    if state.sCount[line] - state.blkIndent >= 4:
        return False
    rules = _INTERRUPTS.get(state.src[state.first(line)], ())
    return any(begins(state, line, end, True) for begins in rules)


def _ends_quotation(state: StateBlock, line: int, end: int, silent: bool) -> bool:  # noqa: FBT001, ARG001
    return _begins(cast("State", state), line, end)


def _ends_item(state: StateBlock, line: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    # A line across the page looks like an item; nothing else that does ends a list.
    return rule(cast("State", state), line, end, silent)


_BLOCKS = _Blocks()
_MARKDOWN = MarkdownIt("commonmark")
_MARKDOWN.block = _BLOCKS
