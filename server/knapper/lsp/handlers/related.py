"""`knapper/related`: the notes related to a note as it is in the editor, each with why; and showing them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from knapper.base.cancel import CancelToken
from knapper.ide.sections import section_at, section_lines
from knapper.lsp.custom import At, RelatedParams
from knapper.lsp.handlers.backlinks import uri_or_last
from knapper.lsp.here import Here, Vault, range_of
from knapper.lsp.related_notes import find_related, options_for
from knapper.lsp.vectors import NO_VECTORS
from knapper.search.related import Quoted, RelatedNote

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


async def related(server: KnapperServer, params: RelatedParams, token: CancelToken) -> dict[str, Any]:
    """The related notes, best first."""
    uri = uri_or_last(server, params)
    here, served = server.at(uri, token), NO_VECTORS
    if not here.snap.names.has(here.path):
        raise JsonRpcInvalidParams(f"There is no note {here.path} in this vault.")
    for _, index in server.chosen(uri):
        await index.flushed()
        served = await index.vectors()
    here = server.at(uri, token)
    options = options_for(here.vault, params.limit, _lines(here, params.position))
    found = await server.jobs.run(
        lambda: find_related(server.jobs, here.vault, here.path, served, options, token), token
    )
    return {"items": [_item(here.vault, note) for note in found]}


def _lines(here: Here, position: At | None) -> tuple[int, int] | None:
    """The section around *position*; None: the whole note."""
    note = here.snap.note(here.path)
    if note is None or position is None:
        return None
    part = section_at(note, position.line)
    return None if part is None else section_lines(note, part)


def _item(vault: Vault, note: RelatedNote) -> dict[str, Any]:
    why = note.why
    return {
        "path": note.path,
        "uri": vault.uri_of(note.path),
        "title": note.title,
        "score": round(note.score, 4),
        "why": {
            "by": why.by,
            "here": _quoted(why.here),
            "there": _quoted(why.there),
            "near": round(why.near, 4),
            "noise": round(why.noise, 4),
            "parts": {name: round(part, 4) for name, part in why.parts.items()},
            "factor": why.factor,
            "linked": why.linked,
            "through": list(why.through),
            "tags": list(why.tags),
            "words": list(why.words),
        },
    }


def _quoted(passage: Quoted) -> dict[str, Any]:
    return {"range": range_of(passage.place), "heading": passage.heading, "text": passage.text}
