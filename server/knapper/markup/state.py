"""Where the reading of a note's blocks stands.

markdown-it's block rules work on this state as on their own. It differs in three ways: the lines are
marked in the original text, so that every offset is the original's (CRLF, NUL and all); no tokens and no
contents are made; and what is found goes into a `Found`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block.state_block import StateBlock
from markdown_it.token import Token

from knapper.markup.inline import scan
from knapper.markup.note import Region
from knapper.markup.raw import Found
from knapper.text.span import Span

Interrupts = Callable[["State", int, int], bool]

_LINE_END = re.compile(r"\r\n|\r|\n")
_INDENT = re.compile(r"[ \t]*")
_IGNORED = Token("", "", 0)
_NOWHERE = Span(0, 0)


class State(StateBlock):
    """The lines of `text[start:end]`, the open containers, and what has been found."""

    def __init__(self, md: MarkdownIt, interrupts: Interrupts, text: str, start: int, end: int) -> None:
        # The base class would read the whole text once more, so it is not asked.
        self.src = text
        self.md = md
        self.interrupts = interrupts  # whether another block begins at a line and ends a paragraph
        self.env = {}
        self.tokens: list[Token] = []
        self.line = self.level = self.blkIndent = 0
        self.ddIndent = self.listIndent = -1
        self.tight = False
        self.parentType = "root"
        self._code_enabled = True
        self.found = Found()
        self.containers: list[tuple[str, int]] = []  # the open ones: kind, and the index of the region
        self.previous: tuple[int, int] | None = None  # the lines of the block before in the same container
        self.quotations = 0  # how many are open
        self.comments = 0  # how many `%%` blocks are open
        self.dollars = (start, 0)  # up to where a paragraph was read for `$$`, and how many it had
        piece = text[start:end]
        self.has_returns = "\r" in piece
        self.has_bars = "|" in piece
        self._mark_lines(piece, start, end)

    def _mark_lines(self, piece: str, start: int, end: int) -> None:
        begins, ends = _lines_with_returns(piece, start) if self.has_returns else _lines(piece, start)
        if begins and begins[-1] == end:
            begins.pop()
            ends.pop()
        count = len(begins)
        self.tShift = shifts = [0] * (count + 1)
        self.sCount = indents = [0] * (count + 1)
        self.bsCount = [0] * (count + 1)
        src = self.src
        for line, begin in enumerate(begins):
            if src[begin] in " \t":
                indent = _INDENT.match(src, begin, ends[line])
                assert indent is not None
                shifts[line] = indent.end() - begin
                indents[line] = len(indent[0].expandtabs(4))
        begins.append(end)
        ends.append(end)
        self.bMarks, self.eMarks = begins, ends
        self.lineMax = count

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Keep count of the level; items become regions, other blocks are noted by their own rules."""
        if nesting < 0:
            self.level -= 1
            if ttype == "list_item_close":
                lines = self.tokens.pop().map
                assert lines is not None
                self.close("item", self.span(lines[0], self.line))
        elif nesting > 0:
            self.level += 1
            if ttype == "list_item_open":
                self.tokens.append(Token(ttype, tag, nesting))
                self.open("item")
                return self.tokens[-1]
        return _IGNORED

    def getLines(self, begin: int, end: int, indent: int, keepLastLF: bool) -> str:  # noqa: ARG002, FBT001, N802, N803 -- The signature is markdown-it's.
        """Nothing: the text is read where it stands."""
        return ""

    # --- what our own rules ask ---

    def first(self, line: int) -> int:
        """The offset of the first character of *line* that is no blank."""
        return self.bMarks[line] + self.tShift[line]

    def character(self, line: int) -> str:
        """The first character of *line* that is no blank; empty if there is none."""
        at = self.bMarks[line] + self.tShift[line]
        return self.src[at] if at < self.eMarks[line] else ""

    def span(self, line: int, end: int) -> Span:
        """The lines from *line* to before *end*, without the blanks before and the empty lines behind."""
        while end > line + 1 and self.isEmpty(end - 1):
            end -= 1
        return Span(self.bMarks[line] + self.tShift[line], self.eMarks[end - 1])

    def open(self, kind: str) -> None:
        """Open a container, whose region begins now."""
        self.containers.append((kind, len(self.found.regions)))
        self.found.regions.append(Region(kind, _NOWHERE))

    def close(self, kind: str, span: Span) -> None:
        """Close the innermost container, which takes *span*."""
        _, index = self.containers.pop()
        self.found.regions[index] = Region(kind, span)

    def add(self, kind: str, span: Span) -> None:
        """Note a region without blocks in it."""
        self.found.regions.append(Region(kind, span))

    def begin_paragraph(self, line: int) -> None:
        """Note that what *line* begins may have formulas that go over several lines."""
        self.dollars = (self.first(line), 0)

    def in_formula(self, at: int) -> bool:
        """Whether a `$$` that opened in this paragraph is not closed before *at*."""
        start, count = self.dollars
        count += self.src.count("$$", start, at)
        self.dollars = (at, count)
        return count % 2 == 1

    def find_closing(self, mark: str, line: int, end: int) -> tuple[int, int]:
        """The first line after *line* that holds *mark*, and its offset.

        Without one, the line at which the container ends and -1.
        """
        after = line + 1
        while after < end:
            if not self.isEmpty(after):
                if self.sCount[after] < self.blkIndent:
                    break
                at = self.src.find(mark, self.bMarks[after], self.eMarks[after])
                if at >= 0:
                    return after, at
            after += 1
        return after, -1

    def read(self, start: int, end: int, *, in_table: bool = False) -> None:
        """Look for links and the like between two offsets of the text."""
        content = self.src[start:end]
        if self.has_returns:
            content = content.replace("\r", "\n")
        scan(self.found, content, start, in_table=in_table, in_comment=self.comments > 0)

    def read_lines(self, line: int, end: int) -> None:
        """Look for links and the like in the lines of a paragraph."""
        if self.quotations and end > line + 1:
            # The marks of the quotations become blanks, so that they are no part of the text.
            parts = [self.src[self.first(line) : self.eMarks[line]]]
            for index in range(line + 1, end):
                parts.append("\n".ljust(self.bMarks[index] - self.eMarks[index - 1]))
                parts.append(self.src[self.bMarks[index] : self.eMarks[index]])
            scan(self.found, "".join(parts), self.first(line), in_comment=self.comments > 0)
        else:
            self.read(self.first(line), self.eMarks[end - 1])


def _lines(piece: str, start: int) -> tuple[list[int], list[int]]:
    begins, ends = [], []
    for line in piece.split("\n"):
        begins.append(start)
        start += len(line)
        ends.append(start)
        start += 1
    return begins, ends


def _lines_with_returns(piece: str, start: int) -> tuple[list[int], list[int]]:
    begins, ends = [start], []
    for match in _LINE_END.finditer(piece):
        ends.append(start + match.start())
        begins.append(start + match.end())
    ends.append(start + len(piece))
    return begins, ends
