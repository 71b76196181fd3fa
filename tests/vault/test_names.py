"""The names of a vault, as files come and go."""

from __future__ import annotations

from knapper.vault.names import Names
from knapper.vault.paths import NotePath


def of(*paths: str) -> Names:
    return Names.of(map(NotePath, paths))


def test_files_are_found_by_name_the_shortest_path_first() -> None:
    names = of("long/Note.md", "a/note.md", "other.md")

    assert names.paths_named("note.md") == ("a/note.md", "long/Note.md")
    assert names.paths_named("missing.md") == ()


def test_a_path_is_found_exactly_or_in_another_spelling() -> None:
    names = of("a/Note.md", "a/note.md", "b/Straße.md")

    assert names.exact("a/note.md") == "a/note.md"
    assert names.exact("B/STRASSE.MD") == "b/Straße.md"
    assert names.exact("a/NOTE.md") == "a/Note.md"
    assert names.exact("Note.md") is None


def test_only_the_spelling_on_disk_is_there() -> None:
    names = of("a/Note.md")

    assert names.has("a/Note.md")
    assert not names.has("a/note.md")
    assert "a/Note.md" in names


def test_a_name_is_unique_while_no_other_file_has_it() -> None:
    names = of("a/Note.md", "b/note.md", "b/Other.md", "pic.png", "pic.md")

    assert {path for path in names if names.is_unique(path)} == {"b/Other.md", "pic.md", "pic.png"}
    assert names.is_unique("new.md")


def test_changes_give_the_names_of_the_files_there_are_then() -> None:
    names = of("a/Note.md", "b/Note.md", "c.md").with_changes(
        [NotePath("d/Note.md"), NotePath("e.md"), NotePath("c.md")], [NotePath("a/Note.md"), NotePath("x.md")]
    )

    assert names == of("b/Note.md", "c.md", "d/Note.md", "e.md")
    assert len(names) == 4
    assert sorted(names) == ["b/Note.md", "c.md", "d/Note.md", "e.md"]


def test_what_came_and_went_is_told() -> None:
    old = of("a/Note.md", "b/Note.md", "c.md")
    new = old.with_changes([NotePath("d/Note.md")], [NotePath("a/Note.md")])

    assert new.changed_since(old) == ({"d/Note.md"}, {"a/Note.md"})
