"""What in a note can be clicked: links to files that are there, and addresses."""

from __future__ import annotations

import re

from knapper.ide.meaning import BlockMeant, FileMeant, FileMissing, HeadingMeant, link_meaning, link_of
from knapper.ide.open_note import OpenNote
from knapper.ide.results import DocumentLink
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Link
from knapper.vault.paths import NotePath

# Editors run commands by address; a note that came from elsewhere must not have one clicked.
# Nor one that has another computer asked for a file, to which some systems send a password.
_RUNS_SOMETHING = re.compile(
    r"(?:command|javascript|vbscript|data)\s*:|file:\s*[/\\]{2}(?![/\\](?![/\\]))", re.IGNORECASE
)


def document_links(snap: Snapshot, path: NotePath) -> list[DocumentLink]:
    """The clickable places of the note or canvas at *path*, in the order of the text."""
    opened = snap.document(path)
    if opened is None:
        return []
    parse = opened.parse
    definitions = [link_of(item) for item in parse.definitions if not item.external]
    found = [_to_file(snap, opened, link) for link in (*parse.links, *definitions)]
    found += [
        DocumentLink(opened.place(item.span), url=item.url, tooltip=item.url)
        for item in parse.addresses
        if not _RUNS_SOMETHING.match(item.url)
    ]
    return sorted((link for link in found if link), key=lambda link: link.place)


def _to_file(snap: Snapshot, opened: OpenNote, link: Link) -> DocumentLink | None:
    place = opened.place(link.span)
    match link_meaning(snap, opened.path, link):
        case None | FileMissing():
            return None
        case HeadingMeant(path, heading):
            return DocumentLink(place, path, line=heading.place.line, tooltip=f"{path} › {heading.text}")
        case BlockMeant(path, block):
            return DocumentLink(place, path, line=block.block.line, tooltip=f"{path} › ^{block.id}")
        case FileMeant(path):
            return DocumentLink(place, path, fragment=link.subpath, tooltip=path)
        case missing:
            return DocumentLink(place, missing.path, tooltip=missing.path)
