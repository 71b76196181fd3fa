"""What an answer is, piece by piece and whole: plain, frozen data. Must not know how it is shown.

The pieces come in order: the texts of all `Said` together are the `text` of the `Answer`, which is last.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from knapper.memory.asked import FoundPassage
from knapper.text.span import START, Place
from knapper.vault.paths import NotePath


@dataclass(frozen=True, slots=True)
class Said:
    """The next words of the answer: checked and cleaned, never taken back. Markdown with markers `[1]`."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Cited:
    """What a marker means: `[number]` rests on `quote`, words of the passage. Comes before its first marker.

    `by_provider` says that the provider itself vouches for it. `changed` says that the note has another text
    now than when the passage was taken. `place` is where the quote stands in the note as it was then, and
    `heading` the path of headings above it; those of the passage if they are not given.
    """

    number: int
    passage: FoundPassage
    quote: str = field(repr=False)
    by_provider: bool = False
    changed: bool = False
    place: Place = START
    heading: str = ""

    def __post_init__(self) -> None:
        if self.place == START:
            object.__setattr__(self, "place", self.passage.place)
        if not self.heading:
            object.__setattr__(self, "heading", self.passage.heading)


@dataclass(frozen=True, slots=True)
class Sent:
    """What has left this machine for an answer (or this program, if the host is this machine)."""

    host: str
    notes: tuple[NotePath, ...]
    passages: int
    characters: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer. `provider` is `none` if nobody was asked; then `sent` is None.

    `also` are passages that were looked at and not cited, `unverified` the sentences of which a citation did
    not hold. `in_notes` is False if the notes do not say it. An answer that is not `complete` was cut off,
    and `remarks` say why. `rests_on` is all of the notes that it may hold words of: what whoever wrote it
    was shown, by earlier turns too, or what is quoted; and what the question was selected in.
    """

    text: str = field(repr=False)
    citations: tuple[Cited, ...] = ()
    also: tuple[FoundPassage, ...] = ()
    unverified: tuple[str, ...] = field(default=(), repr=False)
    provider: str = "none"
    model: str = ""
    sent: Sent | None = None
    complete: bool = True
    in_notes: bool = True
    remarks: tuple[str, ...] = ()
    rests_on: tuple[FoundPassage, ...] = field(default=(), repr=False)


Part = Said | Cited | Answer


@dataclass(frozen=True, slots=True)
class DryRun:
    """What would be sent, and to whom, if the question were asked: `body` is the very bytes."""

    host: str
    provider: str
    model: str
    tokens: int
    body: bytes = field(repr=False)
    passages: tuple[FoundPassage, ...] = ()
    withheld: int = 0
    remarks: tuple[str, ...] = ()
