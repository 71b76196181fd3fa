"""Positions are counted as editors count them, in UTF-16, whatever stands on the line."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.text.lines import Text
from knapper.text.span import Position

# Long ones too: from some length on columns are counted in another way.
texts = st.builds(
    lambda pieces, times: "".join(pieces) * times,
    st.lists(st.sampled_from(("a", "é", "本", "🎉", "\n", "\r", "\r\n", "\u2028", "[[x]]")), max_size=12),
    st.sampled_from((1, 1, 1, 900)),
)


def counted(line: str, unit: int) -> int:
    """The index of the character of *line* that holds UTF-16 unit *unit*, counted one by one."""
    units = 0
    for index, character in enumerate(line):
        units += 2 if character > "\uffff" else 1
        if units > unit:
            return index
    return len(line)


@settings(max_examples=150, deadline=None)
@given(texts, st.data())
def test_an_offset_comes_back_from_its_position(content: str, data: st.DataObject) -> None:
    text, offset = Text(content), data.draw(st.integers(0, len(content)))
    inside_a_break = content[offset - 1 : offset + 1] == "\r\n" if offset else False

    assert text.offset(text.position(offset)) == offset - inside_a_break


@settings(max_examples=150, deadline=None)
@given(texts, st.data())
def test_a_position_means_the_character_that_holds_it(content: str, data: st.DataObject) -> None:
    text = Text(content)
    line = data.draw(st.integers(0, text.line_count() - 1))
    written = text.line(line)
    unit = data.draw(st.integers(0, 2 * len(written) + 2))

    assert text.offset(Position(line, unit)) == text.line_span(line).start + counted(written, unit)
