"""Pieces of a note's text as passages: what stands at a span, under which headings, of which text.

Knows one note's text. Must not know what may be sent, nor how passages are found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from knapper.markup.note import Parse
from knapper.markup.parse import parse
from knapper.memory.asked import FoundPassage
from knapper.text.lines import Text
from knapper.text.span import Span
from knapper.vault.paths import NotePath, stem_of


def digest_of(text: str) -> str:
    """A hash of a note's whole text, by which it is known whether it has changed: 32 hexadecimal digits."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Source:
    """A note's text at one moment, and what is worked out of it once."""

    path: NotePath
    content: str

    @cached_property
    def text(self) -> Text:
        """The text with its lines."""
        return Text(self.content)

    @cached_property
    def parse(self) -> Parse:
        """What stands in it."""
        return parse(self.content)

    @cached_property
    def digest(self) -> str:
        """The hash of the text."""
        return digest_of(self.content)

    @property
    def title(self) -> str:
        """The note's title, which is its name if it has none of its own."""
        return self.parse.title or stem_of(self.path)

    def passage(self, span: Span, score: float = 0.0, without: Sequence[Span] = ()) -> FoundPassage:
        """The passage at *span*; its text is what stands there, character for character.

        What it says of where it stands tells nothing of what stands at *without*.
        """
        return FoundPassage(
            path=self.path,
            title=self._title_without(without),
            heading=" > ".join(self._headings_above(span, without)),
            place=self.text.place(span),
            text=span.of(self.content),
            digest=self.digest,
            score=score,
        )

    def _title_without(self, spans: Sequence[Span]) -> str:
        first = self.parse.headings[0] if self.parse.headings else None
        if first and first.text == self.parse.title and _touches(first.span, spans):
            return stem_of(self.path)
        return self.title

    def _headings_above(self, span: Span, without: Sequence[Span]) -> tuple[str, ...]:
        """The headings whose sections hold all of *span*, outermost first.

        A first one that only repeats the title is left out: in the note `# Bread` the section `## Starter`
        has `("Starter",)` above it, and two neighbouring sections together have what both stand below.
        """
        above = [
            heading.text
            for heading in self.parse.headings
            if heading.section.covers(span) and not _touches(heading.span, without)
        ]
        return tuple(above[1:] if above and above[0].casefold() == self.title.casefold() else above)


def _touches(span: Span, others: Sequence[Span]) -> bool:
    return any(other.start < span.end and span.start < other.end for other in others)
