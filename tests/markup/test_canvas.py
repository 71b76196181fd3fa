"""The files that a canvas shows."""

from __future__ import annotations

import json

import pytest

from knapper.markup.canvas import canvas_links


def found(text: str) -> list[tuple[str, str | None, str]]:
    return [(link.target, link.subpath, link.span.of(text)) for link in canvas_links(text)]


def test_file_nodes_are_links() -> None:
    text = json.dumps(
        {
            "nodes": [
                {"id": "1", "type": "text", "text": '{"type": "file", "file": "no.md"}'},
                {"id": "2", "type": "file", "file": "a/Idea.md", "subpath": "#Head", "x": 0},
                {"id": "3", "x": [1, {"file": "no"}], "file": "Ünï 🎉.md", "type": "file"},
                {"id": "4", "type": "link", "url": "https://x.org"},
            ],
            "edges": [{"id": "e", "file": "no.md", "type": "file"}],
        },
        indent=1,
    )
    assert found(text) == [
        ("a/Idea.md", "Head", "a/Idea.md"),
        ("Ünï 🎉.md", None, json.dumps("Ünï 🎉.md")[1:-1]),
    ]


def test_subpath_is_spanned_without_its_hash() -> None:
    text = '\ufeff{"nodes":[{"type":"file","subpath":"#^b","file":"N.md"}]}'
    (link,) = canvas_links(text)
    assert link.subpath_span is not None
    assert (link.subpath, link.subpath_span.of(text)) == ("^b", "^b")


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "3", '{"nodes": 3}', "[" * 100_000),
        *('{"nodes": [1, [], null]}', '{"nodes": [{"type": "file"}]}'),
        *('{"nodes": [{"type": "file", "file": 3}]}', '{"edges": [{"type": "file", "file": "N.md"}]}'),
    ],
)
def test_damaged_canvas_has_no_links(text: str) -> None:
    assert canvas_links(text) == ()
