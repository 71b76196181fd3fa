"""Workspace symbols: notes, aliases and headings of all vaults."""

from __future__ import annotations

from lsprotocol import types as t

from knapper.ide.results import FoundSymbol
from knapper.ide.workspace_symbols import workspace_symbols
from knapper.lsp.here import Vault

_LIMIT = 100
_KINDS = {"note": t.SymbolKind.File, "alias": t.SymbolKind.Key, "heading": t.SymbolKind.String}


def symbols(vaults: tuple[Vault, ...], params: t.WorkspaceSymbolParams) -> list[t.SymbolInformation]:
    """What is named like the query; several vaults are mixed in turn, each in its own order of rank."""
    found = [
        [_symbol(vault, symbol) for symbol in workspace_symbols(vault.snap, params.query, _LIMIT)]
        for vault in vaults
    ]
    mixed = sorted(
        ((rank, number, symbol) for number, group in enumerate(found) for rank, symbol in enumerate(group)),
        key=lambda entry: entry[:2],
    )
    return [symbol for _, _, symbol in mixed[:_LIMIT]]


def _symbol(vault: Vault, symbol: FoundSymbol) -> t.SymbolInformation:
    return t.SymbolInformation(
        location=vault.location(symbol.location),
        name=symbol.name,
        kind=_KINDS.get(symbol.kind, t.SymbolKind.String),
        container_name=symbol.container or None,
    )
