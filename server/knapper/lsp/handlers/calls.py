"""The link graph as a call hierarchy."""

from __future__ import annotations

from lsprotocol import types as t

from knapper.ide import calls
from knapper.ide.results import CallItem
from knapper.lsp.here import Here, range_of
from knapper.text.span import START


def prepare(here: Here, params: t.CallHierarchyPrepareParams) -> list[t.CallHierarchyItem] | None:
    """The note that the cursor is about."""
    item = calls.prepare(here.snap, here.path, here.offset(params.position))
    return None if item is None else [_item(here, item)]


def incoming(here: Here, _params: t.CallHierarchyIncomingCallsParams) -> list[t.CallHierarchyIncomingCall]:
    """The notes that link to it."""
    return [
        t.CallHierarchyIncomingCall(_item(here, call.item), [range_of(place) for place in call.places])
        for call in calls.incoming(here.snap, here.path)
    ]


def outgoing(here: Here, _params: t.CallHierarchyOutgoingCallsParams) -> list[t.CallHierarchyOutgoingCall]:
    """The files that it links to."""
    return [
        t.CallHierarchyOutgoingCall(_item(here, call.item), [range_of(place) for place in call.places])
        for call in calls.outgoing(here.snap, here.path)
    ]


def _item(here: Here, item: CallItem) -> t.CallHierarchyItem:
    start = range_of(START)
    return t.CallHierarchyItem(
        name=item.name,
        kind=t.SymbolKind.File,
        uri=here.vault.uri_of(item.path),
        range=start,
        selection_range=start,
        detail=item.detail or None,
    )
