"""Names are found from a few letters, the likeliest first."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.vault.fuzzy import Entry, NameTable, entries_of
from knapper.vault.note import Note
from knapper.vault.paths import NotePath


def table(*paths: str) -> NameTable:
    return NameTable.of(entry for path in paths for entry in entries_of(NotePath(path)))


def found(names: NameTable, query: str, limit: int = 100, **boost: float) -> list[str]:
    """The texts that *query* finds; boosts are by the names of notes in the root."""
    likely = {NotePath(f"{name}.md"): value for name, value in boost.items()}
    return [match.entry.text for match in names.search(query, limit, likely)]


def test_better_matches_come_first() -> None:
    names = table(
        "note.md", "notebook.md", "my note.md", "New Old Third Echo.md", "keynote.md", "n-other.te.md"
    )

    assert found(names, "note") == [
        "note",
        "notebook",
        "my note",
        "New Old Third Echo",
        "keynote",
        "n-other.te",
    ]


def test_words_may_stand_in_any_order() -> None:
    assert found(table("Java notes.md", "Javanese.md", "my-note.md"), "notes java") == ["Java notes"]
    assert found(table("my-note.md", "mynah.md"), "my note") == ["my-note"]


def test_case_and_accents_do_not_matter() -> None:
    assert found(table("Crème Brûlée.md", "straße.md"), "creme b") == ["Crème Brûlée"]
    assert found(table("Crème Brûlée.md", "straße.md"), "STRASS") == ["straße"]


def test_every_script_is_found() -> None:
    assert found(table("指数增长.md", "费曼技巧.md", "Привет мир.md"), "增长") == ["指数增长"]
    assert found(table("指数增长.md", "费曼技巧.md", "Привет мир.md"), "мир") == ["Привет мир"]


def test_marks_are_letters_like_others() -> None:
    assert found(table("C++ notes.md", "Cats.md"), "C++") == ["C++ notes"]
    assert found(table("a(b.md", "ab.md"), "a(") == ["a(b"]


def test_letters_far_apart_find_nothing() -> None:
    assert found(table("abcdefghijklmnopqrstuvwxyz.md"), "az") == []
    assert found(table("notebook.md"), "ntbk") == ["notebook"]
    assert found(table("notebook.md"), "nkb") == []


def test_folders_are_looked_at_after_a_slash() -> None:
    names = table("folder/note.md", "other/note.md", "folder/deep/second note.md", "note.md")

    assert found(names, "fold/no") == ["note", "second note"]
    assert [match.entry.path for match in names.search("other/")] == ["other/note.md"]
    assert [match.entry.path for match in names.search("folder/deep/n")] == ["folder/deep/second note.md"]
    assert found(names, "deep/folder/no") == []


def test_likely_files_come_first_among_equally_good_matches() -> None:
    names = table("note a.md", "note b.md", "note c.md", "my note.md")

    assert found(names, "note") == ["note a", "note b", "note c", "my note"]
    assert found(names, "note", **{"note b": 0.5, "note c": 1.0, "my note": 1.0}) == [
        "note c",
        "note b",
        "note a",
        "my note",
    ]


def test_without_a_query_likely_files_come_before_short_names() -> None:
    assert found(table("ccc.md", "bb.md", "a.md", "dddd.md"), "", 3, dddd=1.0) == ["dddd", "a", "bb"]


def test_aliases_are_found_and_told_from_names() -> None:
    note = Note(NotePath("Artificial Intelligence.md"), aliases=("AI",))
    names = NameTable.of(entries_of(note.path, note))

    assert [match.entry for match in names.search("ai")] == [
        Entry("AI", note.path, "alias"),
        Entry("Artificial Intelligence", note.path),
    ]


def test_a_short_query_in_a_large_vault_finds_what_begins_with_it() -> None:
    names = table(
        *(f"{letter}{number:04}.md" for letter in "abcde" for number in range(3000)), "x a1.md", "xa1.md"
    )

    assert found(names, "a", 2) == ["a0000", "a0001"]
    assert found(names, "x", 5) == ["xa1", "x a1"]
    assert found(names, "a1", 2000)[999:1002] == ["a1999", "x a1", "xa1"]


def test_nothing_is_found_in_nothing() -> None:
    assert (found(table(), "a"), found(table(), ""), found(table(), "a/b"), len(table())) == ([], [], [], 0)


words = st.text(alphabet="abAé本 -/", min_size=1, max_size=5)
entries = st.builds(lambda text, path: Entry(text, NotePath(f"{path}.md")), words, st.integers(0, 8).map(str))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(entries, max_size=12),
    st.lists(st.tuples(st.lists(entries, max_size=3), st.lists(st.integers(0, 8), max_size=3)), max_size=60),
    words,
)
def test_changes_find_what_a_new_table_finds(
    first: list[Entry], steps: list[tuple[list[Entry], list[int]]], query: str
) -> None:
    names, left = NameTable.of(first), list(first)
    for added, numbers in steps:
        gone = [NotePath(f"{number}.md") for number in numbers]
        names = names.with_changes(added, gone)
        left = [entry for entry in left if entry.path not in gone] + added

    assert len(names) == len(left)
    assert names.search(query) == NameTable.of(left).search(query)
    assert names.search("") == NameTable.of(left).search("")
