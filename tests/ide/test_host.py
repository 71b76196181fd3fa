"""Open notes over saved ones: what is typed counts at once, and what is not typed costs nothing."""

from __future__ import annotations

import pytest

from knapper.base.settings import Settings, read_settings
from knapper.ide.definition import definition
from knapper.ide.diagnostics import diagnostics
from knapper.ide.host import Host
from knapper.ide.open_note import OpenNote, changed_part
from knapper.ide.references import references
from knapper.ide.symbols import document_symbols
from knapper.text.lines import Text
from knapper.text.span import Place, Span
from knapper.vault.paths import NotePath
from knapper.vault.view import Delta, VaultView
from tests.ide.render import shown
from tests.scene import host_of, note_from, scene

SRC, NOTE, NEW = NotePath("src.md"), NotePath("Note.md"), NotePath("New.md")


def host(text: str) -> Host:
    return host_of(scene(text))


def places(host: Host, offset: int = 3) -> list[str]:
    snap = host.snapshot()
    return shown(snap, references(snap, SRC, offset))


def test_a_snapshot_is_the_same_object_until_something_changes() -> None:
    it = host("//- /src.md\n[[Note]]\n")
    first = it.snapshot()
    assert it.snapshot() is first
    it.change(SRC, 2, [(Place(0, 0, 0, 0), "x")])
    assert it.snapshot() is not first
    assert it.snapshot().revision > first.revision


def test_an_older_snapshot_keeps_what_it_saw() -> None:
    it = host("//- /src.md\n[[Note]]\n")
    first = it.snapshot()
    it.change(SRC, 2, [(None, "gone")])
    text = first.text(SRC)
    assert text
    assert text.content == "[[Note]]\n"


def test_a_change_parses_nothing() -> None:
    it = host("//- /src.md\n[[Note]]\n")
    it.change(SRC, 2, [(Place(0, 0, 0, 0), "x")])
    assert not it.snapshot().overlays[SRC].is_parsed
    it.settle(SRC)
    assert it.snapshot().overlays[SRC].is_parsed


def test_several_edits_each_count_from_the_text_the_one_before_left() -> None:
    it = host("//- /src.md\none\ntwo\n")
    it.change(SRC, 2, [(Place(0, 0, 0, 3), "🎈\nx"), (Place(1, 1, 2, 0), "y "), (Place(0, 2, 0, 2), "!")])
    text = it.snapshot().text(SRC)
    assert text
    assert text.content == "🎈!\nxy two\n"


def test_unsaved_links_count_and_closing_takes_them_back() -> None:
    it = host("//- /src.md\n[[Note]]\n//- /draft.md\nNothing.\n//- /Note.md\n")
    draft = NotePath("draft.md")
    it.open(draft, 1, "Nothing.\n")
    it.change(draft, 2, [(Place(0, 0, 0, 8), "Now [[Note]].")])
    assert places(it) == ["draft.md:1 [[Note]]", "src.md:1 [[Note]]"]
    it.close(draft)
    assert places(it) == ["src.md:1 [[Note]]"]


def test_an_unsaved_heading_counts_in_other_notes() -> None:
    it = host("//- /src.md\n[[Note#Plan]]\n//- /Note.md\n## Plan\n")
    assert diagnostics(it.snapshot(), SRC) == []
    it.open(NOTE, 1, "## Plan\n")
    it.change(NOTE, 2, [(Place(0, 7, 0, 7), "s")])
    assert [item.message for item in diagnostics(it.snapshot(), SRC)] == ["“Note” has no heading “Plan”."]


def test_an_open_file_that_is_not_on_disk_is_a_note_of_the_vault() -> None:
    it = host("//- /src.md\n[[New]]\n//- /other.md\n[[New]]\n")
    assert [item.code for item in diagnostics(it.snapshot(), SRC)] == ["unresolved-note"]
    it.open(NEW, 1, "# New\n")
    snap = it.snapshot()
    assert diagnostics(snap, SRC) == []
    assert shown(snap, definition(snap, SRC, 3)) == ["New.md"]
    assert places(it) == ["other.md:1 [[New]]", "src.md:1 [[New]]"]
    it.close(NEW)
    assert [item.code for item in diagnostics(it.snapshot(), SRC)] == ["unresolved-note"]


def test_an_unsaved_note_takes_links_over_from_the_one_they_meant() -> None:
    it = host("//- /src.md\n[[Note]]\n//- /a/Note.md\n//- /other.md\n[[Note]]\n")
    assert [item.source for item in it.snapshot().backlinks(NotePath("a/Note.md"))] == ["other.md", "src.md"]
    it.open(NOTE, 1, "")
    assert it.snapshot().backlinks(NotePath("a/Note.md")) == []
    assert [item.source for item in it.snapshot().backlinks(NOTE)] == ["other.md", "src.md"]


