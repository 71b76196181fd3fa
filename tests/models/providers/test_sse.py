"""Events out of bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.models.providers.sse import Event, EventReader


def read(*chunks: bytes) -> list[Event]:
    reader = EventReader()
    found = [event for chunk in chunks for event in reader.feed(chunk)]
    return [*found, *reader.end()]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_end_in_three_ways(newline: str) -> None:
    stream = newline.join(["event: a", "data: 1", "", "data: 2", "", ""]).encode()

    assert read(stream) == [Event("a", "1"), Event("", "2")]
    assert read(*(bytes([byte]) for byte in stream)) == [Event("a", "1"), Event("", "2")]


def test_data_lines_of_one_event_are_joined() -> None:
    assert read(b"data: {\ndata:  1\ndata\ndata:}\n\n") == [Event("", "{\n 1\n\n}")]


def test_comments_ids_and_retry_are_passed_over() -> None:
    assert read(b": OPENROUTER PROCESSING\n\n:\nid: 4\nretry: 10\nother\ndata: x\n\n: end\n\n") == [
        Event("", "x")
    ]


def test_an_event_without_data_is_none() -> None:
    assert read(b"event: ping\n\ndata: x\n\n") == [Event("", "x")]


def test_the_last_event_may_lack_its_blank_line_or_its_end_of_line() -> None:
    assert read(b"data: 1\n\ndata: 2\n") == [Event("", "1"), Event("", "2")]
    assert read(b"data: 1\n\ndata: 2") == [Event("", "1"), Event("", "2")]


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert read(b"\xef\xbb", b"\xbfdata: 1\n\n") == [Event("", "1")]


def test_a_damaged_character_costs_itself_only() -> None:
    assert read(b"data: a\xffb\n\ndata: c\n\n") == [Event("", "a\ufffdb"), Event("", "c")]


def test_unicode_separators_end_no_line() -> None:
    assert read("data: a\u2028b\x85c\x0cd\n\n".encode()) == [Event("", "a\u2028b\x85c\x0cd")]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["data: ä\u2028🍞", "data:", "event: e", ": c", "", "x", "id: 1"])),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.lists(st.integers(1, 9)),
)
def test_how_the_bytes_are_cut_changes_nothing(lines: list[str], newline: str, sizes: list[int]) -> None:
    stream = newline.join(lines).encode()
    chunks, at = [], 0
    for size in sizes:
        chunks.append(stream[at : at + size])
        at += size

    assert read(*chunks, stream[at:]) == read(stream)
