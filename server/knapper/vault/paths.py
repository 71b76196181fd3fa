"""Paths inside a vault.

A `NotePath` is relative to the vault, has `/` between its parts and is spelled as the disk spells it. It
is the identity of a note or any other file. `key` makes what is compared, and is never an identity.
"""

from __future__ import annotations

import unicodedata
from typing import NewType

NotePath = NewType("NotePath", str)


def key(text: str) -> str:
    """*text* for comparing names and paths: NFC and casefolded, so `STRASSE` equals `straße`."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def is_note(path: str) -> bool:
    """Whether *path* is a note: `.md` in any letter case."""
    return path[-3:].lower() == ".md"


def name_of(path: str) -> str:
    """The file name: `a/b/Note.md` gives `Note.md`."""
    return path.rpartition("/")[2]


def folder_of(path: str) -> str:
    """The folder, without a slash at its end: `a/b/Note.md` gives `a/b`, `Note.md` gives `""`."""
    return path.rpartition("/")[0]


def stem_of(path: str) -> str:
    """A note's name without `.md`, another file's with its extension: what a wikilink writes."""
    name = name_of(path)
    return name[:-3] if is_note(name) else name


def linkable(path: str) -> str:
    """The path as a wikilink writes it: `a/b/Note.md` gives `a/b/Note`, `a/pic.png` stays."""
    return path[:-3] if is_note(path) else path
