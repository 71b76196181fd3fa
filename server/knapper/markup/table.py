"""Tables: which lines are one, and where its cells are.

Each cell is read by itself, for nothing goes from one cell into the next. A bar between the brackets of a
wikilink parts no cells, although Markdown says so: Obsidian's users forget the backslash.
"""
# ruff: noqa: FBT001 -- `silent` is part of the form of a rule.

from __future__ import annotations

import re
from collections.abc import Iterator

from knapper.markup.leaves import find_id
from knapper.markup.state import State

_DELIMITERS = re.compile(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+")
_CELL_END = re.compile(r"\[\[[^\[\]\n]*+\]\]|\\.|\|")
_BAR = re.compile(r"\\.|\|")


def table(state: State, line: int, end: int, silent: bool) -> bool:
    """A row of headings over a row of dashes with as many cells, and the rows below."""
    if line + 2 > end or not _is_head(state, line):
        return False
    if silent:
        return True
    state.line = after = _end_of_rows(state, line, end)
    span = state.span(line, after)
    state.add("table", span)
    for row in range(line, after):
        if row == line + 1:
            continue
        start, stop = state.first(row), state.eMarks[row]
        if row == after - 1 and (found := find_id(state, start, stop)) and found[0].start == start:
            state.found.ids.append((*found, span))
            continue
        for cell_start, cell_stop in _cells(_CELL_END, state.src, start, stop):
            state.read(cell_start, cell_stop, in_table=True)
    return True


def _is_head(state: State, line: int) -> bool:
    below = line + 1
    if state.sCount[below] < state.blkIndent or state.is_code_block(below) or state.is_code_block(line):
        return False
    at, stop = state.first(below), state.eMarks[below]
    if at >= stop or state.src[at] not in "|:-" or state.src[at : at + 2] in ("- ", "-\t"):
        return False
    if not _DELIMITERS.fullmatch(state.src, at, stop):
        return False
    start, end = state.first(line), state.eMarks[line]
    if state.src.find("|", start, end) < 0:
        return False
    width = _width(_BAR, state.src, at, stop)
    return width in (_width(_BAR, state.src, start, end), _width(_CELL_END, state.src, start, end))


def _end_of_rows(state: State, line: int, end: int) -> int:
    parent, state.parentType = state.parentType, "table"
    state.begin_paragraph(line)
    after = line + 2
    while after < end and not state.isEmpty(after):
        if not 0 <= state.sCount[after] - state.blkIndent < 4 or state.interrupts(state, after, end):
            break
        after += 1
    state.parentType = parent
    return after


def _width(end: re.Pattern[str], src: str, start: int, stop: int) -> int:
    cells = list(_cells(end, src, start, stop))
    if len(cells) > 1 and not src[slice(*cells[0])].strip():
        cells.pop(0)
    if len(cells) > 1 and not src[slice(*cells[-1])].strip():
        cells.pop()
    return len(cells)


def _cells(end: re.Pattern[str], src: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    for match in end.finditer(src, start, stop):
        if match[0] == "|":
            yield start, match.start()
            start = match.end()
    yield start, stop