def test_an_open_file_in_a_hidden_folder_is_no_note_of_the_vault() -> None:
    it = host("//- /src.md\n[[Old]]\n//- /Note.md\n")
    old = NotePath(".trash/Old.md")
    it.open(old, 1, "[[Note]]\n\n# H\n")
    snap = it.snapshot()
    assert [item.code for item in diagnostics(snap, SRC)] == ["unresolved-note"]
    assert snap.backlinks(NOTE) == []
    assert [symbol.name for symbol in document_symbols(snap, old)] == ["H"]


def test_a_newer_view_goes_below_the_open_notes() -> None:
    it = host("//- /src.md\n[[New]]\n")
    view = it.snapshot().view
    saved = note_from(SRC, "nothing")
    it.rebase(view.apply(Delta(1, notes=(note_from(NEW, "# N\n"), saved))))
    snap = it.snapshot()
    assert shown(snap, definition(snap, SRC, 3)) == ["New.md"]
    assert [item.source for item in snap.backlinks(NEW)] == ["src.md"]


def test_other_settings_make_another_snapshot() -> None:
    it = host("//- /src.md\n[[Gone]]\n")
    settings, _ = read_settings([{"diagnostics": {"unresolved-note": "off"}}])
    it.configure(settings)
    assert diagnostics(it.snapshot(), SRC) == []


def test_a_file_alone_works() -> None:
    it = Host(VaultView.build(()), read_settings([])[0], alone=True)
    it.open(SRC, 1, "# A\n\n[[#A]] [[Gone]]\n")
    snap = it.snapshot()
    assert [symbol.name for symbol in document_symbols(snap, SRC)] == ["A"]
    assert shown(snap, definition(snap, SRC, 8)) == ["src.md:1 # A"]


def test_a_change_of_a_file_that_is_not_open_is_an_error_and_a_close_is_nothing() -> None:
    it = host("//- /src.md\n")
    with pytest.raises(KeyError):
        it.change(NEW, 1, [(None, "x")])
    it.close(NEW)


def test_what_was_used_last_comes_first_and_once() -> None:
    it = host("//- /src.md\n")
    it.use(NEW, NOTE)
    it.use(NEW)
    assert it.snapshot().used == (NEW, NOTE, SRC)


def test_a_canvas_can_be_open() -> None:
    it = host("//- /src.md\n[[Note]]\n//- /Note.md\n")
    it.open(NotePath("b.canvas"), 1, '{"nodes": [{"id": "1", "type": "file", "file": "Note.md"}]}')
    assert places(it) == ["b.canvas:1 Note.md", "src.md:1 [[Note]]"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("the cat sat", "the dog sat", ("cat", "dog")),
        ("aaa", "aaaa", ("", "a")),
        ("aaaa", "aa", ("aa", "")),
        ("", "x", ("", "x")),
        ("same", "same", ("", "")),
    ],
)
def test_a_whole_new_text_is_an_edit_of_what_differs(old: str, new: str, expected: tuple[str, str]) -> None:
    span, text = changed_part(old, new)
    assert (span.of(old), text) == expected
    assert old[: span.start] + text + old[span.end :] == new


def test_edits_between_two_parses_are_parsed_as_one() -> None:
    note = OpenNote(SRC, 1, Text("# A\n\n[[x]]\n\n# B\n"))
    assert len(note.parse.headings) == 2
    note = note.edited(2, Span(5, 10), "[[y]] `").edited(3, Span(0, 2), "## ").edited(4, Span(12, 13), "")
    assert note.text.content == "## A\n\n[[y]] \n\n# B\n"
    assert note.parse == OpenNote(SRC, 4, note.text).parse


def test_what_an_editor_opens_as_markdown_is_read_as_a_note_but_is_none_of_the_vault() -> None:
    it = host("//- /src.md\n[[Note]]\n//- /Note.md\n//- /readme.txt\n[[Note]]\n")
    path = NotePath("readme.txt")
    it.open(path, 0, "# H\n\n[[Note]]\n")
    snap = it.snapshot()
    assert [symbol.name for symbol in document_symbols(snap, path)] == ["H"]
    assert shown(snap, definition(snap, path, 8)) == ["Note.md"]
    assert [item.source for item in snap.backlinks(NOTE)] == ["src.md"]


def test_nothing_is_called_missing_before_the_files_of_the_vault_are_known() -> None:
    it = Host(VaultView.build([]), Settings(), read=lambda _: None, size=lambda _: None)
    it.open(SRC, 1, "[[Gone]]\n")
    assert diagnostics(it.snapshot(), SRC) == []

    it.rebase(VaultView.build([], [SRC]))
    assert [found.message for found in diagnostics(it.snapshot(), SRC)] == ["There is no note “Gone”."]
