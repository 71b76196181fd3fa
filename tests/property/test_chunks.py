"""What holds for the chunks of any note: their size, what they cover, and how few of them an edit changes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.markup.chunk import chunk
from knapper.markup.note import Chunk
from knapper.markup.parse import parse

WORDS = "oak bark leaf root seed 日本 語 Größe co-op a I".split()
MOST_CHANGED = 5
"""An edit changes the chunk it stands in and one beside it; a long one may part these once more each."""

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=60).map(" ".join)
sentences = st.lists(words.map(lambda said: f"{said}. "), min_size=1, max_size=40).map("".join)
blocks = st.one_of(
    sentences,
    words.map(lambda said: f"# {said[:40]}"),
    words.map(lambda said: f"### {said[:40]}"),
    st.lists(words.map(lambda said: f"- {said}"), min_size=1, max_size=60).map("\n".join),
    st.lists(words, min_size=1, max_size=30).map(lambda lines: "```\n" + "\n".join(lines) + "\n```"),
    st.lists(words, min_size=1, max_size=30).map(lambda lines: "> [!note]\n> " + "\n> ".join(lines)),
)


def chunks(text: str) -> tuple[Chunk, ...]:
    return chunk(text, parse(text), "")


def changed(before: Sequence[str], after: Sequence[str], between: str = "\n\n") -> int:
    """How many chunks of the text after an edit are not among those before."""
    known = {piece.digest for piece in chunks(between.join(before))}
    return len({piece.digest for piece in chunks(between.join(after))} - known)


@settings(max_examples=100, deadline=None)
@given(st.lists(blocks, max_size=25))
def test_chunks_hold_all_prose_once_in_order_and_fit(some: list[str]) -> None:
    text = "\n\n".join(some)
    found = chunks(text)
    assert "".join("".join(piece.text for piece in found).split()) == "".join(text.split())
    assert all(piece.text == text[piece.span.start : piece.span.end] for piece in found)
    assert all(one.span.end <= other.span.start for one, other in pairwise(found))
    assert all(len(piece.text) <= 1500 and piece.tokens <= 350 for piece in found)


def prose(choose: random.Random, most: int) -> str:
    """A paragraph of at most so many sentences."""
    said = (" ".join(choose.choices(WORDS[:6], k=choose.randint(5, 25))) for _ in range(most))
    return " ".join(f"{choose.randrange(999)} {sentence}." for sentence in said)


def written(seed: int, kind: str) -> tuple[list[str], str]:
    """The parts of a note of some fifty chunks, and what stands between them."""
    choose = random.Random(seed)
    if kind == "items":
        return [f"- {prose(choose, 1)}" for _ in range(400)], "\n"
    if kind == "long paragraphs":
        return [prose(choose, choose.randint(1, 60)) for _ in range(40)], "\n\n"
    parts = [prose(choose, choose.randint(1, 6)) for _ in range(120)]
    if kind == "sections":
        parts = [f"## {at}\n\n{part}" if choose.random() < 0.3 else part for at, part in enumerate(parts)]
    return parts, "\n\n"


def edited(parts: list[str], choose: random.Random) -> list[str]:
    """The parts after one had something added to it or cut off, at its end, in its middle or in front."""
    at = choose.randrange(len(parts))
    head, _, part = parts[at].rpartition("\n\n")
    mark = "- " if part.startswith("- ") else ""
    part, middle = part.removeprefix(mark), len(part) // 2
    part = choose.choice(
        [
            f"{part} One sentence more.",
            part[:middle],
            f"{part[:middle]} another thing was said here.",
            f"{part[:middle]} word {part[middle:]}",
            f"Now {part}",
        ]
    )
    return [*parts[:at], f"{head}\n\n{mark}{part}".lstrip("\n"), *parts[at + 1 :]]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(["paragraphs", "sections", "items", "long paragraphs"]))
def test_an_edit_of_one_paragraph_changes_no_chunk_far_away(seed: int, kind: str) -> None:
    parts, between = written(seed, kind)
    assert changed(parts, edited(parts, random.Random(seed)), between) <= MOST_CHANGED


@pytest.mark.parametrize("kind", ["paragraphs", "sections", "items", "long paragraphs"])
def test_nearly_every_edit_changes_two_chunks_at_most(kind: str) -> None:
    parts, between = written(1, kind)
    choose = random.Random(2)
    counts = [changed(parts, edited(parts, choose), between) for _ in range(60)]
    assert len(chunks(between.join(parts))) >= 40
    assert sum(count <= 2 for count in counts) >= 57  # 95 %


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_a_paragraph_more_or_less_changes_no_chunk_far_away(seed: int, more: bool) -> None:
    parts, between = written(seed, "paragraphs")
    choose = random.Random(seed)
    at = choose.randrange(len(parts))
    after = [*parts[:at], *([prose(choose, 4), parts[at]] if more else []), *parts[at + 1 :]]
    assert changed(parts, after, between) <= MOST_CHANGED
