"""What in a note deserves a word: links that lead nowhere or not where they seem to, and what parsing found.

Nothing is said about what is fine as it is: addresses, bare slashes and hashes, the fragments of
attachments, repeated headings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from knapper.ide.hover import missing_part_message
from knapper.ide.meaning import FileMissing, LinkMeaning, PartMissing, link_meaning, link_of, path_meant
from knapper.ide.open_note import OpenNote
from knapper.ide.preview import kind_of
from knapper.ide.results import Diagnostic
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Link, LinkKind
from knapper.text.span import Span
from knapper.vault.paths import NotePath, folder_of, is_note, key, linkable
from knapper.vault.resolve import candidates, elsewhere

UNRESOLVED_NOTE = "unresolved-note"
MISSING_HEADING = "missing-heading"
MISSING_BLOCK = "missing-block"
AMBIGUOUS_LINK = "ambiguous-link"
UNQUOTED_LINK = "unquoted-link"


def diagnostics(snap: Snapshot, path: NotePath) -> list[Diagnostic]:
    """The diagnostics of the note at *path*, in the order of the text; those switched off are left out."""
    opened = snap.document(path)
    if opened is None:
        return []
    found = [(problem.code, problem.span, problem.message) for problem in opened.parse.problems]
    found += _Judge(snap, opened).verdicts()
    shown = [
        Diagnostic(code, severity, opened.place(span), message)
        for code, span, message in found
        if (severity := snap.settings.severity(code)) != "off"
    ]
    return sorted(shown, key=lambda diagnostic: (diagnostic.place, diagnostic.code))


def links_to_judge(opened: OpenNote) -> Iterator[Link]:
    """The links that have their target written where they stand: of references the definitions.

    A property that only holds a link among other words is text to Obsidian, and is not judged.
    """
    yield from (link for link in opened.parse.links if link.kind != LinkKind.REFERENCE and not link.partial)
    yield from (link_of(definition) for definition in opened.parse.definitions if not definition.external)


@dataclass(slots=True)
class _Judge:
    """Judges the links of one note; a target that is written often is looked up once."""

    snap: Snapshot
    opened: OpenNote
    known: dict[tuple[LinkKind, str, str | None], tuple[str, str] | None] = field(default_factory=dict)

    def verdicts(self) -> Iterator[tuple[str, Span, str]]:
        for link in links_to_judge(self.opened):
            written = (link.kind, link.target, link.subpath)
            if written not in self.known:
                self.known[written] = self._verdict(link)
            if verdict := self.known[written]:
                code, message = verdict
                yield code, _span(link, code), message

    def _verdict(self, link: Link) -> tuple[str, str] | None:
        """The code and the message, if there is something to say about the link."""
        snap, source = self.snap, self.opened.path
        match link_meaning(snap, source, link):
            case None:
                return None
            case FileMissing():
                # Before the files of the vault are known, every link would seem to lead nowhere.
                unknown = snap.alone or not len(snap.view.names)
                return None if unknown else (UNRESOLVED_NOTE, _unresolved(snap, self.opened, link))
            case PartMissing(path):
                code = MISSING_BLOCK if (link.subpath or "").startswith("^") else MISSING_HEADING
                return code, missing_part_message(source, path, link.subpath or "")
            case meaning:
                message = _ambiguity(snap, source, link, meaning)
                return (AMBIGUOUS_LINK, message) if message else None


def _span(link: Link, code: str) -> Span:
    """The part of the link that is at fault."""
    if code in {MISSING_HEADING, MISSING_BLOCK}:
        return link.subpath_span or link.target_span or link.span
    return link.target_span if len(link.target_span) else link.span


def _unresolved(snap: Snapshot, opened: OpenNote, link: Link) -> str:
    """What is missing, in words, like: There is no note “Gone”."""
    what = "file" if kind_of(link.target) else "note"
    message = f"There is no {what} “{link.target}”."
    whole = opened.text.content[link.target_span.start : (link.subpath_span or link.target_span).end]
    if link.subpath_span and snap.names.paths_named(key(f"{whole}.md")):
        return f"{message} A link cannot lead to “{whole}”: what follows # is taken for a heading."
    return message


def _ambiguity(snap: Snapshot, source: NotePath, link: Link, meaning: LinkMeaning) -> str | None:
    """Which file wins, where a reader could take the link for another one.

    A path from the root is clear, and so is a name that only the file beside the note has; other Markdown
    tools, though, take every destination for a path from the note's own folder.
    """
    winner = path_meant(meaning)
    if not link.target or winner is None:
        return None
    if link.markdown and (other := elsewhere(snap.names, source, link.target)) not in {None, winner}:
        return f"This leads to {winner}; other Markdown tools take it for {other}."
    if _is_clear(snap, source, link, winner):
        return None
    others = candidates(snap.names, source, link.target)[1:]
    if not others:
        return None
    named = "notes" if is_note(winner) else "files"
    also = others[0] if len(others) == 1 else f"{len(others)} others, such as {others[0]}"
    return f"Several {named} are called “{link.target}”. This leads to {winner}, not to {also}."


def _is_clear(snap: Snapshot, source: NotePath, link: Link, winner: NotePath) -> bool:
    return (
        link.kind is LinkKind.CANVAS
        or link.target.startswith(("/", "./", "../"))
        or snap.names.is_unique(winner)
        or key(linkable(winner)) == key(linkable(link.target))
        or folder_of(winner) == folder_of(source)
    )
