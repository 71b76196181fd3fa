"""Whatever a file holds, it is read without failing and in time that grows with its length."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import pytest

from knapper.markup.chunk import chunk
from knapper.markup.parse import parse
from knapper.text.fold import search_fold

FLOODS: dict[str, Callable[[int], str]] = {
    "opening brackets": lambda n: "[" * n,
    "brackets in brackets": lambda n: "[" * n + "]" * n,
    "one close for all": lambda n: "[" * n + "a" * n + "]]",
    "blank link": lambda n: "[" * n + " " * n + "]]",
    "links": lambda n: "[[a|b]] " * (n // 8),
    "links of Markdown": lambda n: "[a](b c) " * (n // 9),
    "nested links": lambda n: "[a](" * (n // 4),
    "nested angles": lambda n: "[a](<" * (n // 5),
    "open titles": lambda n: '[a](b "' * (n // 7),
    "labels": lambda n: "[a][" * (n // 4),
    "definitions": lambda n: "[a]: x\n" * (n // 7),
    "images": lambda n: "![" * (n // 2),
    "quotation marks": lambda n: ">" * n,
    "lazy quotation": lambda n: ">" * 100 + "a\n" + "b\n" * (n // 8),
    "item marks": lambda n: "- " * (n // 2) + "x",
    "numbers": lambda n: "1. " * (n // 3),
    "quotations in items": lambda n: "> - " * (n // 4),
    "one line": lambda n: "word " * (n // 5),
    "percents": lambda n: "%" * n,
    "comments": lambda n: "%% a\n" * (n // 5),
    "backticks": lambda n: "`" * n,
    "backticks of all lengths": lambda n: " ".join("`" * width for width in range(1, int((2 * n) ** 0.5))),
    "links and backticks": lambda n: "[[`" * (n // 3) + "]]",
    "dollars": lambda n: "$" * n,
    "formulas": lambda n: "$a " * (n // 3),
    "formulas in lines": lambda n: "a $$\n$$ b\n" * (n // 10),
    "less-thans": lambda n: "<a " * (n // 3),
    "open attributes": lambda n: 'x <a b="' * (n // 8),
    "blanks in an element": lambda n: "x <a" + " " * n,
    "open HTML comments": lambda n: "x <!-- " * (n // 7),
    "addresses": lambda n: "ab://)" * (n // 6),
    "no addresses": lambda n: "://" * (n // 3),
    "hashes": lambda n: "#" * n,
    "blanks in a heading": lambda n: "# " + " " * n + "x",
    "emphasis in a heading": lambda n: "# " + "*a" * (n // 2),
    "underline far below": lambda n: "a\n" * (n // 2) + "===",
    "wide table": lambda n: "|a" * (n // 4) + "\n" + "|-" * (n // 4) + "\n",
    "nearly tables": lambda n: "a|b\n" * (n // 4),
    "carets": lambda n: "a ^b " * (n // 5),
    "NULs and returns": lambda n: "\0\r" * (n // 2),
    "empty lines in items": lambda n: "- - - a\n" + "\n" * n + "      b",
    "fences": lambda n: "- ```\n" * (n // 6),
    "properties": lambda n: "---\n" + "".join(f"k{m}: [[x]]\n" for m in range(n // 12)) + "---\n",
    "brackets in a property": lambda n: "---\na: '" + "[[" * (n // 2) + "'\n---\n",
    "tags in a property": lambda n: "---\ntags: " + "a " * (n // 2) + "\n---\n",
    "humps": lambda n: "aB" * (n // 2),
}


def read(text: str) -> None:
    chunk(text, parse(text), "")
    search_fold(text)


def seconds(text: str) -> float:
    """The least time of three readings."""
    times = []
    for _ in range(3):
        start = time.process_time()
        read(text)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("flood", FLOODS)
def test_time_grows_with_the_length(flood: str) -> None:
    """Eight times the text may take sixteen times as long, where a quadratic reading takes sixty-four."""
    short, long = FLOODS[flood](1500), FLOODS[flood](12_000)
    assert seconds(long) < 16 * max(seconds(short), 0.001)


def test_a_million_brackets_are_read() -> None:
    assert parse("[" * 1_000_000).links == ()


def test_many_links_in_a_note_are_all_found() -> None:
    assert len(parse("[[abc|d]] and\n\n" * 20_000).links) == 20_000


def test_ten_thousand_quotations_and_lists_hold_their_links() -> None:
    for mark in (">", "> ", "- ", "1. ", "> - "):
        parsed = parse(mark * 10_000 + "[[A]]\n\n[[B]]")
        assert [link.target for link in parsed.links] == ["A", "B"]


def test_depth_of_the_call_stack_stays_small() -> None:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(650)
    try:
        for mark in ("> ", "- ", "1. ", "> - ", "[^1]: ", "%%\n"):
            read(mark * 3000 + "x")
    finally:
        sys.setrecursionlimit(limit)


def test_anything_can_be_read() -> None:
    for text in (
        "",
        "\0",
        "\ufeff",
        "\r",
        "\n",
        "#",
        "# ",
        "-",
        ">",
        "|",
        "%%",
        "$$",
        "```",
        "---",
        "---\n---",
        "[",
        "\ud800",
    ):
        read(text)
        read(f"- {text}\n> {text}")
