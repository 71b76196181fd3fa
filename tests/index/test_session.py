"""One vault as one server has it, stepped by hand: what goes wrong is said once and tried again."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable

from knapper.index.messages import (
    Committed,
    Configure,
    DropOverlay,
    Event,
    Notice,
    Opened,
    OpenVault,
    Overlay,
    Passed,
    Scan,
    Touch,
)
from knapper.index.session import Session
from knapper.index.surroundings import Rhythm, Surroundings
from tests.index.workshop import PATIENCE, Workshop

QUICK = Rhythm(poll=0.0, take_over=0.02, purge=0.02, full_disk=0.1, check=0.0)


class Stage:
    """A session and what it tells."""

    def __init__(self, workshop: Workshop, server: str = "one", rhythm: Rhythm = QUICK) -> None:
        self.events: list[Event] = []
        self.vault = str(workshop.root)
        around = Surroundings(server, self.events.append, rhythm=rhythm, watch=False)
        self.session = Session(OpenVault(self.vault, 1, {}), around)

    def settle(self, until: Callable[[], bool] | None = None) -> None:
        """Step until there is nothing to do, or until something is so."""
        end = time.monotonic() + PATIENCE
        while self.session.step() or (until is not None and not until()):
            assert time.monotonic() < end, self.events

    def tickets(self) -> set[int]:
        """What has been committed."""
        return {ticket for event in self.events if isinstance(event, Committed) for ticket in event.tickets}

    def notices(self) -> list[str]:
        """What a person was told."""
        return [event.message for event in self.events if isinstance(event, Notice)]

    def limit(self, pages: int) -> None:
        """Let the disk have room for so many more pages."""
        connection: sqlite3.Connection = self.session._side.writer._connection  # type: ignore[union-attr]
        (count,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {count + pages}")


def _texts(workshop: Workshop, server: str = "") -> list[tuple[str, str]]:
    rows = workshop.reader().connection.execute(
        "SELECT path, text FROM chunk JOIN note ON note.id = chunk.note WHERE server = ? ORDER BY path",
        (server,),
    )
    return rows.fetchall()


def test_every_ticket_comes_back_when_its_wish_is_in_the_index(workshop: Workshop) -> None:
    stage = Stage(workshop)
    stage.settle()
    workshop.write("A.md", "saved")
    for request in (
        Touch(stage.vault, 2, ("A.md",)),
        Overlay(stage.vault, 3, "A.md", "unsaved"),
        Scan(stage.vault, 4),
        Configure(stage.vault, 5, {}),
        Touch(stage.vault, 6, ()),
    ):
        stage.session.accept(request)
    stage.settle()
    assert stage.tickets() == {1, 2, 3, 4, 5, 6}
    assert (_texts(workshop), _texts(workshop, "one")) == ([("A.md", "saved")], [("A.md", "unsaved")])
    stage.session.close()
    assert _texts(workshop, "one") == []


def test_a_note_that_is_edited_again_while_it_is_saved_stays_unsaved(workshop: Workshop) -> None:
    workshop.write("A.md", "saved")
    stage = Stage(workshop)
    stage.settle()
    stage.session.accept(Overlay(stage.vault, 2, "A.md", "one"))
    stage.session.accept(DropOverlay(stage.vault, 3, "A.md"))
    stage.session.accept(Overlay(stage.vault, 4, "A.md", "two"))
    stage.settle()
    assert stage.tickets() >= {2, 3, 4}
    assert _texts(workshop, "one") == [("A.md", "two")]
    stage.session.close()


def test_a_full_disk_is_said_once_keeps_the_last_state_and_is_tried_again(workshop: Workshop) -> None:
    workshop.write("A.md", "first")
    stage = Stage(workshop)
    stage.settle()
    stage.limit(pages=1)
    workshop.write("A.md", "second " * 20_000)
    stage.session.accept(Touch(stage.vault, 2, ("A.md",)))
    stage.session.accept(Overlay(stage.vault, 3, "B.md", "third " * 20_000))
    steps = 0
    end = time.monotonic() + 0.35
    while time.monotonic() < end:
        if stage.session.due <= time.monotonic():
            stage.session.step()
            steps += 1
        time.sleep(0.001)
    assert steps <= 6
    assert (len(stage.notices()), stage.tickets(), _texts(workshop)) == (1, {1}, [("A.md", "first")])
    stage.limit(pages=100_000)
    stage.settle(lambda: stage.tickets() == {1, 2, 3})
    assert workshop.reader().drift() is None
    assert _texts(workshop)[0][1].startswith("second")
    stage.session.close()


def test_an_index_that_drifted_where_no_query_looks_is_found_and_built_anew(workshop: Workshop) -> None:
    workshop.write("A.md", "words")
    workshop.index()
    raw = sqlite3.connect(workshop.database)
    raw.execute("DELETE FROM chunk_search_data WHERE id > 10")
    raw.commit()
    raw.close()
    stage = Stage(workshop)
    stage.settle(lambda: len([event for event in stage.events if isinstance(event, Opened)]) == 2)
    stage.settle()
    assert (len(stage.notices()), workshop.reader().drift()) == (1, None)
    assert _texts(workshop) == [("A.md", "words")]
    stage.session.close()


def test_a_follower_takes_over_and_does_what_it_had_asked_for(workshop: Workshop) -> None:
    owner, follower = Stage(workshop, "one"), None
    owner.settle()
    follower = Stage(workshop, "two")
    follower.settle(lambda: any(isinstance(event, Passed) for event in follower.events))
    workshop.write("A.md", "words")
    follower.session.accept(Touch(follower.vault, 2, ("A.md",)))
    follower.session.accept(Overlay(follower.vault, 3, "A.md", "unsaved"))
    follower.settle()
    assert follower.tickets() == {1, 3}
    owner.session.close()
    follower.settle(lambda: 2 in follower.tickets())
    assert [event.owner for event in follower.events if isinstance(event, Opened)] == [False, True]
    assert (_texts(workshop), _texts(workshop, "two")) == ([("A.md", "words")], [("A.md", "unsaved")])
    follower.session.close()


def test_an_owner_does_what_followers_ask(workshop: Workshop) -> None:
    owner = Stage(workshop, "one")
    owner.settle()
    follower = Stage(workshop, "two")
    follower.settle()
    workshop.write("sub/A.md", "words")
    follower.session.accept(Touch(follower.vault, 2, ("sub",)))
    follower.session.accept(Scan(follower.vault, 3))

    def both() -> bool:
        owner.session.step()
        return follower.tickets() >= {2, 3}

    follower.settle(both)
    assert _texts(workshop) == [("sub/A.md", "words")]
    owner.session.close()
    follower.session.close()


def test_the_index_moves_with_its_setting(workshop: Workshop) -> None:
    workshop.write("A.md", "words")
    stage = Stage(workshop)
    stage.settle()
    stage.session.accept(Configure(stage.vault, 2, {"index.location": "vault"}))
    stage.settle(lambda: 2 in stage.tickets())
    opened = [event.database for event in stage.events if isinstance(event, Opened)]
    assert opened == [str(workshop.database), str(workshop.root / ".knapper" / workshop.database.name)]
    stage.session.close()
