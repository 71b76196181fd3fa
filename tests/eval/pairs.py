"""Links taken out of a real vault, text included, to see whether related notes find them again.

`See [[Flour]] and rest.` of Kneading.md   ->   `See  and rest.`, wanted: Flour.md

Two ways. *One link*: one link of a note is hidden, and its target is wanted. *Half the links*: half of a
note's links are hidden, to others and from others, and the notes at their far ends are wanted.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
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
class Question:
    """A note that is asked for related ones, some of its links hidden, and the notes they led to.

    `texts` are the notes as they stand without these links. `known` are those it is still linked with: they
    are no answer, and are taken out of every ranking.
    """

    number: int
    note: NotePath
    texts: Mapping[NotePath, str]
    wanted: frozenset[NotePath]
    known: frozenset[NotePath]

    @property
    def text(self) -> str:
        """What is left of the note that is asked."""
        return self.texts[self.note]

    def view(self, view: VaultView) -> VaultView:
        """*view* without the links."""
        notes = [
            note_of(path, Text(text), parse(text), view.notes[path].modified)
            for path, text in self.texts.items()
        ]
        return view.apply(Delta(view.seq, notes=tuple(notes)))


def one_link(root: Path, view: VaultView, most: int) -> list[Question]:
    """At most so many links of the vault, always the same ones, numbered from 1.

    Notes give about as many each, and get three at most, or a few indexes would be the whole measure; and
    none whose target links back, which would give it away.
    """
    pairs = sorted(_pairs(view))
    random.Random(1).shuffle(pairs)
    most_from = -(-most // max(len({source for source, _ in pairs}), 1)) + 1
    given: Counter[NotePath] = Counter()
    got: Counter[NotePath] = Counter()
    found: list[Question] = []
    for source, target in pairs:
        full = given[source] >= most_from or got[target] >= _MOST_TO
        if full or source in view.graph.outgoing(target) or view.is_excluded(target):
            continue
        text = without_links(root, view, source, {target})
        if text is not None and len(text) >= _FEWEST_CHARACTERS:
            given[source] += 1
            got[target] += 1
            known = frozenset(path for path in view.graph.outgoing(source) if path is not None) - {target}
            wanted = frozenset({target})
            found.append(Question(len(found) + 1, source, {source: text}, wanted, known))
        if len(found) == most:
            break
    return found


def half_the_links(root: Path, view: VaultView, most: int) -> list[Question]:
    """At most so many notes of the vault, always the same ones, numbered from 1: each asks once.

    Half of a note's links are hidden, the larger half if they are odd, in the texts of both ends. Notes with
    one of these in their properties are not asked.
    """
    ends: defaultdict[NotePath, set[NotePath]] = defaultdict(set)
    for source, target in _pairs(view):
        if not view.is_excluded(source) and not view.is_excluded(target):
            ends[source].add(target)
            ends[target].add(source)
    notes = sorted(ends)
    order = random.Random(1)
    order.shuffle(notes)
    found: list[Question] = []
    for note in notes:
        others = sorted(ends[note])
        wanted = frozenset(order.sample(others, -(-len(others) // 2)))
        texts = _texts_without(root, view, note, wanted)
        if texts is not None and len(texts[note]) >= _FEWEST_CHARACTERS:
            found.append(Question(len(found) + 1, note, texts, wanted, frozenset(ends[note]) - wanted))
        if len(found) == most:
            break
    return found


def _pairs(view: VaultView) -> Iterator[tuple[NotePath, NotePath]]:
    """The notes that are linked: source and target."""
    for source in view.notes:
        for target in set(view.graph.outgoing(source)):
            if target is not None and target != source and is_note(target) and is_note(source):
                yield source, target


def _texts_without(
    root: Path, view: VaultView, note: NotePath, others: Collection[NotePath]
) -> dict[NotePath, str] | None:
    """The texts of *note* and of those of *others* that link to it, without all links between them."""
    texts = {note: without_links(root, view, note, others)}
    for other in others:
        if note in view.graph.outgoing(other):
            texts[other] = without_links(root, view, other, {note})
    found = {path: text for path, text in texts.items() if text is not None}
    return found if len(found) == len(texts) else None


def without_links(root: Path, view: VaultView, source: NotePath, targets: Collection[NotePath]) -> str | None:
    """The text of *source* without all its links to *targets*; None if one stands in its properties.

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
        if resolve_link(view.names, source, known) in targets
    ]
    names = {target.rpartition("/")[2] for target in targets}
    names |= {name[:-3] for name in names}
    spans += [item.span for item in parsed.definitions if item.target.rpartition("/")[2] in names]
    head = text.find("\n---", 3) if text.startswith("---") else 0
    if any(span.start < head for span in spans):
        return None
    for span in sorted(set(spans), key=lambda span: -span.start):
        text = text[: span.start] + text[span.end :]
    kept = (line for line in text.split("\n") if line.strip() == "" or not _BULLET.fullmatch(line))
    return "\n".join(kept)
