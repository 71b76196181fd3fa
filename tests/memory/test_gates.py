"""What may leave this machine, decided on the text of the moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.memory.asked import FoundPassage, Memory, Origin
from knapper.memory.excerpt import Source, digest_of
from knapper.memory.gates import is_private, public_parts, sendable
from knapper.memory.privacy import private_spans
from knapper.text.lines import Text
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath
from tests.memory.notebook import Notebook
from tests.search.library import Library, library

BREAD = NotePath("Bread.md")
TEXT = (
    "# Bread\n\n## Starter\n\nFeed it daily.\n\n## Diary\n\n%%private%%\nThe secret.\n\n## Oven\n\nHeat it.\n"
)


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    made = library(tmp_path_factory.mktemp("gates"), {BREAD: TEXT})
    yield made
    made.reader.close()


@pytest.fixture
def vault(indexed: Library) -> Notebook:
    """The vault as it is before a test changes it."""
    return Notebook(indexed)


def passage(text: str, words: str) -> FoundPassage:
    """The passage *words* of the note Bread with this *text*."""
    start = text.index(words)
    return Source(BREAD, text).passage(Span(start, start + len(words)), 0.5)


def test_a_public_passage_is_sent_as_it_is(vault: Notebook) -> None:
    feed = passage(TEXT, "Feed it daily.")

    assert sendable(feed, vault.memory) == feed
    assert feed == FoundPassage(
        BREAD, "Bread", "Starter", Place(4, 0, 4, 14), "Feed it daily.", digest_of(TEXT), 0.5
    )


def test_what_is_private_is_cut_out_of_a_passage(vault: Notebook) -> None:
    whole = passage(TEXT, TEXT.strip())
    source = Source(BREAD, TEXT)

    parts = public_parts(source, Span(0, len(TEXT)))

    assert [part.text for part in parts] == [
        "# Bread\n\n## Starter\n\nFeed it daily.\n\n## Diary",
        "## Oven\n\nHeat it.",
    ]
    assert [part.heading for part in parts] == ["", "Oven"]
    assert [Text(TEXT).span(part.place).of(TEXT) for part in parts] == [part.text for part in parts]
    assert sendable(whole, vault.memory) == replace(parts[0], score=0.5)


def test_a_private_passage_is_not_sent(vault: Notebook) -> None:
    assert sendable(passage(TEXT, "The secret."), vault.memory) is None
    assert sendable(passage(TEXT, "%%private%%\nThe secret."), vault.memory) is None


@pytest.mark.parametrize(
    "text",
    [
        f"---\nprivate: true\n---\n{TEXT}",
        f"---\nai: false\n---\n{TEXT}",
        f"---\nai: [false\n---\n{TEXT}",
        f"%%private%%\n{TEXT}",
        TEXT.replace("Feed", "%%private%%\nFeed"),
        TEXT.replace("Feed it", "Feed them"),
        "",
        None,
    ],
)
def test_the_text_of_the_moment_decides(vault: Notebook, text: str | None) -> None:
    found = passage(TEXT, "Feed it daily.")
    vault.unsaved[BREAD] = text

    assert sendable(found, vault.memory) is None


def test_a_note_that_is_excluded_meanwhile_is_not_sent(vault: Notebook) -> None:
    vault.excluded = frozenset((BREAD,))

    assert sendable(passage(TEXT, "Feed it daily."), vault.memory) is None


def test_words_that_have_moved_are_sent_with_their_new_place(vault: Notebook) -> None:
    found = passage(TEXT, "Feed it daily.")
    moved = TEXT.replace("## Starter", "New words.\n\n## The starter")
    vault.unsaved[BREAD] = moved

    assert sendable(found, vault.memory) == FoundPassage(
        BREAD, "Bread", "The starter", Place(6, 0, 6, 14), "Feed it daily.", digest_of(moved), 0.5
    )


def test_words_that_have_moved_into_a_private_section_are_not_sent(vault: Notebook) -> None:
    found = passage(TEXT, "Feed it daily.")
    vault.unsaved[BREAD] = TEXT.replace("Feed it daily.", "").replace("The secret.", "Feed it daily.")

    assert sendable(found, vault.memory) is None


def test_no_private_heading_or_title_goes_with_a_passage() -> None:
    text = "# Plan %%private%%\n\nno\n\n# Public\n\n- ## Deep secret\n\n## Below\n\nyes\n"
    sources = [Source(BREAD, text), Source(BREAD, "# A\n\n- ## Deep %%private%%\n\n# B\n\nyes\n")]

    parts = [part for source in sources for part in public_parts(source, Span(0, len(source.content)))]

    assert [(part.title, part.heading) for part in parts] == [("Bread", "Public"), ("A", ""), ("A", "B")]


def test_a_heading_in_a_list_that_is_private_is_no_heading_over_what_follows() -> None:
    text = "## A\n\n- ### Deep\n  %%private%%\n\n## B\n\nyes\n"
    ends = Source(BREAD, text)

    assert [part.heading for part in public_parts(ends, Span(text.index("yes"), len(text)))] == ["B"]


def place(text: str, words: str) -> Place:
    start = text.index(words)
    return Text(text).place(Span(start, start + len(words)))


@pytest.mark.parametrize(
    ("words", "private"),
    [
        ("Feed it daily.", False),
        ("The secret.", True),
        ("secret", True),
        ("## Diary\n\n%%private%%", True),
        ("## Diary\n\n", False),  # A line-wise selection ends where the next line begins.
        ("## Oven", False),
        ("Heat it.", False),
    ],
)
def test_a_question_selected_in_private_text_is_private(
    vault: Notebook, words: str, *, private: bool
) -> None:
    assert is_private(Origin(BREAD, place(TEXT, words)), vault.memory) is private


def test_a_cursor_in_private_text_is_private(vault: Notebook) -> None:
    where = {line: is_private(Origin(BREAD, Place(line, 2, line, 2)), vault.memory) for line in (4, 8, 9, 12)}

    assert where == {4: False, 8: True, 9: True, 12: False}


def test_a_question_from_a_private_or_excluded_note_or_none_is_private(vault: Notebook) -> None:
    def asked(memory: Memory) -> bool:
        return is_private(Origin(BREAD, Place(0, 0, 0, 0)), memory)

    vault.unsaved[BREAD] = "---\nprivate: true\n---\n"
    private = asked(vault.memory)
    vault.unsaved[BREAD] = None
    gone = asked(vault.memory)
    vault.unsaved[BREAD] = TEXT
    public = asked(vault.memory)
    vault.excluded = frozenset((BREAD,))

    assert (private, gone, public, asked(vault.memory)) == (True, True, False, True)


def test_text_that_repeats_is_found_where_it_was_nearest(vault: Notebook) -> None:
    text = "one\n\nsame\n\ntwo\n\nsame\n\nthree\n"
    old = Source(BREAD, text).passage(Span(16, 20))
    vault.unsaved[BREAD] = "zero\n\n" + text
    found = sendable(old, vault.memory)

    assert found is not None
    assert found.place == Place(8, 0, 8, 4)


LINES = st.sampled_from(
    [
        "# {}",
        "## {}",
        "### {}",
        "{}",
        "- {}",
        "- ## {}",
        "> # {}",
        "## {} %%private%%",
        "%%private%% {}",
        "{}\n===",
        "",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=12))
def test_no_word_of_a_private_line_is_in_what_is_sent_nor_above_it(lines: list[str]) -> None:
    text = "\n".join(line.format(f"w{at:02}") for at, line in enumerate(lines))
    source = Source(NotePath("Note.md"), text)
    private = {
        word[0]
        for word in re.finditer(r"w\d\d", text)
        if any(span.start <= word.start() < span.end for span in private_spans(text))
    }
    parts = public_parts(source, Span(0, len(text)))
    sent = {
        word for part in parts for word in re.findall(r"w\d\d", f"{part.title} {part.heading} {part.text}")
    }

    assert sent & private == set()
    assert sent | private == set(re.findall(r"w\d\d", text))
