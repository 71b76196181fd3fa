"""What is shown beside the cursor: what a link leads to, and what leads to it."""

from __future__ import annotations

from collections.abc import Iterable

from knapper.base.cancel import CancelToken
from knapper.ide.locate import Thing, locate
from knapper.ide.meaning import (
    BlockMeant,
    FileMeant,
    FileMissing,
    FootnoteMeant,
    HeadingMeant,
    Meaning,
    PartMissing,
    TagMeant,
    meaning_of,
)
from knapper.ide.missing import created_path
from knapper.ide.open_note import OpenNote
from knapper.ide.preview import kind_of, preview, readable_size, shortened, title_of
from knapper.ide.references import links_meaning, references_of
from knapper.ide.results import Hover
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Address, BlockId, Definition, Heading, Link, Tag
from knapper.text.span import Place
from knapper.vault.paths import NotePath, is_note, name_of, stem_of
from knapper.vault.view import Backlink

_SHOWN_BACKLINKS = 3
_CONTEXT = 100


def hover(snap: Snapshot, path: NotePath, offset: int) -> Hover | None:
    """What to show for the thing at *offset*; None where there is nothing to say."""
    opened = snap.document(path)
    thing = locate(opened.parse, offset) if opened else None
    if opened is None or thing is None:
        return None
    place = opened.place(thing.span)
    if isinstance(thing, Address):
        return Hover(thing.url, place) if thing.display_span else None
    meaning = meaning_of(snap, opened, thing)
    if isinstance(thing, Heading | BlockId):
        text = _linked_from(snap, meaning, place, path) if meaning else ""
    else:
        text = _described(snap, opened, thing, meaning)
    image = meaning.path if isinstance(meaning, FileMeant) and kind_of(meaning.path) == "Image" else None
    return Hover(text, place, image) if text else None


def _described(snap: Snapshot, opened: OpenNote, thing: Thing, meaning: Meaning | None) -> str:
    """The text for a link, tag or footnote."""
    if isinstance(thing, Link | Definition):
        return _link_described(snap, opened, thing, meaning)
    match meaning:
        case TagMeant(name) if isinstance(thing, Tag):
            return _tag(snap, name, thing.name)
        case FootnoteMeant(identity):
            return _footnote(opened, identity)
    return ""


def _link_described(
    snap: Snapshot, opened: OpenNote, link: Link | Definition, meaning: Meaning | None
) -> str:
    match meaning:
        case FileMeant() | HeadingMeant() | BlockMeant():
            linked_from = _linked_from(snap, meaning, opened.place(link.span), opened.path)
            parts = (_headline(snap, meaning), preview(snap, meaning), linked_from)
            return "\n\n".join(part for part in parts if part)
        case PartMissing(path):
            return missing_part_message(opened.path, path, link.subpath or "")
        case FileMissing():
            return _missing(snap, opened.path, link, meaning)
    return ""


def _headline(snap: Snapshot, meaning: FileMeant | HeadingMeant | BlockMeant) -> str:
    """`**Title** — folder/Note.md`, of an attachment its kind and size."""
    path = meaning.path
    if is_note(path):
        return f"**{title_of(snap, path)}** — {path}"
    size = snap.size(path)
    told = [kind_of(path) or "File", *([readable_size(size)] if size is not None else [])]
    return f"**{name_of(path)}** — {', '.join(told)} — {path}"


def _linked_from(snap: Snapshot, meaning: Meaning, place: Place, source: NotePath) -> str:
    """How many links lead here, and the first of them but for the one that is looked at."""
    count, links = _links(snap, meaning)
    if not count:
        return ""
    lines = [f"{counted(count, 'backlink')}"]
    others = (link for link in links if (link.source, link.link.place) != (source, place))
    for _, link in zip(range(_SHOWN_BACKLINKS), others, strict=False):
        context = " ".join(link.link.context.split())
        shown = context if len(context) <= _CONTEXT else context[: _CONTEXT - 1] + "…"
        lines.append(f"- {stem_of(link.source)}: {shown}" if shown else f"- {stem_of(link.source)}")
    return "---\n\n" + "\n".join([lines[0], "", *lines[1:]]).rstrip()


def _links(snap: Snapshot, meaning: Meaning) -> tuple[int, Iterable[Backlink]]:
    """How many links lead here, and the links; those of a note are not all made: a hub has thousands."""
    match meaning:
        case FileMeant(path):
            return snap.backlink_count(path), snap.first_backlinks(path)
        case HeadingMeant(path) | BlockMeant(path):
            links = list(links_meaning(snap, path, meaning))
            return len(links), links
    return 0, ()


def counted(count: int, what: str) -> str:
    """`1 backlink`, `3 backlinks`."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def missing_part_message(source: NotePath, path: NotePath, subpath: str) -> str:
    """What is not there, in words, like: “Note” has no heading “Plan”."""
    owner = "This note" if path == source else f"“{stem_of(path)}”"
    return f"{owner} has no {'block' if subpath.startswith('^') else 'heading'} “{subpath}”."


def _missing(snap: Snapshot, source: NotePath, link: Link | Definition, meaning: FileMissing) -> str:
    """What would be created, and where; what else the link may be about; who else waits for it."""
    if snap.alone:
        return ""
    if kind_of(link.target):
        return f"There is no file “{link.target}”."
    lines = [f"“{link.target}” does not exist yet."]
    if created := created_path(snap, source, link.target):
        lines.append(f"It would be created as {created}.")
    if named := snap.called(link.target):
        notes = ", ".join(stem_of(path) for path in named[:_SHOWN_BACKLINKS])
        lines.append(f"It is what {notes} is also called; a link needs the name.")
    others = sum(1 for _ in references_of(snap, meaning, CancelToken())) - 1
    if others > 0:
        lines.append(f"{counted(others, 'other link')} {'leads' if others == 1 else 'lead'} to it.")
    return "\n\n".join(lines)


def _tag(snap: Snapshot, name: str, written: str) -> str:
    """How often the tag stands in the vault, those below it included, and in how many notes."""
    found = list(references_of(snap, TagMeant(name), CancelToken()))
    notes = len({location.path for location in found})
    use = snap.view.tags.get(name)
    shown = use.display if use else written
    return f"**#{shown}** — {counted(len(found), 'time')} in {counted(notes, 'note')}"


def _footnote(opened: OpenNote, identity: str) -> str:
    for footnote in opened.parse.footnotes:
        if footnote.body and footnote.id.casefold() == identity:
            return shortened(footnote.body.of(opened.text.content))
    return ""
