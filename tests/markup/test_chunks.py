"""How a note is cut into chunks."""

from __future__ import annotations

import random

import pytest

from knapper.markup.chunk import chunk
from knapper.markup.note import Chunk
from knapper.markup.parse import parse
from knapper.text.span import Span

SENTENCE = "The oak is a tree of the temperate zone. "


def chunks(text: str, title: str = "") -> tuple[Chunk, ...]:
    return chunk(text, parse(text), title)


def texts(text: str) -> list[str]:
    return [piece.text for piece in chunks(text)]


def paths(text: str, title: str = "") -> list[tuple[str, ...]]:
    return [piece.headings for piece in chunks(text, title)]


def test_chunk_says_where_it_stands() -> None:
    text = "---\na: b\n---\n# Trees\n\nOaks.\n"
    (piece,) = chunks(text)
    assert piece == Chunk(Span(13, 27), "# Trees\n\nOaks.", ("Trees",), 4, piece.digest)


def test_sections_are_chunks_with_the_path_of_their_headings() -> None:
    body = SENTENCE * 6
    text = f"{body}\n\n# A\n\n{body}\n\n## B\n\n{body}\n\n# C\n\n{body}\n"
    assert paths(text) == [(), ("A",), ("A", "B"), ("C",)]
    assert texts(text)[2] == f"## B\n\n{body}".strip()


def test_heading_that_repeats_the_title_is_left_out_of_paths() -> None:
    text = f"# Trees\n\n{SENTENCE * 8}\n\n## Oak\n\n{SENTENCE * 8}"
    assert paths(text, "trees") == [(), ("Oak",)]


def test_small_sections_join_under_their_parent() -> None:
    text = "# P\n\n## A\n\none\n\n## B\n\ntwo\n\n# Q\n\nthree\n\n### R\n\nfour\n"
    assert paths(text) == [()]
    far = f"# P\n\n{SENTENCE * 8}\n\n## A\n\n{SENTENCE * 8}\n\n# Q\n\nsmall\n"
    assert paths(far) == [("P",), ("P", "A"), ("Q",)]


def test_small_section_does_not_join_another_parents_child() -> None:
    text = f"# P\n\n{SENTENCE * 8}\n\n## A\n\nsmall\n\n# Q\n\n{SENTENCE * 8}\n\n## B\n\nsmall\n"
    assert paths(text) == [("P",), ("Q",)]


def test_small_section_goes_on_with_what_it_begins() -> None:
    text = f"# P\n\n{SENTENCE * 8}\n\n# Q\n\nsmall\n\n## A\n\n{SENTENCE * 8}\n"
    assert paths(text) == [("P",), ("Q",)]
    assert texts(text)[1].startswith("# Q\n\nsmall\n\n## A")


def test_many_small_sections_are_parted_where_higher_headings_stand() -> None:
    small = "".join(f"### {at}\n\n{SENTENCE * 3}\n\n" for at in range(6))
    assert paths(f"# P\n\n## A\n\n{small}## B\n\n{small}") == [("P",), ("P", "B")]


def test_list_stays_with_its_lead_in() -> None:
    filler = SENTENCE * 18
    text = f"{filler}\n\nWhat to bring:\n\n- bread\n- water\n\n{filler}\n"
    (piece,) = [piece for piece in texts(text) if "What to bring" in piece]
    assert "What to bring:\n\n- bread\n- water" in piece


def test_heading_stays_with_what_follows() -> None:
    text = f"# A\n\n{SENTENCE * 60}\n"
    first, *rest = texts(text)
    assert first.startswith("# A\n\nThe oak")
    assert rest


@pytest.mark.parametrize(
    "block",
    [
        "```py\n" + "x = 1\n\n" * 60 + "```",
        "| a |\n|---|\n" + "| cell |\n" * 60 + "| end |",
        "> [!note] T\n" + "> line\n>\n" * 50 + "> end",
        "$$\n" + "x + y\n" * 80 + "$$",
    ],
)
def test_no_boundary_lies_inside_a_block(block: str) -> None:
    text = "\n\n".join([SENTENCE * 12, block, SENTENCE * 12, block, SENTENCE * 12])
    assert sum(piece.count(block) for piece in texts(text)) == 2


