"""An edited text is the text that a client would have after the same edit, lines and all."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.text.fold import name_fold, search_fold
from knapper.text.lines import Text
from knapper.text.span import Place, Position, Span

pieces = st.sampled_from(("a", "é", "本", "🎉", "\n", "\r", "\r\n", "\u2028", "\u0085", "\f", "word "))
contents = st.lists(pieces, max_size=14).map("".join)


def as_a_client_edits(content: str, place: Place, new: str) -> str:
    """*content* with *place* replaced, worked out on lists of lines in UTF-16, as editors keep them."""
    unified = content.replace("\r\n", "\n").replace("\r", "\n")
    breaks = [
        content[end : end + 2] if content[end : end + 2] == "\r\n" else content[end : end + 1]
        for end in _ends(content)
    ]
    lines = [line.encode("utf-16-le") for line in unified.split("\n")]

    def before(line: int, unit: int) -> str:
        whole = "".join(lines[n].decode("utf-16-le") + breaks[n] for n in range(line))
        return whole + lines[line][: 2 * unit].decode("utf-16-le")

    head = before(place.line, place.start)
    return head + new + content[len(before(place.end_line, place.end)) :]


def _ends(content: str) -> list[int]:
    ends, at = [], 0
    while at < len(content):
        if content[at] in "\r\n":
            ends.append(at)
            at += content[at : at + 2] == "\r\n"
        at += 1
    return ends


@settings(max_examples=150, deadline=None)
@given(contents, contents, st.data())
def test_splice_is_what_a_client_does(content: str, new: str, data: st.DataObject) -> None:
    text = Text(content)
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, len(content)))
    place = text.place(Span(start, end))
    span = text.span(place)

    assert text.splice(span, new).content == as_a_client_edits(content, place, new)


@settings(max_examples=150, deadline=None)
@given(contents, contents, st.data())
def test_lines_of_a_spliced_text_are_those_of_the_same_text_made_anew(
    content: str, new: str, data: st.DataObject
) -> None:
    text = Text(content)
    assert text.line_starts[0] == 0
    start = data.draw(st.integers(0, len(content)))
    end = data.draw(st.integers(start, len(content)))

    edited = text.splice(Span(start, end), new)

    assert edited.line_starts == Text(edited.content).line_starts


@settings(max_examples=100, deadline=None)
@given(contents, st.integers(-2, 30), st.integers(-2, 60))
def test_any_position_is_clamped_into_the_text(content: str, line: int, character: int) -> None:
    text = Text(content)
    offset = text.offset(Position(line, character))
    assert 0 <= offset <= len(content)
    assert text.offset(text.position(offset)) == offset


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_folding_twice_is_folding_once(content: str) -> None:
    assert name_fold(name_fold(content)) == name_fold(content)
    folded = search_fold(content).split()
    assert search_fold(" ".join(folded)).split() == folded
