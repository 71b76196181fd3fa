"""Code lenses: backlink counts, and the command that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from knapper.base.cancel import CancelToken
from knapper.ide.lenses import lenses as find_lenses
from knapper.ide.results import Command, Lens
from knapper.lsp.custom import SHOW_REFERENCES
from knapper.lsp.here import Here, range_of
from knapper.lsp.to_proto import command

if TYPE_CHECKING:
    from knapper.lsp.server import KnapperServer


def lenses(server: KnapperServer, params: t.CodeLensParams) -> list[t.CodeLens]:
    """The lenses, complete: a count that is known already needs no second question."""
    here = server.here(params, CancelToken())
    found = find_lenses(here.snap, here.path)
    server.publisher.lenses_shown(params.text_document.uri, _titles(found))
    return [_lens(here, lens) for lens in found]


def _lens(here: Here, lens: Lens) -> t.CodeLens:
    arguments = {"path": here.path, "subpath": lens.subpath, "show": True}
    shown = command(here.vault, Command(SHOW_REFERENCES, arguments), lens.title)
    return t.CodeLens(range_of(lens.place), shown)


def lens_titles(here: Here) -> object:
    """What a client shows of the lenses: equal titles need no refresh."""
    return _titles(find_lenses(here.snap, here.path))


def _titles(found: list[Lens]) -> object:
    return tuple((lens.place, lens.title) for lens in found)
