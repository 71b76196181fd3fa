"""Reading only what an edit touched gives what reading everything gives."""

from __future__ import annotations

import itertools
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.markup.chunk import chunk
from knapper.markup.parse import parse
from knapper.markup.reparse import Parsed
from knapper.text.span import Span
from tests.markup.reading import in_order

# Pieces that open, close, join and part blocks, most of them at the start of a line.
PIECES = (
    *("```\n", "~~~\n", "# H\n", "## H ^id\n", "===\n", "---\n", "* * *\n", "\n", "\n\n", "  \n"),
    *("- item\n", "  - sub ^li\n", "1. one\n", "-\n", "   - odd\n", "- > q\n", "- ", "  ", "    ", "\t"),
    *("> q\n", "> [!note] c\n", "> > deep\n", "\n>", "lazy\n", "> ^q\n"),
    *("| a | b |\n|---|---|\n", "| [[x\\|y]] | z |\n", "|-|\n", "a | b\n", "^tid\n", "\n^alone\n\n"),
    *("$$\n", "$$", "$", "%%\n", "%% c [[x]] %%\n", "%%", "<!-- ", "-->", "<div>\n", "<b>", "<%", "%>"),
    *("[r]: N.md\n", "[t][r] ", "[r]", "[^1]: foot\n", "[^1]", "  more\n", "^[", "[", "]", "](d.md)", "]]"),
    *("[[N#a|b]] ", "![[e]]", "[a](b c", "https://x.org/a ", "#tag ", "`", "``", "\\", "word ", "日本", "🎉"),
    *("\r\n", "\r", "\u2028", "\ufeff", "\0", 'a: "[[p]]"\n', "tags: [a, b]\n", "title: T\n"),
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
notes = st.one_of(texts, texts.map("---\n".__add__), texts.map("---\na: b\n---\n".__add__))


@settings(max_examples=200, deadline=None)
@given(notes, st.lists(st.sampled_from(PIECES), max_size=3).map("".join), st.data())
def test_reparse_equals_parse(text: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = min(len(text), start + data.draw(st.integers(0, 30)))

    edited = Parsed.of(text).edited(Span(start, end), new)

    assert edited.text == text[:start] + new + text[end:]
    assert edited.parse == parse(edited.text)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 30))
def test_any_script_of_edits_ends_where_reading_anew_begins(seed: int) -> None:
    """Edits build on each other, as they do in an editor."""
    choose = random.Random(seed)
    parsed = Parsed.of("".join(choose.choices(PIECES, k=40)))
    for _ in range(12):
        start = choose.randint(0, len(parsed.text))
        end = min(len(parsed.text), start + choose.choice((0, 0, 1, 3, 20)))
        new = "".join(choose.choices(PIECES, k=choose.choice((0, 1, 1, 2))))
        parsed = parsed.edited(Span(start, end), new)
        assert parsed.parse == parse(parsed.text)


@settings(max_examples=150, deadline=None)
@given(notes)
def test_everything_found_lies_in_the_text_and_in_order(text: str) -> None:
    parsed = parse(text)
    assert in_order(parsed)
    for link in parsed.links:
        assert link.span.end <= len(text)
        for span in (link.target_span, link.subpath_span, link.display_span):
            assert span is None or (span.start <= span.end <= len(text))
    for heading in parsed.headings:
        assert heading.section.covers(heading.span)
        assert heading.span.covers(heading.text_span)


@settings(max_examples=150, deadline=None)
@given(notes, st.integers(1, 40))
def test_every_character_of_prose_is_in_one_chunk(text: str, times: int) -> None:
    text *= times
    parsed = parse(text)
    pieces = chunk(text, parsed, "T")
    assert [piece.text for piece in pieces] == [piece.span.of(text) for piece in pieces]
    assert all(a.span.end <= b.span.start for a, b in itertools.pairwise(pieces))
    assert all(len(piece.text) <= 1500 and piece.tokens <= 350 for piece in pieces)
    prose = "".join("".join(piece.text for piece in pieces).split())
    assert prose == "".join(text[parsed.body :].split())
