r"""Where a Markdown link leads: the part `(N.md#Head "title")` of `[text](N.md#Head "title")`.

Knows CommonMark's grammar of destinations and percent-encoding; must not know where such parts stand.
"""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from knapper.markup.note import Address, Link, LinkKind
from knapper.text.span import Span

_TITLE = r"""(?:"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))"""
_OPEN = re.compile(r"\([ \t\n]*+")
_TAIL = re.compile(rf"(?:[ \t\n]++{_TITLE})?+[ \t\n]*+\)", re.DOTALL)
_ANGLE = re.compile(r"<((?:[^<>\n\\]|\\.)*+)>")
_PIECE = re.compile(r"[^\x00-\x20\x7f()\\]++|\\[^\n]|[()]")
_MAX_PARENTHESES = 32  # as CommonMark allows; it also bounds what `[a](` repeated costs
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")

DEFINITION = re.compile(
    rf"\[((?:[^\[\]\\]|\\.)++)\]:[ \t]*+(<(?:[^<>\\]|\\.)*+>|[^\s<]\S*+)(?:[ \t]++{_TITLE})?+[ \t]*+"
)
"""A reference definition, which takes a whole line: groups for the label and the destination."""


class Destination(NamedTuple):
    """A destination as found: where the part in parentheses begins and ends, and what is the destination."""

    opening: int
    end: int
    start: int
    stop: int
    angle: bool


def find_destination(content: str, at: int) -> Destination | None:
    """The destination in the parentheses that open at *at*, or None where it is not well formed."""
    opening = _OPEN.match(content, at)
    assert opening is not None
    start = opening.end()
    if content.startswith("<", start):
        match = _ANGLE.match(content, start)
        if match is None:
            return None
        start, stop, after, angle = start + 1, match.end() - 1, match.end(), True
    else:
        stop, angle = _bare_end(content, start), False
        after = stop
    tail = _TAIL.match(content, after)
    return Destination(at, tail.end(), start, stop, angle) if tail else None


def is_external(written: str) -> bool:
    """Whether a destination leaves the vault: `https://x.org`, `mailto:a@b.c`, `obsidian://open`."""
    return _SCHEME.match(written) is not None


def decode(written: str) -> str:
    r"""What a destination means: `My%20Note.md` is `My Note.md`; a malformed escape (`50%.md`) stays."""
    if "\\" in written:
        written = _ESCAPED.sub(r"\1", written)
    if "&" in written:
        written = ENTITY.sub(lambda match: html.unescape(match[0]), written)
    if "%" in written:
        written = _PERCENT.sub(_decode_bytes, written)
    return written


def link_or_address(
    kind: LinkKind, content: str, whole: Span, found: Destination, base: int, **flags: bool
) -> Link | Address | None:
    """The link at *whole*, an address if it leaves the vault, None if it leads nowhere: `[a]()`, `[a](/)`.

    *content* begins at *base* of the note; *flags* are those of `Link`.
    """
    written = content[found.start : found.stop]
    start, stop = base + found.start, base + found.stop
    text_start, text_stop = whole.start + (2 if content[whole.start] == "!" else 1), found.opening - 1
    display_span = Span(base + text_start, base + text_stop)
    if is_external(written):
        return Address(whole.shift(base), decode_url(written), Span(start, stop), display_span)
    target, mark, subpath = written.partition("#")
    if target in ("", "/") and not subpath:
        return None
    middle = start + len(target)
    return Link(
        kind,
        whole.shift(base),
        decode(target),
        Span(start, middle),
        decode(subpath) if mark else None,
        Span(middle + 1, stop) if mark else None,
        content[text_start:text_stop],
        display_span,
        markdown=True,
        angle=found.angle,
        **flags,
    )


def decode_url(written: str) -> str:
    """An address as it is opened: Markdown's escapes are undone, percent-encoding stays."""
    if "\\" in written:
        written = _ESCAPED.sub(r"\1", written)
    if "&" in written:
        written = ENTITY.sub(lambda match: html.unescape(match[0]), written)
    return written


def _bare_end(content: str, start: int) -> int:
    depth, at = 0, start
    while match := _PIECE.match(content, at):
        if match[0] == "(":
            depth += 1
            if depth > _MAX_PARENTHESES:
                return start
        elif match[0] == ")":
            if depth == 0:
                return at
            depth -= 1
        at = match.end()
    return at if depth == 0 else start


def _decode_bytes(match: re.Match[str]) -> str:
    try:
        return bytes.fromhex(match[0].replace("%", "")).decode("utf-8")
    except UnicodeDecodeError:
        return match[0]
