"""Where a text names a note without linking to it.

A name counts as a whole word. Scripts that put no blanks between words have no such edges: there a name
counts wherever it stands. Must not know how the texts that may hold a name are found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Protocol

from knapper.base.cancel import CancelToken
from knapper.ide.open_note import OpenNote
from knapper.ide.results import BacklinkItem
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Parse
from knapper.text.lines import Text
from knapper.text.span import Span
from knapper.vault.note import context_of
from knapper.vault.paths import NotePath, is_note, stem_of

# Han, kana, Bopomofo, Hangul (whose particles follow a name without a blank), Thai, Lao, Khmer, Burmese.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W{_UNSPACED}]"  # of a script whose words have edges
_NO_PROSE = frozenset({"frontmatter", "code", "code-span", "math", "math-span", "html"})
_SHORTEST = 2  # characters: single letters are no mentions
_MOST_NAMES = 100  # each is looked for by itself in every text; nobody calls a note by more


class Candidates(Protocol):
    """The notes whose full text may hold a phrase; more is harmless, less loses mentions."""

    def __call__(self, phrase: str) -> Iterable[NotePath]: ...  # noqa: D102 -- See the class.


def unlinked(
    snap: Snapshot,
    path: NotePath,
    candidates: Candidates,
    *,
    limit: int = 100,
    token: CancelToken | None = None,
) -> list[BacklinkItem]:
    """The places in other notes that name the note at *path* without a link, at most *limit*, by path."""
    names = names_of(snap, path)
    pattern = pattern_of(names)
    if pattern is None:
        return []
    found: list[BacklinkItem] = []
    token = token or CancelToken()
    for source in _sources(snap, path, names, candidates):
        token.check()
        opened = snap.document(source)
        if opened is None or not pattern.search(opened.text.content):
            continue
        for span in unlinked_in(opened.text, opened.parse, names):
            context = context_of(opened.text, span)
            found.append(BacklinkItem(source, opened.place(span), context, embed=False))
        if len(found) >= limit:
            break
    return found[:limit]


def _sources(
    snap: Snapshot, path: NotePath, names: Iterable[str], candidates: Candidates
) -> Iterator[NotePath]:
    """The notes to look at: hidden ones mention nothing, and a note does not mention itself."""
    found = {source for name in names for source in candidates(name)}
    for source in sorted(found | snap.open_notes.keys()):
        if (
            source != path
            and is_note(source)
            and snap.names.has(source)
            and not snap.view.is_excluded(source)
        ):
            yield source


def names_of(snap: Snapshot, path: NotePath) -> tuple[str, ...]:
    """What a text may call the note: its file name and its first aliases."""
    note = snap.note(path)
    names = (stem_of(path), *(note.aliases if note else ()))
    return tuple(dict.fromkeys(name for name in names if len(name) >= _SHORTEST))[:_MOST_NAMES]


def pattern_of(names: Iterable[str]) -> re.Pattern[str] | None:
    """What finds any of *names*, the longest first; None for none."""
    ordered = sorted(names, key=len, reverse=True)
    parts = [f"{_edge(name[0], '<!')}{re.escape(name)}{_edge(name[-1], '!')}" for name in ordered if name]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def _edge(character: str, look: str) -> str:
    """A test for the edge of a word beside *character*, where its script has edges."""
    return f"(?{look}{_LETTER})" if re.match(_LETTER, character) else ""


def unlinked_in(text: Text, parse: Parse, names: Iterable[str]) -> list[Span]:
    """The mentions of *names* in *text*, which `parse` is of: not in links, tags, properties, code or math.

    `Ada met [[Ada]] in Adana` has one mention of `Ada`, the first.
    """
    pattern = pattern_of(names)
    if pattern is None:
        return []
    taken = no_prose(parse)
    starts = [span.start for span in taken]
    found = (Span(*match.span()) for match in pattern.finditer(text.content))
    return [span for span in found if not _overlaps(taken, starts, span)]


def no_prose(parse: Parse) -> list[Span]:
    """The stretches of a note in which nothing is mentioned, merged and in order."""
    spans = [link.span for link in parse.links]
    spans += [address.span for address in parse.addresses]
    spans += [definition.span for definition in parse.definitions]
    spans += [tag.span for tag in parse.tags]
    spans += [block.span for block in parse.block_ids]
    spans += [footnote.span for footnote in parse.footnotes]
    spans += [region.span for region in parse.regions if region.kind in _NO_PROSE]
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _overlaps(taken: list[Span], starts: list[int], span: Span) -> bool:
    before = bisect_right(starts, span.end - 1) - 1
    return before >= 0 and taken[before].end > span.start


def mention_at(opened: OpenNote, offset: int) -> Iterator[Span]:
    """The stretches of the line around *offset* that could be a name, the longest first.

    A name begins and ends with a word, or with a character of a script that has no blanks between words.
    """
    taken = no_prose(opened.parse)
    if _overlaps(taken, [span.start for span in taken], Span(offset, offset + 1)):
        return
    words = _words_around(opened.text, offset)
    touched = [index for index, word in enumerate(words) if word.holds(offset)]
    if not touched:
        return
    spans = {
        Span(words[first].start, words[last].end)
        for first in range(max(0, touched[0] - _PIECES), touched[-1] + 1)
        for last in range(max(first, touched[0]), min(len(words), touched[-1] + _PIECES))
    }
    yield from sorted(spans, key=lambda span: (-len(span), span.start))


_PIECES = 12
_REACH = 200  # characters to either side of the cursor
_PIECE = re.compile(rf"[{_UNSPACED}]|{_LETTER}+(?:['’]{_LETTER}+)*|[^\w\s]")


def _words_around(text: Text, offset: int) -> list[Span]:
    """The words and marks on the line near *offset*, without one that the reach cuts in two."""
    line = text.line_span(text.line_of(offset))
    low, high = max(line.start, offset - _REACH), min(line.end, offset + _REACH)
    words = [Span(*match.span()) for match in _PIECE.finditer(text.content, low, high)]
    return [
        word
        for word in words
        if (word.start > low or low == line.start) and (word.end < high or high == line.end)
    ]
