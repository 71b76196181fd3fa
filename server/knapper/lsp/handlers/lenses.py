"""Code lenses: backlink counts and related notes, and the commands that show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lsprotocol import types as t

from knapper.base.cancel import CancelToken
from knapper.ide.lenses import lenses as find_lenses
from knapper.ide.nearby import Part, related_lenses
from knapper.ide.results import Command, Lens, RelatedLens
from knapper.lsp.custom import SHOW_REFERENCES
from knapper.lsp.here import Here, range_of
from knapper.lsp.related_notes import Answer
from knapper.lsp.to_proto import command

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer

Found = Mapping[Part, Answer]


def lenses(server: KnapperServer, params: t.CodeLensParams) -> list[t.CodeLens]:
    """The lenses, complete: what is known already needs no second question.

    Related notes that are not known yet come with a refresh.
    """
    here = server.here(params, CancelToken())
    document = server.document(params.text_document.uri)
    found = _all(here, server.related.shown(document.session, document.path) if document else {})
    server.publisher.lenses_shown(params.text_document.uri, _titles(found))
    return [_lens(here, lens) for lens in found]


def _all(here: Here, related: Found) -> list[Lens | RelatedLens]:
    found: list[Lens | RelatedLens] = [*find_lenses(here.snap, here.path)]
    found += related_lenses(here.snap, here.path, related)
    return sorted(found, key=lambda lens: (lens.place.line, lens.subpath is not None))


def _lens(here: Here, lens: Lens | RelatedLens) -> t.CodeLens:
    where = range_of(lens.place)
    if isinstance(lens, RelatedLens):
        arguments: dict[str, object] = {"path": here.path, "show": True}
        if lens.subpath is not None:
            arguments["position"] = {"line": lens.place.line, "character": 0}
        return t.CodeLens(where, command(here.vault, Command("knapper.related", arguments), lens.title))
    arguments = {"path": here.path, "subpath": lens.subpath, "show": True}
    return t.CodeLens(where, command(here.vault, Command(SHOW_REFERENCES, arguments), lens.title))


def lens_titles(here: Here, related: Found) -> object:
    """What a client shows of the lenses: equal titles need no refresh."""
    return _titles(_all(here, related))


def _titles(found: list[Lens | RelatedLens]) -> object:
    return tuple((lens.place, lens.title) for lens in found)
