"""What is asked, and what it is asked of: plain, frozen data. Knows notes by their paths; does nothing.

A *passage* is a piece of a note; the evidence for an answer is a few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import date

from knapper.search.pipeline import Aids
from knapper.search.port import LexicalIndex
from knapper.text.span import Place
from knapper.vault.paths import NotePath


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of the vault to answer from; what is given narrows, together.

    `note` is one note alone, `folder` a folder with those below it (`Garden`), `tag` a tag with those below
    it (`#bees` or `bees`), `linked` the notes that this note links to, that link to it, and itself.
    """

    note: NotePath | None = None
    folder: str | None = None
    tag: str | None = None
    linked: NotePath | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a question was selected: its text is that of a note, and may be as private as the note."""

    path: NotePath
    place: Place


@dataclass(frozen=True, slots=True)
class Memory:
    """A vault at one moment, as answering needs it. One thread may use it.

    `text_of` gives the text of a note as it is now: unsaved if it is open, else read from the disk at the
    time of the call; None if it is gone. `hidden` is true of notes that settings or Obsidian exclude; if it
    cannot be known which these are, `unsure` says why, and nothing is sent.
    `linked` gives the notes that a note links to or that link to it.
    """

    index: LexicalIndex
    aids: Aids
    today: date
    text_of: Callable[[NotePath], str | None]
    hidden: Callable[[NotePath], bool]
    linked: Callable[[NotePath], Collection[NotePath]]
    unsure: str = ""


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage to answer from, as the note had it at `digest`.

    `text` is what stands at `place`, character for character; `heading` is the path of headings above it
    (`Baking > Starter`). `digest` is of the whole note's text (`excerpt.digest_of`).
    """

    path: NotePath
    title: str
    heading: str
    place: Place
    text: str = field(repr=False)
    digest: str
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of this conversation that was answered. `host` is who wrote the answer: empty for nobody.

    `rests_on` is what of the notes its writer was shown: the turn may be as private as that is by now.
    """

    question: str = field(repr=False)
    answer: str = field(repr=False)
    host: str = ""
    rests_on: tuple[FoundPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question as a person types it. `turns` are what was asked before, oldest first."""

    text: str = field(repr=False)
    scope: Scope = Scope()
    turns: tuple[Turn, ...] = ()
    origin: Origin | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The passages for an answer, best first, at most 12 of 8 notes.

    `answers` says whether they hold an answer at all: if not, nobody is asked. `withheld` counts the passages
    that were left out because they are private and the others are to be sent.
    """

    passages: tuple[FoundPassage, ...] = ()
    answers: bool = False
    withheld: int = 0
    remarks: tuple[str, ...] = ()
