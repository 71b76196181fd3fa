"""Properties to write: their names, and the values that the vault has for them.

Knows Obsidian's own properties and their types, and enough YAML to write a value so that it is read as
it was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from knapper.ide.completion.items import LIMIT, Choice, Moment
from knapper.ide.completion.match import matching
from knapper.ide.completion.property_context import PropertyName, PropertyValue
from knapper.ide.snapshot import Snapshot
from knapper.vault.paths import NotePath, key

STANDARD = {"tags": "tags", "aliases": "aliases", "cssclasses": "multitext"}
"""The properties that Obsidian itself knows, with their types."""

_NAMED = re.compile(r"^([^\s:#\-][^:\r\n]*?)[ \t]*:", re.MULTILINE)
_NEEDS_QUOTES = re.compile(r"^[\s\-?:,\[\]{}#&*!|>'\"%@`]|:(?=\s|$)|\s#|^\s*$")
_NEEDS_QUOTES_IN_FLOW = re.compile(r"[,\[\]{}]")


def property_names(snap: Snapshot, moment: Moment, context: PropertyName) -> list[Choice]:
    """The names that the note does not have yet: Obsidian's own, and those of the vault by frequency."""
    used = _names_in(moment)
    counts: dict[str, tuple[str, int]] = {name: (name, 0) for name in STANDARD}
    for name in snap.view.obsidian.property_types:
        counts.setdefault(name, (name, 0))
    for name, use in snap.view.properties.items():
        counts[name] = (use.display, len(use.notes))
    names = [(name, *found) for name, found in counts.items() if name not in used]
    names.sort(key=lambda item: (-item[2], item[1]))
    colon = "" if context.has_colon else ": "
    return [
        Choice(display, "property", display + colon, _type_of(snap, name) or "", _times(count))
        for name, display, count in matching(context.slot.typed, names, lambda item: item[1])
    ]


def property_values(snap: Snapshot, path: NotePath, moment: Moment, context: PropertyValue) -> list[Choice]:
    """The values of a property: by its type, else those that other notes give it."""
    name = key(context.name)
    kind = _type_of(snap, name)
    fixed = _values_of_type(kind, moment.now)
    if fixed:
        return [
            Choice(value, "value", written(value, context), about)
            for value, about in matching(context.slot.typed, fixed, lambda item: f"{item[0]} {item[1]}")
        ]
    values = [(value, count) for value, count in _values(snap, path, name) if count > 0]
    return [
        Choice(value, "value", written(value, context), description=_times(count))
        for value, count in matching(context.slot.typed, values, lambda item: item[0])
    ]


def written(value: str, context: PropertyValue) -> str:
    """*value* as YAML: quoted where it must be, or escaped for the quotes that are there."""
    if context.quote:
        closing = "" if context.closed else context.quote
        return _escaped(value, context.quote) + closing
    if _NEEDS_QUOTES.search(value) or (context.flow and _NEEDS_QUOTES_IN_FLOW.search(value)):
        return f'"{_escaped(value, chr(34))}"'
    return value


def _escaped(value: str, quote: str) -> str:
    if quote == "'":
        return value.replace("'", "''")
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _names_in(moment: Moment) -> set[str]:
    """The folded names that stand in the properties, without the one at the cursor."""
    content, start = moment.text.content, moment.line_start
    line_end = moment.text.line_span(moment.text.line_of(start)).end
    end = re.compile(r"^---", re.MULTILINE).search(content, line_end)
    others = content[:start] + content[line_end : end.start() if end else line_end]
    return {key(match[1]) for match in _NAMED.finditer(others)}


def _type_of(snap: Snapshot, name: str) -> str | None:
    """The type of a property: as Obsidian was told, else as its first note has it."""
    told = snap.view.obsidian.property_types.get(name) or STANDARD.get(name)
    if told:
        return told
    use = snap.view.properties.get(name)
    note = snap.view.notes.get(use.notes[0]) if use else None
    return next((found.kind for found in note.properties if key(found.name) == name), None) if note else None


def _values_of_type(kind: str | None, now: datetime) -> list[tuple[str, str]]:
    if kind == "checkbox":
        return [("true", ""), ("false", "")]
    days = (("today", 0), ("tomorrow", 1), ("yesterday", -1))
    if kind == "date":
        return [((now + timedelta(days=by)).date().isoformat(), about) for about, by in days]
    if kind == "datetime":
        return [
            ((now + timedelta(days=by)).strftime("%Y-%m-%dT%H:%M:00"), about if by else "now")
            for about, by in days
        ]
    return []


def _values(snap: Snapshot, path: NotePath, name: str) -> Iterator[tuple[str, int]]:
    """The values in saved notes, the most frequent first, less those of this note; then its own."""
    use = snap.view.properties.get(name)
    saved = snap.view.notes.get(path)
    own = [
        value
        for found in (saved.properties if saved else ())
        if key(found.name) == name
        for value in found.values
    ]
    for value, count in use.common_values(2 * LIMIT) if use else ():
        yield value, count - own.count(value)


def _times(count: int) -> str:
    return f"{count} notes" if count > 1 else "1 note" if count else ""
