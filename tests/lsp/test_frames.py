"""Claims about framing: bytes come in any pieces, and damage is reported and survived."""

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.lsp.frames import Damage, Frames


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def test_a_body_is_given_back_once_it_is_whole() -> None:
    frames = Frames()

    assert frames.feed(framed(b'{"a":1}')[:-1]) == []
    assert frames.feed(b"}") == [b'{"a":1}']


@settings(max_examples=50)
@given(st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=5), st.integers(1, 7))
def test_any_cutting_of_the_stream_gives_the_same_bodies(bodies: list[bytes], size: int) -> None:
    stream = b"".join(framed(body) for body in bodies)
    frames = Frames()

    found = [item for at in range(0, len(stream), size) for item in frames.feed(stream[at : at + size])]

    assert found == bodies


def test_header_names_are_read_in_any_case_and_others_are_passed_over() -> None:
    stream = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:2\r\n\r\n{}"

    assert Frames().feed(stream) == [b"{}"]


def test_lines_may_end_with_a_bare_line_feed() -> None:
    assert Frames().feed(b"Content-Length: 2\n\n{}") == [b"{}"]


def test_a_length_that_is_no_number_is_reported_and_the_next_message_is_read() -> None:
    found = Frames().feed(b'Content-Length: many\r\n\r\n{"lost":1}' + framed(b"{}"))

    assert found == [Damage("The header 'Content-Length: many' gives no usable length."), b"{}"]


def test_a_message_without_a_length_is_passed_over() -> None:
    assert Frames().feed(b"\r\n\r\nhello\r\n\r\n" + framed(b"{}")) == [b"{}"]


def test_garbage_without_a_line_break_is_not_hoarded() -> None:
    frames = Frames()

    assert frames.feed(b"x" * 100_000) == []
    assert len(frames._buffer) < 100
    assert frames.feed(b"\r\n" + framed(b"{}")) == [b"{}"]
