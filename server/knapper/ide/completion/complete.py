"""Completion: what is offered at a cursor.

Reads the cursor's line (`context`), asks the parse only whether the cursor is in code, math or a table, and
joins what is offered there into one answer. Runs with every keystroke.
"""

from __future__ import annotations

from datetime import datetime

from knapper.base.cancel import CancelToken
from knapper.ide.completion.context import (
    Callout,
    Destination,
    FootnoteUse,
    Label,
    TagUse,
    Wikilink,
    context_at,
)
from knapper.ide.completion.items import Choice, Client, Completions, Moment, Offer, completions
from knapper.ide.completion.links import Asked, in_destination, in_wikilink
from knapper.ide.completion.properties import property_names, property_values
from knapper.ide.completion.property_context import (
    PropertyContext,
    PropertyName,
    PropertyValue,
    in_properties,
    property_context_at,
)
from knapper.ide.completion.standing import callouts, footnotes, labels
from knapper.ide.completion.tags import known_tags
from knapper.ide.open_note import OpenNote
from knapper.ide.snapshot import Snapshot
from knapper.markup.mask import opaque_at
from knapper.vault.paths import NotePath, is_note

_OPAQUE = frozenset({"code", "code-span", "math", "math-span", "html"})
_PLAIN = Client()


def complete(
    snap: Snapshot,
    path: NotePath,
    offset: int,
    token: CancelToken,
    client: Client = _PLAIN,
    now: datetime | None = None,
) -> Completions:
    """What can be written at *offset* of the note at *path*; *now* is for properties that hold dates."""
    note = snap.document(path)
    if note is None or not is_note(path):
        return Completions()
    line = note.text.line_of(offset)
    span = note.text.line_span(line)
    moment = Moment(note.text, span.start, offset, now or datetime.now().astimezone())
    context, in_table = _context(note, moment, span.of(note.text.content))
    if isinstance(context, Wikilink | Destination):
        asked = Asked(snap, path, span.of(note.text.content), offset, in_table, client.replaces, token)
        offer = (
            in_wikilink(asked, context) if isinstance(context, Wikilink) else in_destination(asked, context)
        )
    else:
        offer = _offer(snap, note, moment, context)
    return completions(moment, offer) if offer else Completions()


def _context(note: OpenNote, moment: Moment, line: str) -> tuple[PropertyContext | None, bool]:
    """What is being typed, and whether in a table; nothing in code, math and HTML."""
    column = moment.offset - moment.line_start
    if in_properties(note.text.content, moment.line_start):
        return property_context_at(note.text.content, moment.line_start, line, column), False
    # The cheap look at the line comes first: most keystrokes are plain words and need no parse.
    found = context_at(line, column)
    if found is None or opaque_at(note.parse, moment.offset) in _OPAQUE:
        return None, False
    in_table = _in_table(note, moment.offset)
    return context_at(line, column, in_table=in_table), in_table


def _in_table(note: OpenNote, offset: int) -> bool:
    return any(region.kind == "table" and region.span.holds(offset) for region in note.parse.regions)


def _offer(snap: Snapshot, note: OpenNote, moment: Moment, context: PropertyContext | None) -> Offer | None:
    match context:
        case TagUse():
            choices = _tags(snap, note.path, moment, context)
        case PropertyName():
            choices = property_names(snap, moment, context)
        case PropertyValue():
            choices = property_values(snap, note.path, moment, context)
        case Label():
            choices = labels(note, context)
        case FootnoteUse():
            choices = footnotes(note, context, moment.offset)
        case Callout():
            choices = callouts(note, context, moment.offset)
        case _:
            return None
    return Offer(context.slot, choices)


def _tags(snap: Snapshot, path: NotePath, moment: Moment, context: TagUse) -> list[Choice]:
    hash_mark = "" if context.in_properties else "#"
    return [
        Choice(
            hash_mark + tag.name,
            "tag",
            hash_mark + tag.name,
            description=f"{tag.count} times" if tag.count > 1 else "",
        )
        for tag in known_tags(snap, path, moment.offset, context.query)
    ]
