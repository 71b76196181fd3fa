"""What a person can have done at the cursor. All is told as edits and commands, nothing is done here."""

from __future__ import annotations

from collections.abc import Iterator

from knapper.ide.diagnostics import AMBIGUOUS_LINK, UNQUOTED_LINK, UNRESOLVED_NOTE
from knapper.ide.hover import counted
from knapper.ide.locate import locate
from knapper.ide.meaning import FileMissing, link_meaning, link_of
from knapper.ide.mentions import mention_at
from knapper.ide.missing import created_path
from knapper.ide.open_note import OpenNote
from knapper.ide.page import conversation_of
from knapper.ide.question import pointed_at
from knapper.ide.results import Action, Command, CreateFile, FileEdit, TextEdit
from knapper.ide.snapshot import Snapshot
from knapper.markup.note import Definition, Heading, Link, LinkKind
from knapper.text.span import Span
from knapper.vault.paths import NotePath, is_note, key, name_of, stem_of
from knapper.vault.resolve import elsewhere, is_address
from knapper.vault.write import link_to


def actions(snap: Snapshot, path: NotePath, span: Span) -> list[Action]:
    """The actions for the selection *span* (empty: the cursor) in the note at *path*, quick fixes first."""
    opened = snap.document(path)
    if opened is None:
        return []
    found = [*_quoting(opened, span)]
    thing = locate(opened.parse, span.start)
    if isinstance(thing, Link):
        found += _on_link(snap, opened, thing)
    elif isinstance(thing, Definition) and not thing.external:
        found += _creating(snap, opened, link_of(thing))
    elif thing is None or isinstance(thing, Heading):
        found += _on_mention(snap, opened, span)
    if is_note(path):
        found += (
            _on_page(opened, span) if snap.alone else [*_asking(snap, opened, span), *_on_note(snap, path)]
        )
    return found


def _edit(opened: OpenNote, span: Span, new: str) -> tuple[FileEdit, ...]:
    return (FileEdit(opened.path, (TextEdit(opened.place(span), new),), opened.version),)


# --- links ---


def _on_link(snap: Snapshot, opened: OpenNote, link: Link) -> Iterator[Action]:
    if is_address(link.target):
        yield _markdown_link(opened, link)
    elif isinstance(link_meaning(snap, opened.path, link), FileMissing):
        yield from _linking_by_alias(snap, opened, link)
        yield from _creating(snap, opened, link)
    elif link.markdown:
        yield from _telling_apart(snap, opened, link)


def _markdown_link(opened: OpenNote, link: Link) -> Action:
    """`[[https://x.org|site]]` becomes `[site](https://x.org)`."""
    inner = link.span.of(opened.text.content).lstrip("!")[2:-2]
    url, _, display = inner.partition("|")
    url = url.strip().removesuffix("\\")
    new = f"[{display.strip() or url}]({url})"
    return Action("Convert to a Markdown link", "quickfix", _edit(opened, link.span, new), preferred=True)


def _linking_by_alias(snap: Snapshot, opened: OpenNote, link: Link) -> Iterator[Action]:
    """`[[AI]]` becomes `[[Artificial Intelligence|AI]]`, where that note has this alias or title."""
    for path in snap.called(link.target):
        new = link_to(
            snap.names,
            snap.view.obsidian,
            snap.settings["links.style"] if link.kind in _BARE else _style(link),
            opened.path,
            path,
            subpath=link.subpath,
            display=link.display or link.target,
            embed=link.kind in {LinkKind.EMBED, LinkKind.IMAGE},
            in_table=link.in_table,
        )
        edits = _edit(opened, link.span, new)
        title = f"Link to “{stem_of(path)}” as “{link.display or link.target}”"
        yield Action(title, "quickfix", edits, fixes=(UNRESOLVED_NOTE,), preferred=True)


_BARE = frozenset({LinkKind.WIKILINK, LinkKind.EMBED})


def _style(link: Link) -> str:
    return "markdown" if link.markdown else "wikilink"


def _creating(snap: Snapshot, opened: OpenNote, link: Link) -> Iterator[Action]:
    if not isinstance(link_meaning(snap, opened.path, link), FileMissing):
        return
    if path := created_path(snap, opened.path, link.target):
        title = f"Create note “{stem_of(path)}”"
        yield Action(title, "quickfix", (CreateFile(path),), fixes=(UNRESOLVED_NOTE,), opens=path)


