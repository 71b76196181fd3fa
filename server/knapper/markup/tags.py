"""The alphabet of tags, and where a tag may begin.

Shared by the parser and by completion, which must agree on what a tag is.
"""

from __future__ import annotations

import re

# Obsidian takes any character that is no blank and no punctuation; the zero-width joiners hold emoji and
# Persian words together. The full-width punctuation of East Asian scripts ends a tag as ASCII's does.
_NOT_IN_TAG = (
    r"\s\u2000-\u200b\u200e-\u206f\u2e00-\u2e7f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    r"'!\"#$%&()*+,.:;<=>?@^`{|}~\[\]\\\x00"
)
_TAG = re.compile(rf"#([^{_NOT_IN_TAG}]+)")
_NAME = re.compile(rf"[^{_NOT_IN_TAG}]+")
_BEFORE = frozenset("([{*_~=|%>\"',;（「『【《“‘")
_SOMETHING = re.compile(r"[^\d/]")


def is_tag(name: str) -> bool:
    """Whether *name* is a tag's name, without `#`: `a/b` and `2024/plan` are, `1984`, `a b`, `/a` are not."""
    return (
        _NAME.fullmatch(name) is not None
        and not name.startswith("/")
        and not name.endswith("/")
        and _SOMETHING.search(name) is not None
    )


def tag_at(content: str, at: int) -> str | None:
    """The name of the tag whose `#` stands at *at*: `a` for `see #a.`, None in `x#a`, `##a`, `#12`.

    It says nothing about code, links or addresses around it.
    """
    if at and not content[at - 1].isspace() and content[at - 1] not in _BEFORE:
        return None
    match = _TAG.match(content, at)
    if match is None:
        return None
    name = match[1].rstrip("/")
    return name if is_tag(name) else None
