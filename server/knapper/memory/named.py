"""What passages name: notes, addresses and files. An answer may link to these and to nothing else.

Must not know answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from knapper.markup.note import Link, LinkKind
from knapper.markup.parse import parse
from knapper.memory.asked import FoundPassage
from knapper.vault.paths import is_note, key, linkable, stem_of

ADDRESS = re.compile(
    r"(?:[A-Za-z][A-Za-z0-9+.-]{0,30}://|www\.(?=\S)|(?<![\w:/])//(?=[\w-]+\.\w))[^\s<\ufdd0\ufdd1]*"
    r"|(?:javascript|vbscript|obsidian|mailto|tel|sms|blob|vscode(?:-insiders)?):(?=[^\s*_])[^\s<\ufdd0\ufdd1]*"
    r"|(?:data:[\w.+-]+/|file:/|command:[\w-]+\.)[^\s<\ufdd0\ufdd1]*"
    r"|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+",
    re.IGNORECASE,
)
"""What a reader or an editor takes for an address, up to the next blank."""
_TRAILING = "?!.,:;*_~'\"”’»)]}>|"


@dataclass(frozen=True, slots=True)
class Named:
    """What may be linked: `notes` by name or path, `addresses` of the web, and `files` such as pictures."""

    notes: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()

    def has_note(self, target: str) -> bool:
        """Whether a link to *target* leads to a note that is named: `Bread`, `Food/Bread.md`."""
        return key(linkable(target.strip().removeprefix("./"))) in self.notes

    def has_address(self, written: str) -> bool:
        """Whether *written*, the whole of it, is an address that is named and that a browser opens."""
        return written in self.addresses and written.lower().startswith(("http://", "https://", "mailto:"))

    def has_file(self, target: str) -> bool:
        """Whether a passage shows the picture or file *target*."""
        return bool(target) and key(target) in self.files


def named_in(passage: FoundPassage) -> Named:
    """What *passage* names, and its own note."""
    parsed = parse(passage.text)
    notes = {linkable(passage.path), stem_of(passage.path), passage.title}
    notes |= {linkable(link.target) for link in parsed.links if link.target and not _is_file(link)}
    addresses = {address.url for address in parsed.addresses}
    addresses |= {trimmed(found[0]) for found in ADDRESS.finditer(passage.text)}
    files = {key(link.target) for link in parsed.links if _is_file(link)}
    return Named(
        frozenset(key(note.removeprefix("./")) for note in notes), frozenset(addresses), frozenset(files)
    )


def together(parts: Iterable[Named]) -> Named:
    """What any of *parts* names."""
    notes: set[str] = set()
    addresses: set[str] = set()
    files: set[str] = set()
    for part in parts:
        notes |= part.notes
        addresses |= part.addresses
        files |= part.files
    return Named(frozenset(notes), frozenset(addresses), frozenset(files))


def trimmed(address: str) -> str:
    """*address* without the marks that end a sentence: `https://x.org/a).` gives `https://x.org/a`."""
    while address and address[-1] in _TRAILING:
        if address[-1] == ")" and address.count("(") >= address.count(")"):
            break
        address = address[:-1]
    return address


def _is_file(link: Link) -> bool:
    return link.kind in (LinkKind.IMAGE, LinkKind.EMBED) and not _names_note(link.target)


def _names_note(target: str) -> bool:
    return is_note(target) or "." not in target.rpartition("/")[2]
