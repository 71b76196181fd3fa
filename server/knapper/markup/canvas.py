"""The files that a JSON canvas shows.

A canvas is read only for its file nodes; the texts written on it are no notes. The values come from
Python's JSON reader and the places from a walk over the same text, which that reader does not tell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from knapper.markup.note import Link, LinkKind
from knapper.text.span import Span

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:,]', re.DOTALL)


def canvas_links(text: str) -> tuple[Link, ...]:
    """One link for every file node, its spans between the quotes of `"file"`; none if the JSON is damaged.

    `{"nodes": [{"type": "file", "file": "Idea.md", "subpath": "#H"}]}` gives the target `Idea.md` and
    the subpath `H`.
    """
    try:
        canvas = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return ()
    nodes = canvas.get("nodes") if isinstance(canvas, dict) else None
    if not isinstance(nodes, list):
        return ()
    containers = [node for node in nodes if isinstance(node, dict | list)]
    links = (_link(text, node, places) for node, places in zip(containers, _places(text), strict=False))
    return tuple(link for link in links if link is not None)


def _link(text: str, node: Any, places: dict[str, Span]) -> Link | None:
    if not isinstance(node, dict) or node.get("type") != "file":
        return None
    target, span = node.get("file"), places.get("file")
    if not isinstance(target, str) or not target or span is None or _value(span.of(text)) != target:
        return None
    subpath, subpath_span = node.get("subpath"), places.get("subpath")
    if not isinstance(subpath, str) or not subpath.startswith("#") or subpath_span is None:
        return Link(LinkKind.CANVAS, span, target, span)
    subpath_span = Span(subpath_span.start + 1, subpath_span.end)
    return Link(LinkKind.CANVAS, span, target, span, subpath[1:], subpath_span)


def _places(text: str) -> Iterator[dict[str, Span]]:
    """For each node in turn, where the strings among its own values stand, by their names."""
    depth, nodes_depth = 0, -1
    key = name = ""
    places: dict[str, Span] = {}
    for match in _TOKEN.finditer(text):
        sign = match[0]
        if sign in "{[":
            depth += 1
            if sign == "[" and name == "nodes" and depth == 2:
                nodes_depth = depth
            if depth == nodes_depth + 1:
                places = {}
            key = name = ""
        elif sign in "}]":
            if depth == nodes_depth + 1 and nodes_depth > 0:
                yield places
            depth -= 1
            if depth < nodes_depth:
                return
        elif sign == ":":
            name, key = key, ""
        elif sign == ",":
            key = name = ""
        elif name:
            if depth == nodes_depth + 1:
                places[name] = Span(match.start() + 1, match.end() - 1)
        else:
            key = _value(sign[1:-1])


def _value(written: str) -> str:
    return str(json.loads(f'"{written}"', strict=False))