def _telling_apart(snap: Snapshot, opened: OpenNote, link: Link) -> Iterator[Action]:
    """Where Obsidian and other tools differ about a destination: write the one or the other beyond doubt."""
    winner = snap.resolve_link(opened.path, link)
    other = elsewhere(snap.names, opened.path, link.target)
    if winner is None or other in {None, winner}:
        return
    written = link.target_span.of(opened.text.content)
    for path, prefix in ((winner, "/"), (other, "./")):
        edits = _edit(opened, link.target_span, prefix + written)
        yield Action(f"Mean {path}: write {prefix}{written}", "quickfix", edits, fixes=(AMBIGUOUS_LINK,))


# --- words ---


def _on_mention(snap: Snapshot, opened: OpenNote, span: Span) -> Iterator[Action]:
    """Turn a note's name or alias around the cursor into a link; of several the longest."""
    if not is_note(opened.path):
        return
    for words in [span] if len(span) else mention_at(opened, span.start):
        written = words.of(opened.text.content)
        found = [path for path in _named(snap, written) if path != opened.path]
        for path in found:
            new = link_to(
                snap.names,
                snap.view.obsidian,
                snap.settings["links.style"],
                opened.path,
                path,
                display=None if written == stem_of(path) else written,
                in_table=_in_table(opened, words),
            )
            yield Action(f"Link to “{stem_of(path)}”", "refactor", _edit(opened, words, new))
        if found:
            return


def _named(snap: Snapshot, name: str) -> list[NotePath]:
    """The notes of this name or alias; files of other kinds are not named in a text."""
    named = snap.names.paths_named(key(f"{name}.md"))
    return list(dict.fromkeys([*named, *snap.called(name)]))


def _in_table(opened: OpenNote, span: Span) -> bool:
    return any(region.kind == "table" and region.span.covers(span) for region in opened.parse.regions)


# --- properties ---


def _quoting(opened: OpenNote, span: Span) -> Iterator[Action]:
    """`up: [[Note]]` becomes `up: "[[Note]]"`."""
    for problem in opened.parse.problems:
        if (
            problem.code == UNQUOTED_LINK
            and problem.span.start <= span.end
            and span.start <= problem.span.end
        ):
            written = problem.span.of(opened.text.content).replace("\\", "\\\\").replace('"', '\\"')
            edits = _edit(opened, problem.span, f'"{written}"')
            yield Action("Put the link in quotes", "quickfix", edits, fixes=(UNQUOTED_LINK,), preferred=True)


# --- the note ---


def _asking(snap: Snapshot, opened: OpenNote, span: Span) -> Iterator[Action]:
    """Ask about the selection or the heading; about the note where actions on notes are looked for."""
    if pointed := pointed_at(snap, opened.path, span):
        arguments = {"path": opened.path, "place": opened.place(span), "show": True}
        kind = "source" if pointed.what == "note" else ""
        yield Action(_ASK, kind, command=Command("knapper.ask", arguments))


def _on_page(opened: OpenNote, span: Span) -> Iterator[Action]:
    """What a page with an answer offers: to ask on with what is selected, and to keep the answer."""
    conversation = conversation_of(opened.text.content)
    if conversation is None:
        return
    given: dict[str, object] = {"conversation": conversation, "show": True}
    if span.of(opened.text.content).strip():
        here = {"path": opened.path, "place": opened.place(span)}
        yield Action(_ASK, "", command=Command("knapper.ask", {**here, **given}))
    yield Action("Keep this answer as a note", "", command=Command("knapper.saveAnswer", given))


_ASK = "Ask memory about this"


def _on_note(snap: Snapshot, path: NotePath) -> Iterator[Action]:
    """What a lens offers, for editors that draw none; and the way to Obsidian."""
    if count := snap.backlink_count(path):
        arguments = {"path": path, "show": True}
        title = f"Show {counted(count, 'backlink')}"
        yield Action(title, "source", command=Command("knapper.backlinks", arguments))
    yield Action("Related notes…", "source", command=Command("knapper.related", {"path": path, "show": True}))
    title = f"Open “{name_of(path)}” in Obsidian"
    yield Action(title, "source", command=Command("knapper.openInObsidian", {"path": path}))
