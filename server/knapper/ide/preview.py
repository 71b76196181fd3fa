"""A piece of a note or file to show: a section, a block or the beginning, cut at a sensible length.

Knows texts and places; must not know why somebody wants to see them.
"""

from __future__ import annotations

import re

from knapper.ide.meaning import BlockMeant, FileMeant, HeadingMeant
from knapper.ide.snapshot import Snapshot
from knapper.markup.frontmatter import body_start
from knapper.text.lines import Text
from knapper.text.span import Place
from knapper.vault.paths import NotePath, is_note, name_of

_LINES = 24
_CHARACTERS = 1600
_FENCE = re.compile(r"^\s*(?:>\s*)*(`{3,}|~{3,})")
_LINE_END = re.compile(r"\r\n|\r")

_KINDS = {
    "Image": "avif bmp gif ico jpeg jpg png svg webp",
    "Audio": "3gp flac m4a mp3 oga ogg opus wav",
    "Video": "mkv mov mp4 ogv webm",
    "PDF": "pdf",
    "Canvas": "canvas",
    "Base": "base",
}
_KIND_OF = {extension: kind for kind, extensions in _KINDS.items() for extension in extensions.split()}


def kind_of(path: str) -> str | None:
    """What Obsidian shows of a file that is no note, by its extension: `Image`, `PDF`…; None for others."""
    return _KIND_OF.get(name_of(path).rpartition(".")[2].lower())


def preview(snap: Snapshot, meaning: FileMeant | HeadingMeant | BlockMeant) -> str:
    """The beginning of what is meant, as Markdown; properties are left out. Empty if there is nothing."""
    opened = snap.document(meaning.path) if is_note(meaning.path) else None
    if opened is None:
        return ""
    match meaning:
        case HeadingMeant(_, heading):
            return shortened(_lines(opened.text, heading.place.line, heading.section_end))
        case BlockMeant(_, block):
            return shortened(_whole_lines(opened.text, block.block))
    content = opened.text.content
    return shortened(content[body_start(content) :])


def _lines(text: Text, first: int, end: int) -> str:
    """The lines from *first* up to *end*, as far as there are any."""
    starts = text.line_starts
    if first >= len(starts):
        return ""
    return text.content[starts[first] : starts[end] if end < len(starts) else len(text)]


def _whole_lines(text: Text, place: Place) -> str:
    """The lines of a block: a list item keeps its mark and its indentation is taken off."""
    lines = _lines(text, place.line, place.end_line + (1 if place.end else 0)).rstrip()
    indent = len(lines) - len(lines.lstrip(" \t"))
    return "\n".join(line[indent:] if not line[:indent].strip() else line for line in lines.split("\n"))


def shortened(markdown: str, lines: int = _LINES, characters: int = _CHARACTERS) -> str:
    """*markdown* cut after so many lines or characters, with `…` below; open code is closed."""
    whole = _LINE_END.sub("\n", markdown).strip("\n").rstrip()
    shown = whole[:characters].split("\n")[:lines]
    if len(whole) > characters and len(shown) > 1 and len(shown) < lines:
        shown.pop()  # It may be half a line.
    cut = "\n".join(shown).rstrip()
    if len(cut) == len(whole):
        return whole
    return f"{cut}{_closing(shown)}\n\n…"


def _closing(lines: list[str]) -> str:
    """What closes the code block that *lines* leave open, if they do."""
    fence = ""
    for line in lines:
        if match := _FENCE.match(line):
            if not fence:
                fence = match[1]
            elif match[1].startswith(fence):
                fence = ""
    return f"\n{fence}" if fence else ""


def readable_size(size: int) -> str:
    """`512 bytes`, `34 kB`, `1.2 MB`."""
    if size < 1000:
        return f"{size} byte{'' if size == 1 else 's'}"
    if size < 1_000_000:
        return f"{size / 1000:.0f} kB"
    return f"{size / 1_000_000:.1f} MB"


def title_of(snap: Snapshot, path: NotePath) -> str:
    """What a person calls the file: a note's title, else its name without `.md`."""
    note = snap.note(path)
    name = name_of(path)
    return (note and note.title) or (name[:-3] if is_note(path) else name)
