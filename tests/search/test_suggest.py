"""Links that a text could have: the notes it names, then those it is near to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from knapper.search.naming import Naming, pieces_of
from knapper.search.related import related
from knapper.search.structure import SavedLinks
from knapper.search.suggest import Suggestion, Writing, suggest_links
from knapper.store.words import WordReader
from knapper.text.lines import Text
from knapper.text.span import Span
from knapper.vault.note import Note
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView
from tests.search.library import library

NOTES = (
    Note(NotePath("Kitchen/Wood oven.md"), aliases=("the stove",)),
    Note(NotePath("Oven.md")),
    Note(NotePath("Café.md"), title="Café of the four winds"),
    Note(NotePath("日本.md")),
    Note(NotePath("Log.md")),
    Note(NotePath("Garden/Log.md")),
    Note(NotePath("It.md")),
    Note(NotePath("2024.md")),
)


class Rarities:
    """Every word stands in as many chunks as it says here, of a hundred."""

    def __init__(self, held: dict[str, int]) -> None:
        self._held = held

    def chunk_count(self) -> int:
        return 100

    def frequencies(self, needles: Sequence[str]) -> dict[str, int]:
        return {needle: self._held.get(needle, 0) for needle in needles}

    def stems_of(self, words: Sequence[str]) -> dict[str, str]:
        return {word: word for word in words}


def suggested(text: str, taken: Sequence[Span] = (), path: str = "note.md") -> list[tuple[str, str, str]]:
    """What stands there, the note, and by what."""
    writing = Writing(NotePath(path), Text(text), Span(0, len(text)), taken)
    found = suggest_links(writing, Naming.of(NOTES), Rarities({}))
    return [(one.text, one.path, one.by) for one in sorted(found, key=lambda one: one.place.start)]


def test_the_longest_name_counts() -> None:
    assert suggested("Fire the wood oven, not an oven.") == [
        ("wood oven", "Kitchen/Wood oven.md", "title"),
        ("oven", "Oven.md", "title"),
    ]


def test_names_are_whole_words_in_any_letter_case_and_with_any_accents() -> None:
    assert suggested("ovens, CAFE, café of the four winds") == [("CAFE", "Café.md", "title")]


def test_in_scripts_without_blanks_a_name_counts_wherever_it_stands() -> None:
    assert suggested("去日本吧") == [("日本", "日本.md", "title")]


def test_aliases_count_and_everyday_words_do_not() -> None:
    assert suggested("It was 2024, and the stove was cold.") == [
        ("the stove", "Kitchen/Wood oven.md", "alias")
    ]


def test_what_is_taken_and_the_note_itself_are_left_out() -> None:
    assert suggested("`oven` and oven", [Span(0, 6)]) == [("oven", "Oven.md", "title")]
    assert suggested("oven", path="Oven.md") == []


def test_notes_that_are_linked_already_are_left_out() -> None:
    text = Text("oven")
    writing = Writing(NotePath("n.md"), text, Span(0, 4), linked=frozenset({NotePath("Oven.md")}))
    assert suggest_links(writing, Naming.of(NOTES), Rarities({})) == ()


def test_a_rare_name_is_worth_more_than_a_common_or_an_ambiguous_one() -> None:
    text = "oven, log, café"
    writing = Writing(NotePath("n.md"), Text(text), Span(0, len(text)))
    found = suggest_links(writing, Naming.of(NOTES), Rarities({"oven": 60}))
    assert [one.text for one in found] == ["café", "log", "oven"]


def test_notes_near_in_meaning_come_behind_those_named(tmp_path: Path) -> None:
    starter = "The sourdough starter wants rye flour twice a day, and lives beside the stove.\n"
    saved = library(
        tmp_path,
        {
            "Diary.md": "Gave the sourdough starter its rye flour. Ada came.\n",
            "Feeding.md": starter,
            "Ada.md": "A neighbour.\n",
        },
    )
    loaded = saved.reader.load()
    view = VaultView.build(loaded.notes, loaded.files)
    index = WordReader(saved.reader.connection)
    text = Text("Gave the sourdough starter its rye flour. Ada came.\n")
    writing = Writing(NotePath("Diary.md"), text, Span(0, len(text)))

    near = related(NotePath("Diary.md"), index, SavedLinks(view))
    found = suggest_links(writing, Naming.of(view.notes.values()), index, near)
    saved.reader.close()

    assert [(one.text, one.path, one.by) for one in found] == [
        ("Ada", "Ada.md", "title"),
        ("Gave the sourdough starter its rye flour. Ada came.", "Feeding.md", "meaning"),
    ]
    assert isinstance(found[0], Suggestion)


def test_pieces_are_words_marks_and_single_characters_of_cjk() -> None:
    assert [text for text, _ in pieces_of("Wood-oven 日本x")] == ["wood", "-", "oven", "日", "本", "x"]
    assert [span for _, span in pieces_of("a日")] == [Span(0, 1), Span(1, 2)]
