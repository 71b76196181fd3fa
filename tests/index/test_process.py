"""The real index process behind the real client."""

from __future__ import annotations

import os
import shutil
import signal
import time

import pytest

from knapper.index.messages import (
    CloseVault,
    Committed,
    DropOverlay,
    Ended,
    Failed,
    Notice,
    ObsidianChanged,
    Opened,
    OpenVault,
    Overlay,
    Passed,
    Rebuild,
    Touch,
)
from knapper.store.reader import Reader
from tests.index.workshop import Server, Workshop, dump, until


def _start(workshop: Workshop, servers: list[Server], name: str, **client: object) -> Server:
    server = Server(workshop, name, **client)
    servers.append(server)
    return server


def _found(workshop: Workshop, word: str, as_server: str = "") -> list[str]:
    """The notes that hold *word*, as that server sees them."""
    reader = Reader(workshop.database, as_server)
    rows = reader.connection.execute(
        "SELECT DISTINCT note.path FROM chunk_search JOIN chunk ON chunk.id = chunk_search.rowid"
        " JOIN note ON note.id = chunk.note WHERE chunk_search MATCH ? AND server = ? ORDER BY 1",
        (word, as_server),
    ).fetchall()
    reader.close()
    return [path for (path,) in rows]


def test_a_vault_is_opened_indexed_and_passed(workshop: Workshop, servers: list[Server]) -> None:
    workshop.write("A.md", "see [[B]]\n")
    workshop.write("B.md", "# B\n")
    server = _start(workshop, servers, "one")
    ticket = server.open()
    opened = server.opened()
    server.done(ticket)
    passed = server.hear(lambda event: isinstance(event, Passed))
    assert (opened.owner, opened.owner_pid) == (True, None)
    assert isinstance(passed, Passed)
    assert passed.first
    assert [note.path for note in workshop.reader().load().notes] == ["A.md", "B.md"]


def test_a_touched_file_is_there_once_its_ticket_is_committed(
    workshop: Workshop, servers: list[Server]
) -> None:
    server = _start(workshop, servers, "one")
    server.done(server.open())
    workshop.write("New.md", "zeppelin\n")
    server.done(server.send(Touch, ("New.md",)))
    assert _found(workshop, "zeppelin") == ["New.md"]


def test_unsaved_text_is_seen_by_its_own_server_only_and_goes_when_dropped(
    workshop: Workshop, servers: list[Server]
) -> None:
    workshop.write("A.md", "saved words\n")
    server = _start(workshop, servers, "one")
    server.done(server.open())
    server.done(server.send(Overlay, "A.md", "unsaved words \ud83d\n"))
    assert _found(workshop, "unsaved", "one") == ["A.md"]
    assert _found(workshop, "unsaved") == []
    workshop.write("A.md", "unsaved words, saved\n")
    server.done(server.send(DropOverlay, "A.md"))
    assert _found(workshop, "unsaved", "one") == []
    assert _found(workshop, "unsaved") == ["A.md"]


def test_changes_by_other_programs_are_heard(workshop: Workshop, servers: list[Server]) -> None:
    workshop.write("Old.md", "old\n")
    server = _start(workshop, servers, "one")
    server.done(server.open())
    workshop.write("sub/New.md", "zeppelin\n")
    (workshop.root / "Old.md").unlink()
    until(lambda: _found(workshop, "zeppelin") == ["sub/New.md"])
    until(lambda: workshop.reader().load().files == ("sub/New.md",))
    workshop.write(".obsidian/app.json", "{}")
    server.hear(lambda event: isinstance(event, ObsidianChanged))


def test_two_servers_share_one_index_and_hand_it_over(workshop: Workshop, servers: list[Server]) -> None:
    workshop.write("A.md", "one\n")
    first = _start(workshop, servers, "one")
    first.done(first.open())
    second = _start(workshop, servers, "two")
    ticket = second.open()
    opened = second.opened()
    second.done(ticket)
    assert (opened.owner, opened.owner_pid) == (False, first.client.pid)

    failed = second.send(Rebuild)
    refusal = second.hear(lambda event: isinstance(event, Failed))
    assert isinstance(refusal, Failed)
    assert (refusal.ticket, str(first.client.pid) in refusal.message) == (failed, True)

    workshop.write("B.md", "zeppelin\n")
    second.done(second.send(Touch, ("B.md",)))
    second.done(second.send(Overlay, "A.md", "balloon\n"))
    assert _found(workshop, "zeppelin") == ["B.md"]
    assert _found(workshop, "balloon", "two") == ["A.md"]

    first.client.stop()
    owner = second.hear(lambda event: isinstance(event, Opened) and event.owner)
    assert isinstance(owner, Opened)
    workshop.write("C.md", "balloon\n")
    second.done(second.send(Touch, ("C.md",)))
    assert _found(workshop, "balloon", "two") == ["A.md"]
    assert _found(workshop, "balloon") == ["C.md"]


def test_unsaved_notes_of_a_killed_server_are_purged(workshop: Workshop, servers: list[Server]) -> None:
    workshop.write("A.md", "one\n")
    first = _start(workshop, servers, "one", restarts=())
    first.done(first.open())
    first.done(first.send(Overlay, "A.md", "balloon\n"))
    os.kill(first.client.pid or 0, signal.SIGKILL)
    second = _start(workshop, servers, "two")
    second.done(second.open())
    assert _found(workshop, "balloon", "one") == []