def test_long_blocks_are_parted_at_their_lines() -> None:
    text = "```\n" + "".join(f"line {n} of code\n" for n in range(300)) + "```\n"
    pieces = texts(text)
    assert "\n".join(pieces) == text.strip()
    assert len(pieces) > 2


def test_long_paragraphs_are_parted_at_sentences() -> None:
    pieces = texts(SENTENCE * 100)
    assert all(piece.endswith("zone.") for piece in pieces)
    assert "".join(f"{piece} " for piece in pieces) == SENTENCE * 100


def test_what_has_no_end_is_parted_all_the_same() -> None:
    for endless in ("word " * 4000, "x" * 10_000, "日" * 3000, "- " * 3000, "a\n" * 5000, "| a " * 3000):
        pieces = chunks(endless)
        assert max(len(piece.text) for piece in pieces) <= 1500
        assert max(piece.tokens for piece in pieces) <= 350
        assert "".join("".join(piece.text for piece in pieces).split()) == "".join(endless.split())


def test_tokens_count_cjk_characters_one_by_one() -> None:
    assert [piece.tokens for text in ("日本語", "four", "fours", "日 abc") for piece in chunks(text)] == [
        3,
        1,
        2,
        2,
    ]


def test_data_is_no_prose() -> None:
    json = '```compressed-json\n{"a": "' + "N4KAkARALgngDgUwgLgAQQ" * 60 + '"}\n```'
    image = "![](data:image/png;base64," + "iVBORw0KGgoAAAANSUhEUgAA" * 40 + ")"
    text = f"Before.\n\n%%\n# Drawing\n{json}\n%%\n\nBetween {image} them.\n\nAfter [[A]]."
    prose = " ".join(texts(text))
    assert "N4KAkARALgngDgUw" not in prose
    assert "iVBORw0KGgo" not in prose
    assert all(word in prose for word in ("Before.", "Drawing", "Between", "them.", "After [[A]]."))


def test_short_json_and_code_are_prose() -> None:
    assert texts('```json\n{"a": 1}\n```') == ['```json\n{"a": 1}\n```']


def test_nothing_gives_no_chunk() -> None:
    assert [texts(text) for text in ("", " \n\n", "---\na: b\n---\n")] == [[], [], []]


@pytest.mark.parametrize("blank", ["\u2028", "\u00a0", "\u3000", "\x0b", "\x1f"])
@pytest.mark.parametrize("before", ["", "# ", "- ", "> ", "Words.\n\n", "# Head\n\n"])
def test_blanks_without_end_are_no_prose(before: str, blank: str) -> None:
    prose = texts(f"{before}{blank * 20_000}\n\n# End\n\nWords.")
    assert prose[-1].endswith("# End\n\nWords.")
    assert blank * 2 not in "".join(prose)


def test_digest_depends_on_text_and_path_alone() -> None:
    body = SENTENCE * 8
    one, other = f"# A\n\n{body}", f"{body}\n\n# A\n\n{body}"
    assert chunks(one)[0].digest == chunks(other)[1].digest
    assert len({piece.digest for piece in chunks(f"{other}\n\n# B\n\n{body}")}) == 3


def test_edit_of_a_paragraph_changes_few_chunks() -> None:
    """A word more, in any paragraph of a long section, leaves all chunks but two what they were."""
    choose = random.Random(5)
    words = [chr(97 + n % 26) * (2 + n % 7) for n in range(200)]
    paragraphs = [" ".join(choose.choices(words, k=choose.randint(20, 120))) + "." for _ in range(120)]
    before = {piece.digest for piece in chunks("\n\n".join(paragraphs))}
    assert len(before) >= 50
    changed = []
    for index in range(0, len(paragraphs), 6):
        edited = [*paragraphs[:index], f"{paragraphs[index]} One sentence more.", *paragraphs[index + 1 :]]
        changed.append(len({piece.digest for piece in chunks("\n\n".join(edited))} - before))
    assert max(changed) <= 2


def test_a_command_that_never_ends_hides_no_text_from_the_search() -> None:
    text = "| a | b |\n|---|---|\n<%```\n[[N#a|b]] " * 29
    pieces = chunk(text, parse(text), "T")
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(text.split())
