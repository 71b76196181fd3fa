"""The text of one paragraph, heading or cell: links, tags, addresses, and what hides them.

Knows Obsidian's inline syntax; must not know blocks. It reads from left to right and looks only at the
characters that can begin something, so plain text costs one search. Every search for a closing mark
remembers that there is none left, which keeps a flood of opening marks linear.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from knapper.markup.destination import find_destination, link_or_address
from knapper.markup.note import Address, Footnote, Link, LinkKind, Region, Tag
from knapper.markup.raw import Found, Use
from knapper.markup.tags import tag_at
from knapper.markup.wikilink import read_wikilink
from knapper.text.span import Span

# Every alternative begins with a plain character: only then does `re` skip to the next one at C speed.
_MARK = re.compile(r"\\|`|\[|\]|\$|<|#|%%|://")
_PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_BACKTICKS = re.compile(r"`+")
_DOLLAR_CLOSES = re.compile(r"(?<![\s\\$])\$(?![\d$])")
_FOOTNOTE = re.compile(r"\[\^([^\s\[\]]+)\]")
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.)*+)\]", re.DOTALL)
_MAX_LABEL = 999
_ANGLE_ADDRESS = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+)>")
_ANGLE_MAIL = re.compile(r"<([\w.!#$%&'*+/=?^`{|}~-]++@[A-Za-z0-9.-]++)>", re.ASCII)
_TAG_OF_HTML = re.compile(
    r"<(?:/[A-Za-z][A-Za-z0-9-]*+\s*+"
    r"|[A-Za-z][A-Za-z0-9-]*+"
    r"(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?+)*+\s*+/?)>",
    re.ASCII,
)
_SCHEME_BEFORE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,31}$")
_ADDRESS_PART = re.compile(r"(?:(?!%%)[^\s<>`\"()\[\]，。；：！？、（）【】《》「」『』“”])++|[()\[\]]")
_NOT_LAST = "?!.,:;*_~'"
_PAIRS = {"(": ")", "[": "]"}
_NEVER = 1 << 62


def scan(found: Found, content: str, base: int, *, in_table: bool = False, in_comment: bool = False) -> None:
    """Add what stands in *content*, which begins at *base* of the note, to *found*."""
    match = _MARK.search(content)
    if match is not None:
        _Scan(found, content, base, in_table=in_table, in_comment=in_comment).run(match)


class _Scan:
    """One reading of one stretch of inline text."""

    __slots__ = (
        "barrier",
        "base",
        "brackets",
        "comment_end",
        "content",
        "dollars",
        "floor",
        "found",
        "in_comment",
        "in_table",
        "known",
        "last_opening",
        "line_end",
        "runs",
    )

    def __init__(self, found: Found, content: str, base: int, *, in_table: bool, in_comment: bool) -> None:
        self.found = found
        self.content = content
        self.base = base
        self.in_table = in_table
        self.in_comment = in_comment
        self.floor = 0  # where what was last understood ends
        self.brackets: list[
            tuple[int, bool]
        ] = []  # the open ones, and whether an unescaped `!` stands before
        self.barrier = 0  # brackets that opened before it can become no link: one stands inside them
        self.comment_end = -1
        self.line_end = -1
        self.last_opening = (-1, -1)  # a `]]`, and the last `[[` before it
        self.known: dict[str, int] = {}  # closing mark -> where the next one is, as far as known
        self.runs: dict[int, list[int]] | None = None  # length of a run of backticks -> its places
        self.dollars: list[int] | None = None

    def run(self, match: re.Match[str] | None) -> None:
        content, search = self.content, _MARK.search
        while match is not None:
            self.floor = _HANDLERS[match[0]](self, match.start())
            match = search(content, self.floor)

    def span(self, start: int, end: int) -> Span:
        return Span(self.base + start, self.base + end)

    def next_of(self, mark: str, at: int) -> int:
        """Where the next *mark* from *at* on stands, or a place past every end. *at* must never go back."""
        place = self.known.get(mark, -1)
        if place < at:
            place = self.content.find(mark, at)
            if place < 0:
                place = _NEVER
            self.known[mark] = place
        return place

    def end_of_line(self, at: int) -> int:
        """The end of the line in which *at* stands."""
        if self.line_end < at:
            end = self.content.find("\n", at)
            self.line_end = len(self.content) if end < 0 else end
        return self.line_end

    # --- marks that hide what follows ---

    def escape(self, at: int) -> int:
        return at + 2 if self.content[at + 1 : at + 2] in _PUNCTUATION else at + 1

    def code(self, at: int) -> int:
        run = _BACKTICKS.match(self.content, at)
        assert run is not None
        end = self.code_end(at, run.end())
        if end:
            self.found.regions.append(Region("code-span", self.span(at, end)))
        return end or run.end()

    def code_end(self, start: int, end: int) -> int:
        """Where the code span whose opening backticks stand from *start* to *end* ends; 0 if it does not."""
        if self.runs is None:
            self.runs = {}
            for run in _BACKTICKS.finditer(self.content):
                self.runs.setdefault(run.end() - run.start(), []).append(run.start())
        places = self.runs.get(end - start, [])
        index = bisect_right(places, end - 1)
        return places[index] + end - start if index < len(places) else 0

    def dollar(self, at: int) -> int:
        if self.content.startswith("$$", at):
            close = self.next_of("$$", at + 2)
            end = close + 2 if close < _NEVER else 0
        else:
            end = self.math_end(at)
        if end:
            self.found.regions.append(Region("math-span", self.span(at, end)))
            return end
        return at + (2 if self.content.startswith("$$", at) else 1)

    def math_end(self, at: int) -> int:
        """Where the formula that opens at *at* ends: on the same line, with no blank inside its dollars."""
        following = self.content[at + 1 : at + 2]
        if not following or following.isspace():
            return 0
        if self.dollars is None:
            self.dollars = [match.start() for match in _DOLLAR_CLOSES.finditer(self.content)]
        index = bisect_right(self.dollars, at + 1)
        if index == len(self.dollars) or self.dollars[index] > self.end_of_line(at):
            return 0
        return self.dollars[index] + 1

    def comment(self, at: int) -> int:
        if at < self.comment_end:
            return self.comment_end
        close = self.next_of("%%", at + 2)
        if close < self.end_of_line(at):
            self.comment_end = close + 2
            self.found.regions.append(Region("comment", self.span(at, close + 2)))
        return at + 2

    def angle(self, at: int) -> int:
        content = self.content
        for opening, closing, kind in (("<!--", "-->", "html"), ("<%", "%>", "code-span")):
            if content.startswith(opening, at):
                close = self.next_of(closing, at + len(opening))
                if close < _NEVER:
                    end = close + len(closing)
                    self.found.regions.append(Region(kind, self.span(at, end)))
                    return end
        match = _TAG_OF_HTML.match(content, at)
        if match is not None:
            self.found.regions.append(Region("html", self.span(at, match.end())))
            return match.end()
        for pattern, prefix in ((_ANGLE_ADDRESS, ""), (_ANGLE_MAIL, "mailto:")):
            match = pattern.match(content, at)
            if match is not None:
                url = self.span(at + 1, match.end() - 1)
                self.found.addresses.append(Address(self.span(at, match.end()), prefix + match[1], url))
                return match.end()
        return at + 1

    def address(self, at: int) -> int:
        """A bare address: `https://x.org/[[a]]b` up to the next blank, without the punctuation at its end."""
        content = self.content
        scheme = _SCHEME_BEFORE.search(content, max(self.floor, at - 32), at)
        end = _address_end(content, at + 3) if scheme else at + 3
        if scheme is None or end == at + 3:
            return at + 3
        start = scheme.start()
        span = self.span(start, end)
        self.found.addresses.append(Address(span, content[start:end], span))
        return end

    # --- tags and links ---

    def tag(self, at: int) -> int:
        name = tag_at(self.content, at)
        if name is None:
            return at + 1
        self.found.tags.append(Tag(name, self.span(at, at + 1 + len(name))))
        return at + 1 + len(name)

    def opening(self, at: int) -> int:
        content = self.content
        bang = at > self.floor and content[at - 1] == "!"
        if content.startswith("[[", at):
            end = self.wikilink(at, embed=bang)
            if end:
                return end
        elif content.startswith("[^", at):
            match = _FOOTNOTE.match(content, at)
            if match is not None:
                self.found.footnotes.append(Footnote(match[1], self.span(at, match.end()), None))
                return match.end()
        self.brackets.append((at, bang))
        return at + 1

    def wikilink(self, at: int, *, embed: bool) -> int:
        """The end of the wikilink that opens at *at*, or 0: not on one line, or another opens inside."""
        content = self.content
        close = self.next_of("]]", at + 2)
        if close >= self.end_of_line(at):
            return 0
        if self.last_opening[0] != close:
            self.last_opening = (close, content.rfind("[[", at, close))
        if self.last_opening[1] > at or self.code_crosses(at, close):
            return 0
        link = read_wikilink(
            LinkKind.EMBED if embed else LinkKind.WIKILINK,
            content,
            Span(at - 1 if embed else at, close + 2),
            self.base,
            in_table=self.in_table,
            in_comment=self.in_comment or at < self.comment_end,
        )
        if link is None:
            return 0
        self.found.links.append(link)
        return close + 2

    def code_crosses(self, start: int, close: int) -> bool:
        """Whether a code span opens between *start* and *close* and ends behind."""
        at = start
        while run := _BACKTICKS.search(self.content, at, close):
            at = self.code_end(run.start(), run.end()) or run.end()
            if at > close:
                return True
        return False

    def closing(self, at: int) -> int:
        if not self.brackets:
            return at + 1
        start, image = self.brackets.pop()
        content = self.content
        following = content[at + 1 : at + 2]
        if following == "(" and (image or start >= self.barrier):
            end = self.markdown_link(start, at, image=image)
            if end:
                return end
        if content[start + 1] != "^" and not (start and content[start - 1] == "^"):
            self.may_use(start, at, image=image)
        return at + 1

    def may_use(self, start: int, close: int, *, image: bool) -> None:
        """Note that the brackets at *start* and *close* may be a reference link."""
        if close - start > _MAX_LABEL:
            return
        content = self.content
        label, end = content[start + 1 : close], close + 1
        if content.startswith("[", end) and (match := _LABEL.match(content, end)):
            label, end = match[1] or label, match.end()
        if len(label) <= _MAX_LABEL and "[" not in label and label.strip():
            whole = self.span(start - 1 if image else start, end)
            self.found.uses.append(Use(whole, label, self.span(start + 1, close), image))

    def markdown_link(self, start: int, close: int, *, image: bool) -> int:
        """The end of `[text](destination)` whose text's brackets are given, or 0 if it is none."""
        found = find_destination(self.content, close + 1)
        if found is None:
            return 0
        link = link_or_address(
            LinkKind.IMAGE if image else LinkKind.MARKDOWN,
            self.content,
            Span(start - 1 if image else start, found.end),
            found,
            self.base,
            in_table=self.in_table,
            in_comment=self.in_comment or start < self.comment_end,
        )
        if isinstance(link, Link):
            self.found.links.append(link)
        elif link is not None:
            self.found.addresses.append(link)
        if not image:
            self.barrier = start
        return found.end


def _address_end(content: str, start: int) -> int:
    """Where a bare address ends: before a bracket that closes nothing, without the last punctuation."""
    depth = {")": 0, "]": 0}
    at = start
    while part := _ADDRESS_PART.match(content, at):
        if part[0] in _PAIRS:
            depth[_PAIRS[part[0]]] += 1
        elif part[0] in depth:
            if depth[part[0]] == 0:
                break
            depth[part[0]] -= 1
        at = part.end()
    return start + len(content[start:at].rstrip(_NOT_LAST))


_HANDLERS: dict[str, Callable[[_Scan, int], int]] = {
    "\\": _Scan.escape,
    "`": _Scan.code,
    "[": _Scan.opening,
    "]": _Scan.closing,
    "$": _Scan.dollar,
    "<": _Scan.angle,
    "#": _Scan.tag,
    "%%": _Scan.comment,
    "://": _Scan.address,
}
