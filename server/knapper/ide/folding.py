"""What of a note can be folded into one line."""

from __future__ import annotations

from collections.abc import Iterator

from knapper.ide.open_note import OpenNote
from knapper.ide.results import Fold
from knapper.ide.snapshot import Snapshot
from knapper.text.span import Span
from knapper.vault.paths import NotePath

_FOLDED = frozenset(
    {"frontmatter", "code", "math", "comment", "html", "table", "callout", "quote", "list", "item"}
)


def folding(snap: Snapshot, path: NotePath) -> list[Fold]:
    """The folds of the note at *path*, by their lines; blank lines at the end of one stay outside.

    Where two begin on the same line, an editor can fold only one: the longer is kept.
    """
    opened = snap.document(path)
    if opened is None:
        return []
    longest: dict[int, Fold] = {}
    for fold in _folds(opened):
        known = longest.get(fold.start_line)
        if known is None or fold.end_line > known.end_line:
            longest[fold.start_line] = fold
    return [longest[line] for line in sorted(longest)]


def _folds(opened: OpenNote) -> Iterator[Fold]:
    stretches = [(heading.section, "section") for heading in opened.parse.headings]
    stretches += [(region.span, region.kind) for region in opened.parse.regions if region.kind in _FOLDED]
    for span, kind in stretches:
        start, end = _lines(opened, span)
        if end > start:
            yield Fold(start, end, kind)


def _lines(opened: OpenNote, span: Span) -> tuple[int, int]:
    """The first and the last line of *span* that are not blank."""
    content = span.of(opened.text.content)
    end = span.start + len(content.rstrip())
    return opened.text.line_of(span.start), opened.text.line_of(max(span.start, end - 1))
