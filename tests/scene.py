"""A vault in one string, for tests.

    see [[Ada<|>]]              text before the first `//-` is `note.md`; `<|>` is the cursor
    //  ^^^^^^^ a mark          carets name a span of the line above, as that line is written here
    //^ "[[Ada]]" a mark        the same by its text, where carets cannot align (emoji, first two columns)
    //- /People/Ada.md          starts the next file
    text of Ada

`<|` and `|>` around a text select it instead. Marker lines are no part of the notes. Files that are
neither notes nor canvases are attachments; files in `.obsidian` are Obsidian's settings.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knapper.base.settings import Settings, read_settings
from knapper.ide.host import Host
from knapper.ide.snapshot import Snapshot
from knapper.markup.parse import parse
from knapper.text.lines import Text
from knapper.text.span import Span
from knapper.vault.note import Note, canvas_note, note_of
from knapper.vault.obsidian import read_obsidian
from knapper.vault.paths import NotePath, is_note
from knapper.vault.view import VaultView

CURSOR = "<|>"
_FILE = re.compile(r"//- /?(.+)")
_CARETS = re.compile(r"//( *)(\^+) ?(.*)")
_QUOTED = re.compile(r'//\^ "(.*?)"(?: (.*))?$')


@dataclass(frozen=True, slots=True)
class Mark:
    """A span of a file with the text that stands beside it."""

    path: NotePath
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Scene:
    """The files of a vault, and where the cursor, the selection and the marks are."""

    files: Mapping[NotePath, str]
    cursor: tuple[NotePath, int] | None = None
    selection: Span | None = None
    marks: tuple[Mark, ...] = ()

    @property
    def opened(self) -> NotePath:
        """The file that the editor has open: the cursor's, else the first."""
        return self.cursor[0] if self.cursor else next(iter(self.files))

    @property
    def offset(self) -> int:
        """Where the cursor is."""
        assert self.cursor, "the scene has no cursor"
        return self.cursor[1]


def scene(text: str) -> Scene:
    """The scene that *text* describes; its common indentation and first line break are left out."""
    files: dict[NotePath, str] = {}
    cursor: tuple[NotePath, int] | None = None
    selection: Span | None = None
    marks: list[Mark] = []
    for path, lines in _files(textwrap.dedent(text).removeprefix("\n")):
        written, spans = _without_marks(lines)
        files[path], markers = _without_markers(written)
        marks += [Mark(path, _moved(span, markers), label) for span, label in spans]
        if markers:
            assert cursor is None, "a scene has one cursor"
            found = _moved(Span(markers[0].start, markers[-1].start), markers)
            cursor = (path, found.start)
            selection = found if len(markers) > 1 else None
    return Scene(files, cursor, selection, tuple(marks))


def build_view(built: Scene, settings: Settings | None = None, seq: int = 0) -> VaultView:
    """The view of the scene's files as they are on disk."""
    shown = [path for path in built.files if not _is_hidden(path)]
    obsidian, _ = read_obsidian(lambda name: built.files.get(NotePath(name)))
    notes = [note_from(path, built.files[path]) for path in shown if _has_links(path)]
    return VaultView.build(notes, shown, obsidian, settings or Settings(), seq=seq)


def note_from(path: NotePath, content: str) -> Note:
    """The note or canvas with this text, as the index reads it."""
    if not is_note(path):
        return canvas_note(path, Text(content), size=len(content.encode()))
    return note_of(path, Text(content), parse(content), size=len(content.encode()))


def host_of(built: Scene, settings: Mapping[str, object] | None = None, opened: Iterable[str] = ()) -> Host:
    """A host of the scene's vault with the cursor's file open, and *opened*."""
    chosen, complaints = read_settings([settings])
    assert not complaints, complaints
    sizes = {path: len(content.encode()) for path, content in built.files.items()}
    host = Host(build_view(built, chosen), chosen, read=built.files.get, size=sizes.get)
    for path in dict.fromkeys([*map(NotePath, opened), built.opened]):
        host.open(path, 1, built.files[path])
    return host


def snapshot_of(
    built: Scene, settings: Mapping[str, object] | None = None, opened: Iterable[str] = ()
) -> Snapshot:
    """A snapshot of the scene's vault with the cursor's file open, and *opened*."""
    return host_of(built, settings, opened).snapshot()


def _files(text: str) -> list[tuple[NotePath, list[str]]]:
    found: list[tuple[NotePath, list[str]]] = [(NotePath("note.md"), [])]
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if match := _FILE.fullmatch(line):
            found.append((NotePath(match[1].strip()), []))
        elif number < len(lines) - 1:
            found[-1][1].append(line + "\n")
        elif line:
            found[-1][1].append(line)
    return found[1:] if len(found) > 1 and not found[0][1] else found


def _without_marks(lines: list[str]) -> tuple[str, list[tuple[Span, str]]]:
    """The text without the marker lines, and the spans in it that they name."""
    content, above = "", 0
    spans: list[tuple[Span, str]] = []
    for line in lines:
        bare = line.rstrip("\n")
        if match := _QUOTED.fullmatch(bare):
            start = content.index(match[1], above)
            spans.append((Span(start, start + len(match[1])), match[2] or ""))
        elif match := _CARETS.fullmatch(bare):
            spans.append((Span(above + match.start(2), above + match.end(2)), match[3]))
        else:
            above = len(content)
            content += line
    return content, spans


def _without_markers(content: str) -> tuple[str, list[Span]]:
    """The text without the cursor or the two ends of the selection, and where they were."""
    if match := re.search(r"<\|>", content):
        markers = [Span(*match.span())]
    elif match := re.search(r"(<\|).*?(\|>)", content, re.DOTALL):
        markers = [Span(*match.span(1)), Span(*match.span(2))]
    else:
        markers = []
    for marker in reversed(markers):
        content = content[: marker.start] + content[marker.end :]
    return content, markers


def _moved(span: Span, markers: list[Span]) -> Span:
    """Where *span* of the written text is once the markers are gone."""

    def moved(offset: int) -> int:
        return offset - sum(min(len(m), max(offset - m.start, 0)) for m in markers)

    return Span(moved(span.start), moved(span.end))


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _has_links(path: str) -> bool:
    return is_note(path) or path.lower().endswith(".canvas")
