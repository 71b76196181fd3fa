"""What completion answers: items with the exact edit that accepting each of them means.

Also decides the two texts by which clients filter and sort, so that the order is the server's in every
editor. Must not know where the choices come from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from knapper.ide.completion.context import Slot
from knapper.ide.results import Command, TextEdit
from knapper.text.lines import Text
from knapper.text.span import Span

LIMIT = 100
"""More items cost more to send than anybody reads."""

SEARCHED = 50
"""How many of what was searched in a whole vault: the list is asked for again with every letter."""


@dataclass(frozen=True, slots=True)
class Client:
    """What decides which edits a client can be given.

    `replaces`: it takes away text right of the cursor when an edit says so (`insertReplaceSupport`).
    Neovim's own completion does not, and would leave closing brackets behind those of the item.
    """

    replaces: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to choose, and the text that takes the slot's place.

    Kinds: `note`, `file`, `alias`, `unresolved`, `heading`, `block`, `tag`, `property`, `value`, `label`,
    `footnote`, `callout`.
    """

    label: str
    kind: str
    new: str
    detail: str = ""  # where it belongs: a note's path
    description: str = ""  # a few words: `alias`, `3 times`
    extra_edits: tuple[TextEdit, ...] = ()
    command: Command | None = None
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """What is offered for a slot, in the order of rank. `incomplete`: more letters may find others."""

    slot: Slot
    choices: Sequence[Choice]
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A choice as an editor shows it. All items of an answer have an edit that begins at one place.

    `extra_edits` are of the same file, elsewhere. `command` is to be run once the item was accepted: it
    writes a block id into another note. `data` is what `resolve.documentation` wants to see again.
    """

    label: str
    kind: str
    edit: TextEdit
    filter_text: str
    sort_text: str
    detail: str = ""
    description: str = ""
    extra_edits: tuple[TextEdit, ...] = ()
    command: Command | None = None
    data: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Completions:
    """The items, best first. `incomplete`: ask again when more is typed."""

    items: tuple[Item, ...] = ()
    incomplete: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """Where and when something is completed: the open text, where the line begins, and the time."""

    text: Text
    line_start: int
    offset: int
    now: datetime


def completions(moment: Moment, offer: Offer) -> Completions:
    """The answer with what is offered: no more than `LIMIT` items, in the order of rank."""
    slot = offer.slot
    place = moment.text.place(Span(slot.start, slot.end).shift(moment.line_start))
    items = tuple(
        Item(
            choice.label,
            choice.kind,
            TextEdit(place, slot.lead + choice.new),
            filter_text(slot.typed, choice.label),
            f"{rank:04d}",
            choice.detail,
            choice.description,
            choice.extra_edits,
            choice.command,
            choice.data,
        )
        for rank, choice in enumerate(offer.choices[:LIMIT])
    )
    return Completions(items, offer.incomplete or len(offer.choices) > LIMIT)


def filter_text(typed: str, label: str) -> str:
    """What clients match *typed* with: `my no` and `My notebook` give `no my no My notebook`.

    The server has matched already, by more than a label shows (paths, folded letters), so every item
    begins with what was typed: all match equally well and the order stays the server's. The label
    behind it keeps an item while more is typed and the next answer is on its way. The last word in
    front is for clients that match only the word at the cursor, by its beginning.
    """
    word = re.split(r"[^\w-]", typed)[-1]
    parts = dict.fromkeys(part for part in (word, typed, label) if part)
    return " ".join(parts)
