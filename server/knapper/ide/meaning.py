"""What a link, heading, tag or other thing means: the one notion that all features on "this" share.

Two links mean the same if their meanings are equal, however they are written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from knapper.ide.locate import Thing, locate
from knapper.ide.open_note import OpenNote
from knapper.ide.snapshot import Snapshot
from knapper.markup.heading import strip_heading
from knapper.markup.note import BlockId, Definition, Footnote, Heading, Link, LinkKind, Property, Tag
from knapper.vault.note import NoteBlock, NoteHeading
from knapper.vault.paths import NotePath, key
from knapper.vault.resolve import ignorable, is_address, meant_path
from knapper.vault.subpath import has_subpaths, names_a_part


@dataclass(frozen=True, slots=True)
class FileMeant:
    """A whole note or another file."""

    path: NotePath


@dataclass(frozen=True, slots=True)
class HeadingMeant:
    """A heading of a note, and the section below it."""

    path: NotePath
    heading: NoteHeading


@dataclass(frozen=True, slots=True)
class BlockMeant:
    """A block of a note that has an id."""

    path: NotePath
    block: NoteBlock


@dataclass(frozen=True, slots=True)
class PartMissing:
    """A heading (`Plan`) or block (`^id`) that its note does not have; `subpath` is folded."""

    path: NotePath
    subpath: str


@dataclass(frozen=True, slots=True)
class FileMissing:
    """A note or file that does not exist; `name` is what all links to it share (`resolve.meant_path`)."""

    name: str


@dataclass(frozen=True, slots=True)
class TagMeant:
    """A tag and all tags below it; `name` is folded."""

    name: str


@dataclass(frozen=True, slots=True)
class FootnoteMeant:
    """A footnote of the note in which it stands; `id` is folded."""

    id: str


LinkMeaning = FileMeant | HeadingMeant | BlockMeant | PartMissing | FileMissing
Meaning = LinkMeaning | TagMeant | FootnoteMeant


def meaning_at(snap: Snapshot, path: NotePath, offset: int) -> Meaning | None:
    """What the thing under the cursor means.

    In a link it depends on the half: in `[[Note#Plan]]` a cursor in `Note` means the note, one in `Plan`
    the heading. An alias means its note, and so does an empty first line.
    """
    opened = snap.document(path)
    if opened is None:
        return None
    thing = locate(opened.parse, offset)
    if thing is None and opened.text.line_of(offset) == 0:
        return FileMeant(path)
    if isinstance(thing, Link) and thing.subpath is not None and _in_target(thing, offset):
        return link_meaning(snap, path, replace(thing, subpath=None))
    return meaning_of(snap, opened, thing)


def _in_target(link: Link, offset: int) -> bool:
    return bool(link.target) and link.target_span.holds(offset)


def meaning_of(snap: Snapshot, opened: OpenNote, thing: Thing | None) -> Meaning | None:
    """What the whole *thing*, which stands in the note *opened*, means."""
    path = opened.path
    meaning: Meaning | None = None
    match thing:
        case Link():
            meaning = link_meaning(snap, path, thing)
        case Definition() if not thing.external:
            meaning = link_meaning(snap, path, link_of(thing))
        case Heading():
            meaning = HeadingMeant(path, opened.note.headings[opened.parse.headings.index(thing)])
        case BlockId():
            meaning = _block_meant(opened, thing)
        case Tag():
            meaning = TagMeant(key(thing.name))
        case Footnote():
            meaning = FootnoteMeant(key(thing.id))
        case Property() if key(thing.name) in {"alias", "aliases", "title"}:
            meaning = FileMeant(path)
    return meaning


def _block_meant(opened: OpenNote, thing: BlockId) -> BlockMeant | None:
    place = opened.place(thing.span)
    found = (block for block in opened.note.blocks if block.place == place)
    block = next(found, None)
    return BlockMeant(opened.path, block) if block else None


def path_meant(meaning: Meaning | None) -> NotePath | None:
    """The file that *meaning* is, or in which it is; None where there is none."""
    match meaning:
        case FileMeant(path) | HeadingMeant(path) | BlockMeant(path) | PartMissing(path):
            return path
    return None


def link_of(definition: Definition) -> Link:
    """The link that a reference definition writes down: every use of it leads where this one does."""
    return Link(
        LinkKind.REFERENCE,
        definition.span,
        definition.target,
        definition.target_span,
        definition.subpath,
        markdown=True,
    )


def link_meaning(snap: Snapshot, source: NotePath, link: Link) -> LinkMeaning | None:
    """What a link in the note *source* means; None for an address and for what cannot name a file."""
    if is_address(link.target) or (ignorable(link.target) and not (link.target == "" and link.subpath)):
        return None
    found = snap.resolve_link(source, link)
    if found is None:
        return FileMissing(meant_path(source, link.target))
    return part_meaning(snap, found, link.subpath, markdown=link.markdown)


def part_meaning(
    snap: Snapshot, path: NotePath, subpath: str | None, *, markdown: bool = False
) -> FileMeant | HeadingMeant | BlockMeant | PartMissing:
    """What *subpath* means in the file at *path*. Only notes have parts: `#page=3` means the whole PDF."""
    note = snap.note(path)
    if subpath is None or note is None or not (has_subpaths(path) and names_a_part(subpath)):
        return FileMeant(path)
    match snap.parts(note).find(subpath, markdown=markdown):
        case NoteHeading() as heading:
            return HeadingMeant(path, heading)
        case NoteBlock() as block:
            return BlockMeant(path, block)
    return PartMissing(path, fold_subpath(subpath))


def fold_subpath(subpath: str) -> str:
    """*subpath* for comparing those that lead nowhere: `A#No  such` gives `a#no such`."""
    if subpath.startswith("^"):
        return key(subpath)
    return "#".join(key(strip_heading(part)) for part in subpath.split("#"))
