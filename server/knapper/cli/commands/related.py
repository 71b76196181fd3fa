"""`knapper related`: the notes related to a note, and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from knapper.cli.opened import opened
from knapper.cli.options import vault_command
from knapper.cli.output import faint, print_json, range_of, remark, say, where
from knapper.search.related import Quoted, RelatedNote, RelatedOptions, Why
from knapper.search.related import related as find
from knapper.search.semantic import caught_up
from knapper.search.structure import SavedLinks
from knapper.store.words import WordReader
from knapper.vault.daily import daily_note_date
from knapper.vault.paths import stem_of


@click.command()
@click.argument("note")
@click.option(
    "--limit", default=10, type=click.IntRange(1, 1000), help="At most so many notes.  [default: 10]"
)
@vault_command
@click.pass_context
def related(ctx: click.Context, note: str, limit: int, vault: Path | None, as_json: bool) -> None:
    """List the notes related to NOTE, each with the passage that makes it related.

    NOTE is a path, from here or in the vault, or a note's name.
    """
    with opened(vault) as it:
        matrix = caught_up(None, it.reader.vectors_since()) if it.settings["embeddings.enabled"] else None
        options = RelatedOptions(
            limit=limit,
            hidden=it.hidden,
            daily=lambda path: daily_note_date(it.obsidian, path) is not None,
            daily_weight=it.settings["related.dailyWeight"],
        )
        index = WordReader(it.reader.connection)
        vectors = matrix.view() if matrix else None
        found = find(it.note_called(note), index, SavedLinks(it.view), vectors, options)
    if as_json:
        print_json([_item(one, it.root) for one in found])
    else:
        for one in found:
            _show(one)
        if found and all(one.why.by == "words" for one in found):
            remark("No passage of the note has a vector yet; these are related by their words.")
    if not found:
        if not as_json:
            say(faint("No other note is related to it."))
        ctx.exit(1)


def _show(note: RelatedNote) -> None:
    there = note.why.there
    named = click.style(note.title, bold=True) + (faint(f" › {there.heading}") if there.heading else "")
    say(f"{where(note.path, there.place.line)}  {note.score:.2f}  {named}")
    if there.text:
        say(f"    {there.text}")
    say(faint(f"    {'; '.join(_reasons(note.why))}"))


def _reasons(why: Why) -> Iterator[str]:
    """Why a note is related, in a few words."""
    if why.by == "meaning":
        yield f"alike in meaning ({why.near:.2f}, chance gives {why.noise:.2f})"
    if why.words:
        yield f"shares {', '.join(why.words)}"
    if why.tags:
        yield " ".join(f"#{tag}" for tag in why.tags)
    if why.linked:
        yield "linked"
    elif why.through:
        yield f"both linked with {', '.join(stem_of(path) for path in why.through)}"


def _item(note: RelatedNote, root: Path) -> dict[str, Any]:
    why = note.why
    return {
        "path": note.path,
        "uri": (root / note.path).as_uri(),
        "title": note.title,
        "score": note.score,
        "why": {
            "by": why.by,
            "here": _quoted(why.here),
            "there": _quoted(why.there),
            "near": why.near,
            "noise": why.noise,
            "parts": dict(why.parts),
            "factor": why.factor,
            "linked": why.linked,
            "through": why.through,
            "tags": why.tags,
            "words": why.words,
        },
    }


def _quoted(passage: Quoted) -> dict[str, Any]:
    return {"range": range_of(passage.place), "heading": passage.heading, "text": passage.text}
