"""Links taken out of a real vault, text included, to see whether related notes find them again.

`See [[Flour]] and rest.` of Kneading.md   ->   `See  and rest.`, wanted: Flour.md
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from knapper.markup.parse import parse
from knapper.text.lines import Text
from knapper.vault.note import note_of
from knapper.vault.paths import NotePath, is_note
from knapper.vault.resolve import resolve_link
from knapper.vault.view import Delta, VaultView

_FEWEST_CHARACTERS = 200  # of what is left of a note
_MOST_TO = 3
_BULLET = re.compile(r"\s*(?:[-*+]|\d+\.)?\s*$")


@dataclass(frozen=True)
class HiddenLink:
    """The note that had the link, its text without it, and the note it led to."""

    number: int
    source: NotePath
    text: str
    target: NotePath

    def linked(self, view: VaultView) -> frozenset[NotePath]:
        """The notes that the source still links to: they are known, and no answer."""
        others = (path for path in view.graph.outgoing(self.source) if path not in (None, self.target))
        return frozenset(path for path in others if path is not None)

    def view(self, view: VaultView) -> VaultView:
        """*view* without the link."""
        content = Text(self.text)
        note = note_of(self.source, content, parse(self.text), view.notes[self.source].modified)
        return view.apply(Delta(view.seq, notes=(note,)))


def hidden_links(root: Path, view: VaultView, most: int) -> list[HiddenLink]:
    """At most so many links of the vault, always the same ones, numbered from 1.

    Notes give about as many each, and get three at most, or a few indexes would be the whole measure; and
    none whose target links back, which would give it away.
    """
    pairs = sorted(
        {
            (source, target)
            for source in view.notes
            for target in view.graph.outgoing(source)
            if target is not None and target != source and is_note(target) and is_note(source)
        }
    )
    random.Random(1).shuffle(pairs)
    most_from = -(-most // max(len({source for source, _ in pairs}), 1)) + 1
    given: Counter[NotePath] = Counter()
    got: Counter[NotePath] = Counter()
    found: list[HiddenLink] = []
    for source, target in pairs:
        full = given[source] >= most_from or got[target] >= _MOST_TO
        if full or source in view.graph.outgoing(target) or view.is_excluded(target):
            continue
        text = without_links(root, view, source, target)
        if text is not None and len(text) >= _FEWEST_CHARACTERS:
            given[source] += 1
            got[target] += 1
            found.append(HiddenLink(len(found) + 1, source, text, target))
        if len(found) == most:
            break
    return found


def without_links(root: Path, view: VaultView, source: NotePath, target: NotePath) -> str | None:
    """The text of *source* without all its links to *target*; None if one stands in its properties.

    The definitions of reference links go as well, and lines that held nothing else.
    """
    text = (root / source).read_bytes().decode("utf-8-sig", "replace")
    parsed = parse(text)
    note = view.notes[source]
    if len(parsed.links) != len(note.links):
        return None
    spans = [
        link.span
        for link, known in zip(parsed.links, note.links, strict=True)
        if resolve_link(view.names, source, known) == target
    ]
    name = target.rpartition("/")[2]
    spans += [item.span for item in parsed.definitions if item.target.rpartition("/")[2] in (name, name[:-3])]
    head = text.find("\n---", 3) if text.startswith("---") else 0
    if any(span.start < head for span in spans):
        return None
    for span in sorted(set(spans), key=lambda span: -span.start):
        text = text[: span.start] + text[span.end :]
    kept = (line for line in text.split("\n") if line.strip() == "" or not _BULLET.fullmatch(line))
    return "\n".join(kept)
