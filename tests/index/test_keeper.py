"""The index stays equal to the vault, whatever happens to either, and is in every way what a fresh one is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from knapper.base.cancel import Cancelled, CancelToken
from knapper.base.settings import Settings, read_settings
from knapper.index.keeper import Keeper
from knapper.index.local import NotIndexed, bring_up_to_date, owner_of
from knapper.index.locks import Ownership
from knapper.index.messages import Committed, Event, Indexing, Notice, Passed
from knapper.index.working import Working
from knapper.store.rows import FileState
from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView
from tests.index.workshop import Workshop, dump, finish, keeper_of


def _opened(workshop: Workshop, events: list[Event] | None = None, **pace: object) -> Keeper:
    keeper = keeper_of(workshop, (events if events is not None else []).append, **pace)
    keeper.look_at_all()
    finish(keeper)
    return keeper


def _closed(keeper: Keeper) -> None:
    keeper.close()
    keeper._writer.close()


def _fresh(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> dict[str, list[tuple[object, ...]]]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "fresh"))
    return dump(workshop.index().database)


def _resolved(workshop: Workshop) -> dict[str, str | None]:
    return {f"{link.source} {link.text}": link.target for link in workshop.reader().links()}


def test_a_first_build_tells_names_first_then_progress_then_that_it_is_done(workshop: Workshop) -> None:
    workshop.write("A.md", "[[B]]")
    workshop.write("B.md")
    events: list[Event] = []
    keeper = _opened(workshop, events)
    kinds = [type(event) for event in events]
    assert kinds == [Committed, Indexing, Committed, Passed]
    assert events[1] == Indexing(str(workshop.root), "Reading notes", 2, 2)
    assert isinstance(events[3], Passed)
    assert (events[3].touched, events[3].first) == (2, True)
    keeper.look_at_all()
    finish(keeper)
    assert isinstance(events[-1], Passed)
    assert (events[-1].touched, events[-1].first) == (0, False)
    _closed(keeper)


def test_links_mean_what_the_graph_says_as_files_come_and_go(workshop: Workshop) -> None:
    workshop.write(
        "src.md", "[[No]] ![[pic.png]] [x](sub/No.md) [[#here]] https://a.b [[https://a.b/No]]\n# here\n"
    )
    keeper = _opened(workshop)
    for change in ("sub/No.md", "No.md", "pic.png", "-No.md", "-sub/No.md", "-pic.png"):
        path = change.removeprefix("-")
        if change == path:
            workshop.write(path)
        else:
            (workshop.root / path).unlink()
        keeper.touch([path])
        finish(keeper)
        loaded = workshop.reader().load()
        view = VaultView.build(loaded.notes, loaded.files, Obsidian(), Settings())
        expected = {
            f"{note.path} {link.text}": target
            for note in loaded.notes
            for link, target in zip(note.links, view.graph.outgoing(note.path), strict=True)
        }
        assert _resolved(workshop) == expected
    _closed(keeper)


def test_any_changes_while_nobody_looked_end_in_what_a_fresh_index_has(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number in range(30):
        workshop.write(
            f"{number % 3}/{number}.md", f"# N{number}\n[[{number + 1}]] #t{number % 2}\n^b{number}\n"
        )
    workshop.write("Board.canvas", '{"nodes": [{"type": "file", "file": "0/0.md"}]}')
    workshop.index()
    (workshop.root / "0").rename(workshop.root / "moved")
    workshop.write("1/1.md", "changed")
    workshop.write("1/4.md", b"caf\xe9")
    os.utime(workshop.root / "1" / "7.md", (1, 1))
    (workshop.root / "2" / "2.md").unlink()
    assert dump(workshop.index().database) == _fresh(workshop, monkeypatch, tmp_path)


def test_only_what_changed_is_in_the_delta(workshop: Workshop) -> None:
    for name in ("A", "B", "C"):
        workshop.write(f"{name}.md", name)
    keeper = _opened(workshop)
    reader = workshop.reader()
    before = reader.seq()
    workshop.write("B.md", "changed")
    workshop.write("pic.png")
    (workshop.root / "C.md").unlink()
    keeper.touch(["B.md", "C.md", "pic.png"])
    finish(keeper)
    delta = reader.changes_since(before)
    assert delta is not None
    assert ([note.path for note in delta.notes], delta.files, delta.gone) == (
        ["B.md"],
        ("pic.png",),
        ("C.md",),
    )
    assert reader.changes_since(delta.seq + 1) is None
    keeper.touch(["A.md"])
    finish(keeper)
    assert reader.seq() == delta.seq
    _closed(keeper)


def test_what_is_asked_for_is_done_before_the_rest_and_then_called(workshop: Workshop) -> None:
    for number in range(5):
        workshop.write(f"{number}.md", "x")
    keeper = keeper_of(workshop, hurry=lambda: True)
    keeper.look_at_all()
    while workshop.reader().counts().notes == 0:
        keeper.step()
    done: list[int] = []
    workshop.write("9.md", "typed")
    keeper.touch(["9.md"], lambda: done.append(workshop.reader().counts().notes))
    finish(keeper)
    assert done[0] < 6
    assert workshop.reader().counts().notes == 6
    _closed(keeper)


def test_open_notes_are_read_first(workshop: Workshop) -> None:
    for number in range(5):
        workshop.write(f"{number}.md", "x")
    keeper = keeper_of(workshop, hurry=lambda: True)
    keeper.look_at_all(first=["4.md"])
    while not (notes := workshop.reader().load().notes):
        keeper.step()
    assert "4.md" in [note.path for note in notes]
    assert len(notes) < 5
    assert len(workshop.reader().load().files) == 5
    _closed(keeper)


def test_many_missing_files_are_kept_until_a_second_look(workshop: Workshop) -> None:
    for number in range(100):
        workshop.write(f"sub/{number}.md" if number < 60 else f"{number}.md", "x")
    now = 0.0
    events: list[Event] = []
    keeper = _opened(workshop, events, clock=lambda: now)
    (workshop.root / "sub").rename(workshop.root.parent / "elsewhere")
    keeper.look_at_all()
    finish(keeper)
    assert workshop.reader().counts().notes == 100
    said = (
        "60 files of vault cannot be found. What the index knows of them is kept;"
        " in 60 seconds they are looked for again."
    )
    assert [event.message for event in events if isinstance(event, Notice)] == [said]
    assert keeper.due == 60.0
    now = 60.0
    finish(keeper)
    assert workshop.reader().counts().notes == 40
    assert keeper.due is None
    _closed(keeper)


def test_a_missing_root_keeps_everything_until_it_can_be_read(workshop: Workshop) -> None:
    workshop.write("A.md", "x")
    now = 0.0
    events: list[Event] = []
    keeper = _opened(workshop, events, clock=lambda: now)
    away = workshop.root.rename(workshop.root.with_name("away"))
    keeper.touch(["A.md"])
    for now in (0.0, 60.0, 120.0):  # noqa: B007 -- The clock is a closure over it.
        finish(keeper)
    assert workshop.reader().counts().notes == 1
    assert len([event for event in events if isinstance(event, Notice)]) == 1
    away.rename(workshop.root)
    workshop.write("B.md", "x")
    now = 200.0
    finish(keeper)
    assert workshop.reader().counts().notes == 2
    assert workshop.reader().load().problems == {}
    _closed(keeper)


def test_deletes_that_were_reported_apply_at_once(workshop: Workshop) -> None:
    for number in range(100):
        workshop.write(f"sub/{number}.md", "x")
    workshop.write("A.md", "x")
    keeper = _opened(workshop)
    (workshop.root / "sub").rename(workshop.root.parent / "elsewhere")
    keeper.touch(["sub"])
    finish(keeper)
    assert workshop.reader().load().files == ("A.md",)
    _closed(keeper)


def test_problems_come_and_go_with_their_reasons(workshop: Workshop) -> None:
    workshop.write("A.md", b"caf\xe9 [[B]]")
    keeper = _opened(workshop)
    assert list(workshop.reader().load().problems) == ["A.md"]
    assert [link.text for link in workshop.reader().links()] == ["[[B]]"]
    workshop.write("A.md", "café [[B]]")
    keeper.touch(["A.md"])
    finish(keeper)
    assert workshop.reader().load().problems == {}
    workshop.write(".C.md.icloud")
    keeper.look_at_all()
    finish(keeper)
    assert list(workshop.reader().load().problems) == ["C.md"]
    (workshop.root / ".C.md.icloud").unlink()
    workshop.write("C.md", "fetched")
    keeper.look_at_all()
    finish(keeper)
    assert workshop.reader().load().problems == {}
    _closed(keeper)


def test_a_note_that_cannot_be_read_keeps_its_old_rows(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.write("A.md", "[[old]]")
    keeper = _opened(workshop)
    workshop.write("A.md", "[[newer]]")

    def refused(path: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("knapper.index.intake.read_file", refused)
        keeper.look_at_all()
        finish(keeper)
    assert [link.text for link in workshop.reader().links()] == ["[[old]]"]
    assert workshop.reader().load().problems == {"A.md": "The note cannot be read: Permission denied."}
    keeper.look_at_all()
    finish(keeper)
    assert [link.text for link in workshop.reader().links()] == ["[[newer]]"]
    assert workshop.reader().load().problems == {}
    _closed(keeper)


def test_a_note_on_which_the_process_ended_twice_is_left_alone_until_it_changes(workshop: Workshop) -> None:
    file = workshop.write("Bad.md", "x")
    workshop.write("Good.md", "x")
    state = FileState(file.stat().st_size, file.stat().st_mtime_ns, file.stat().st_ino)
    for _ in range(2):
        working = Working(workshop.database.parent)
        assert not working.is_guilty(NotePath("Bad.md"), state)
        working.begin(working.mark(NotePath("Bad.md"), state))
        working._map.close()  # The process ends here.
    workshop.index()
    assert [note.path for note in workshop.reader().load().notes] == ["Good.md"]
    assert list(workshop.reader().load().problems) == ["Bad.md"]
    workshop.index()
    assert list(workshop.reader().load().problems) == ["Bad.md"]
    workshop.write("Bad.md", "changed")
    workshop.index()
    assert len(workshop.reader().load().notes) == 2
    assert workshop.reader().load().problems == {}


def test_hostile_notes_are_indexed_and_harm_no_other(workshop: Workshop) -> None:
    workshop.write("brackets.md", "[" * 200_000)
    workshop.write("links.md", "[[Note]] x\n" * 5_000)
    workshop.write("quotes.md", ">" * 10_000 + " [[Note]]\n")
    workshop.write("line.md", "word " * 100_000)
    workshop.write("surrogate.md", '---\ntitle: "\\ud83d"\naliases: ["\\udc00"]\n---\n')
    workshop.write("nul.md", b"\0" * 1000 + b"[[Note]]")
    workshop.write("Note.md", "x")
    workshop.index()
    counts = workshop.reader().counts()
    assert (counts.notes, counts.links, counts.pending) == (7, 5_002, 0)
    assert workshop.reader().drift() is None


def test_the_command_line_reads_what_another_process_keeps(workshop: Workshop) -> None:
    workshop.write("A.md", "x")
    workshop.index()
    lock = Ownership(workshop.database.parent)
    lock.acquire()
    workshop.write("B.md", "x")
    local = workshop.index()
    assert (local.owned, len(local.remarks), owner_of(workshop.root, Settings())) == (False, 1, os.getpid())
    assert [note.path for note in workshop.reader().load().notes] == ["A.md"]
    with pytest.raises(NotIndexed):
        bring_up_to_date(workshop.root, Settings(), anew=True)
    lock.release()
    assert owner_of(workshop.root, Settings()) is None
    assert workshop.index().owned


def test_the_command_line_can_be_stopped_and_keeps_what_it_has(workshop: Workshop) -> None:
    for number in range(10):
        workshop.write(f"{number}.md", "x")
    token = CancelToken()
    with pytest.raises(Cancelled):
        bring_up_to_date(workshop.root, Settings(), lambda *_: token.cancel(), token)
    workshop.index()
    assert workshop.reader().counts().notes == 10


def test_a_vault_in_a_folder_whose_name_is_no_text_is_indexed(workshop: Workshop) -> None:
    shop = Workshop(workshop.root.parent / os.fsdecode(b"caf\xe9") / "vault")
    try:
        shop.write("A.md", "x")
    except OSError:
        assert sys.platform != "linux"  # Other file systems refuse such a name themselves.
        return
    assert (shop.index().remarks, shop.reader().counts().notes) == ((), 1)


def test_a_damaged_index_is_made_again_by_the_command_line(workshop: Workshop) -> None:
    workshop.write("A.md", "x")
    workshop.index()
    whole = workshop.database.read_bytes()
    workshop.database.write_bytes(whole[:4096] + b"\0" * (len(whole) - 4096))
    local = workshop.index()
    assert ("was damaged" in local.remarks[0], workshop.reader().counts().notes) == (True, 1)
    for _ in range(4):
        workshop.database.write_bytes(b"no database at all" * 300)
        workshop.index()
    assert len(list(workshop.database.parent.glob("*.db.corrupt-*"))) <= 2


def test_a_home_folder_is_indexed_only_if_the_person_insists(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(workshop.root))
    monkeypatch.setenv("USERPROFILE", str(workshop.root))
    with pytest.raises(NotIndexed):
        bring_up_to_date(workshop.root, Settings())
    settings, _ = read_settings([{"index.always": True}])
    assert bring_up_to_date(workshop.root, settings).owned
