"""What a document is made of: outline, folds, growing selections, links to click."""

from __future__ import annotations

from lsprotocol import types as t

from knapper.ide.document_links import document_links
from knapper.ide.folding import folding
from knapper.ide.results import DocumentLink, Fold, Symbol
from knapper.ide.selection import selection
from knapper.ide.symbols import document_symbols
from knapper.lsp.here import Here, range_of
from knapper.text.span import Place

_FOLD_KINDS = {"comment": t.FoldingRangeKind.Comment, "section": t.FoldingRangeKind.Region}


def symbols(here: Here, params: t.DocumentSymbolParams) -> list[t.DocumentSymbol] | list[t.SymbolInformation]:
    """The outline; a client that knows no tree gets a flat list."""
    here.text()
    found = document_symbols(here.snap, here.path)
    if here.client.nested_symbols:
        return [_nested(symbol) for symbol in found]
    return [flat for symbol in found for flat in _flat(params.text_document.uri, symbol, None)]


def _nested(symbol: Symbol) -> t.DocumentSymbol:
    return t.DocumentSymbol(
        name=symbol.name,
        detail=symbol.detail,
        kind=t.SymbolKind.String,
        range=range_of(symbol.place),
        selection_range=range_of(symbol.selection),
        children=[_nested(child) for child in symbol.children],
    )


def _flat(uri: str, symbol: Symbol, above: str | None) -> list[t.SymbolInformation]:
    location = t.Location(uri, range_of(symbol.place))
    kind = t.SymbolKind.String
    made = [t.SymbolInformation(location=location, name=symbol.name, kind=kind, container_name=above)]
    return made + [flat for child in symbol.children for flat in _flat(uri, child, symbol.name)]


def folds(here: Here, _params: t.FoldingRangeParams) -> list[t.FoldingRange]:
    """The lines that fold."""
    return [_fold(fold) for fold in folding(here.snap, here.path)]


def _fold(fold: Fold) -> t.FoldingRange:
    return t.FoldingRange(fold.start_line, fold.end_line, kind=_FOLD_KINDS.get(fold.kind))


def selections(here: Here, params: t.SelectionRangeParams) -> list[t.SelectionRange]:
    """For each position the ranges around it, linked from the innermost outwards."""
    offsets = [here.offset(position) for position in params.positions]
    return [_chain(places) for places in selection(here.snap, here.path, offsets)]


def _chain(places: tuple[Place, ...]) -> t.SelectionRange:
    around: t.SelectionRange | None = None
    for place in reversed(places):
        around = t.SelectionRange(range_of(place), around)
    return around or t.SelectionRange(range_of(Place(0, 0, 0, 0)))


def links(here: Here, _params: t.DocumentLinkParams) -> list[t.DocumentLink]:
    """What can be clicked."""
    return [_link(here, link) for link in document_links(here.snap, here.path)]


def _link(here: Here, link: DocumentLink) -> t.DocumentLink:
    target = link.url or (here.vault.uri_of(link.path) if link.path else "")
    if link.fragment:
        target += f"#{link.fragment}"
    elif link.line is not None:
        target += f"#L{link.line + 1}"  # what editors read as a line
    tooltip = link.tooltip if here.client.link_tooltip else None
    return t.DocumentLink(range_of(link.place), target=target, tooltip=tooltip)
