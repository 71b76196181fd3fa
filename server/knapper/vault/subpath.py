"""Which heading or block the part of a link behind the `#` means.

Knows the headings and blocks of one note. A subpath that leads nowhere leaves the link resolved [O]:
it still means the note.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from knapper.markup.heading import strip_heading
from knapper.vault.note import Note, NoteBlock, NoteHeading
from knapper.vault.paths import is_note, key


def find_subpath(note: Note, subpath: str, markdown: bool) -> NoteHeading | NoteBlock | None:  # noqa: FBT001 -- A fact of the link.
    """What `#subpath` means in *note*: `Life`, nested `A#Life`, or the block `^id`; the first if several do.

    *markdown* says that a Markdown link asks, which may also write a slug: `#early-life`.
    """
    *_, last = subpath.split("#")
    if last.strip().startswith("^"):
        return find_block(note, last.strip()[1:])
    parts = [compared for part in subpath.split("#") if (compared := _compared(part))]
    found = _nested(note.headings, parts) or _nested(note.headings, [_compared(subpath)])
    return found or (_by_slug(note.headings, subpath) if markdown else None)


def find_block(note: Note, block_id: str) -> NoteBlock | None:
    """The first block of *note* with this id, without its caret, in any letter case [U]."""
    wanted = key(block_id)
    return next((block for block in note.blocks if key(block.id) == wanted), None)


def has_subpaths(path: str) -> bool:
    """Whether the file's headings are known: `doc.pdf#page=3` and `v.base#View` mean other things."""
    return is_note(path)


def names_a_part(subpath: str | None) -> bool:
    """Whether *subpath* can name a heading or block: `#`, `#^` and a footnote's `#[^1]` do not."""
    return bool(subpath and subpath.strip("#^ \t") and not subpath.startswith("[^"))


def slug(text: str) -> str:
    """The anchor that Markdown hosts give a heading: `What's new?` gives `whats-new`."""
    return re.sub(r"[^\w\- ]", "", key(text.strip())).replace(" ", "-")


def _compared(text: str) -> str:
    """A heading as headings compare: without what links cannot hold, without case [U]."""
    return key(strip_heading(text))


def _nested(headings: Sequence[NoteHeading], parts: Sequence[str]) -> NoteHeading | None:
    """The first heading named by the last part, below one named by the part before it, and so on."""
    if not parts or not parts[-1]:
        return None
    texts = [_compared(heading.text) for heading in headings]
    return _below(headings, texts, parts, range(len(headings)))


def _below(
    headings: Sequence[NoteHeading], texts: Sequence[str], parts: Sequence[str], where: range
) -> NoteHeading | None:
    for at in where:
        if texts[at] != parts[0]:
            continue
        if len(parts) == 1:
            return headings[at]
        if found := _below(headings, texts, parts[1:], _children(headings, at)):
            return found
    return None


def _children(headings: Sequence[NoteHeading], parent: int) -> range:
    """The headings in the section of *parent*, at any depth."""
    end = parent + 1
    while end < len(headings) and headings[end].level > headings[parent].level:
        end += 1
    return range(parent + 1, end)


def _by_slug(headings: Sequence[NoteHeading], subpath: str) -> NoteHeading | None:
    """Other tools write slugs, numbered where headings repeat: `#notes`, `#notes-1`. Never asked for [D]."""
    seen: dict[str, int] = {}
    for heading in headings:
        name = slug(heading.text)
        number = seen.get(name, 0)
        seen[name] = number + 1
        if key(subpath) == (f"{name}-{number}" if number else name):
            return heading
    return None