def test_a_killed_process_is_noticed_and_loses_nothing_that_was_asked(
    workshop: Workshop, servers: list[Server]
) -> None:
    workshop.write("A.md", "one\n")
    server = _start(workshop, servers, "one", restarts=(0.1, 0.1))
    server.done(server.open())
    server.done(server.send(Overlay, "A.md", "balloon\n"))
    os.kill(server.client.pid or 0, signal.SIGKILL)
    assert server.hear(lambda event: isinstance(event, Ended)) == Ended(0.1)
    workshop.write("B.md", "zeppelin\n")
    server.done(server.send(Touch, ("B.md",)))
    assert _found(workshop, "zeppelin") == ["B.md"]
    until(lambda: _found(workshop, "balloon", "one") == ["A.md"])


def test_a_process_that_ends_again_and_again_is_given_up(workshop: Workshop, servers: list[Server]) -> None:
    server = _start(workshop, servers, "one", restarts=(0.0, 0.0), command=("false",))
    ended = [server.hear(lambda event: isinstance(event, Ended)) for _ in range(3)]
    assert ended == [Ended(0.0), Ended(0.0), Ended(None)]


def test_the_process_ends_with_its_pipe_even_in_the_middle_of_work(
    workshop: Workshop, servers: list[Server]
) -> None:
    for number in range(3000):
        workshop.write(f"{number % 50}/{number}.md", f"# {number}\n\n" + "word [[1]] and *more*\n" * 40)
    server = _start(workshop, servers, "one")
    server.open()
    server.hear(lambda event: isinstance(event, Committed))
    pid = server.client.pid
    began = time.monotonic()
    server.client.stop(timeout=20)
    assert time.monotonic() - began < 10
    assert not _is_running(pid or 0)


def test_a_closed_vault_keeps_no_unsaved_notes(workshop: Workshop, servers: list[Server]) -> None:
    server = _start(workshop, servers, "one")
    server.done(server.open())
    server.done(server.send(Overlay, "New.md", "balloon\n"))
    server.client.send(CloseVault(server.vault))
    until(lambda: _found(workshop, "balloon", "one") == [])


def test_a_corrupt_index_is_moved_aside_and_said_once(workshop: Workshop, servers: list[Server]) -> None:
    workshop.write("A.md", "zeppelin\n")
    workshop.database.write_bytes(b"this is no database" * 1000)
    server = _start(workshop, servers, "one")
    ticket = server.open()
    server.done(ticket)
    notices = [event for event in server.heard if isinstance(event, Notice)]
    assert [notice.level for notice in notices] == ["warning"]
    assert _found(workshop, "zeppelin") == ["A.md"]
    assert len(list(workshop.database.parent.glob("*.corrupt-*"))) == 1


@pytest.mark.parametrize("suffix", ["", "-wal"])
def test_a_folder_in_the_place_of_the_index_is_moved_aside(
    workshop: Workshop, servers: list[Server], suffix: str
) -> None:
    workshop.write("A.md", "zeppelin\n")
    (workshop.database.with_name(workshop.database.name + suffix) / "x").mkdir(parents=True)
    server = _start(workshop, servers, "one")
    server.done(server.open())
    assert _found(workshop, "zeppelin") == ["A.md"]


def test_an_index_that_somebody_deletes_is_made_again(workshop: Workshop, servers: list[Server]) -> None:
    workshop.write("A.md", "zeppelin\n")
    server = _start(workshop, servers, "one")
    server.done(server.open())
    for path in workshop.database.parent.glob("index-*"):
        path.unlink()
    server.hear(lambda event: isinstance(event, Opened))
    until(lambda: workshop.database.exists() and _found(workshop, "zeppelin") == ["A.md"])


def test_a_rebuild_gives_the_same_index_and_keeps_unsaved_text(
    workshop: Workshop, servers: list[Server]
) -> None:
    workshop.write("A.md", "see [[B]] #tag\n")
    workshop.write("B.md", "# B\n")
    server = _start(workshop, servers, "one")
    server.done(server.open())
    server.done(server.send(Overlay, "B.md", "balloon\n"))
    before = dump(workshop.database)
    server.done(server.send(Rebuild))
    assert dump(workshop.database) == before
    until(lambda: _found(workshop, "balloon", "one") == ["B.md"])


def test_a_home_folder_is_declined_unless_the_person_insists(
    workshop: Workshop, servers: list[Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(workshop.root))
    server = _start(workshop, servers, "one")
    ticket = server.open()
    failed = server.hear(lambda event: isinstance(event, Failed))
    assert isinstance(failed, Failed)
    assert (failed.ticket, "home folder" in failed.message) == (ticket, True)


def test_a_vault_that_vanishes_keeps_its_rows(workshop: Workshop, servers: list[Server]) -> None:
    workshop.write("A.md", "zeppelin\n")
    server = _start(workshop, servers, "one")
    server.done(server.open())
    shutil.move(workshop.root, workshop.root.with_name("elsewhere"))
    server.client.send(OpenVault(server.vault, 99, {}))
    server.send(Touch, ("A.md",))
    server.hear(lambda event: isinstance(event, Notice))
    reader = Reader(workshop.database)
    assert reader.load().files == ("A.md",)
    reader.close()


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
