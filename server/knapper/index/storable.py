"""Making a note storable: YAML and JSON can write half a surrogate pair, which no database takes."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from knapper.vault.note import Note


def storable(note: Note) -> Note:
    r"""*note* with `\ufffd` for each lone surrogate; nearly always *note* itself."""
    parts = [note.title or "", *note.aliases, *(tag.name for tag in note.tags)]
    for item in note.properties:
        parts += [item.name, *item.values]
    for link in note.links:
        parts += [link.target, link.subpath or "", link.display or ""]
    return note if is_encodable("".join(parts)) else _cleaned(note)


def is_encodable(text: str) -> bool:
    """Whether *text* can be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def encodable(text: str) -> str:
    r"""*text* with `\ufffd` for each lone surrogate: `"a\ud83d"` gives `"a\ufffd"`."""
    if is_encodable(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _cleaned(value: Any) -> Any:
    if isinstance(value, str) and not hasattr(value, "value"):
        return encodable(value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{item.name: _cleaned(getattr(value, item.name)) for item in fields(value)})
    if type(value) is tuple:
        return tuple(map(_cleaned, value))
    return value
