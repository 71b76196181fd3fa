"""Vectors follow the notes, chunk by chunk: nothing is embedded twice, and no two models are ever mixed."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from knapper.base.settings import read_settings
from knapper.index.messages import Embedded, EmbedQuery, QueryVector, Touch
from knapper.index.model_room import ModelRoom
from knapper.store.vectors import VectorStore
from knapper.store.writer import Writer
from tests.index.studio import Studio, new_room, sections
from tests.index.workshop import Server, Workshop
from tests.model import lay_out_model

FIFTY = [f"thing{number}" for number in range(50)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def room() -> Iterator[ModelRoom]:
    """One for all tests: the model is loaded once."""
    shared = new_room()
    yield shared
    shared.close()


def test_every_chunk_gets_the_vector_of_its_text_below_its_headings(
    workshop: Workshop, room: ModelRoom, model: Path
) -> None:
    workshop.write("Bread.md", "---\ndate: 2024-05-07\n---\n## Starter\n\nRye flour and water.\n")
    workshop.write("Ovens.md", "Stone holds the heat.\n")
    studio = Studio(workshop, room, model)
    studio.run()
    found = workshop.reader().vectors_since()
    texts = [
        "Bread > Starter (2024-05-07)\n## Starter\n\nRye flour and water.",
        "Ovens\nStone holds the heat.",
    ]
    cosines = found.rows @ studio.model.passages(texts).T
    assert np.allclose(cosines.max(axis=1), 1, atol=1e-3)
    assert sorted(cosines.argmax(axis=1).tolist()) == [0, 1]
    assert (studio.last.done, studio.last.total, studio.last.failed) == (2, 2, 0)


def test_one_paragraph_edited_in_a_note_of_fifty_chunks_embeds_at_most_two(
    workshop: Workshop, room: ModelRoom, model: Path
) -> None:
    text = sections(FIFTY)
    workshop.write("Long.md", text)
    studio = Studio(workshop, room, model)
    studio.run()
    assert workshop.reader().counts().chunks == 50
    workshop.write("Long.md", text.replace("The thing25 stands", "The old thing25 stands", 1))
    studio.bring_up_to_date()
    assert 1 <= studio.counting(studio.run) <= 2
    assert workshop.reader().vectors_since().rows.shape == (50, 384)


def test_restarting_touching_moving_and_rebuilding_embed_nothing(
    workshop: Workshop, room: ModelRoom, model: Path
) -> None:
    workshop.write("A.md", sections(["cat", "dog", "owl"]))
    workshop.write("B.md", "---\ntitle: Birds\n---\nOf owls.\n")
    studio = Studio(workshop, room, model)
    studio.run()

    def again() -> None:
        studio.reopen()
        studio.run()

    assert studio.counting(again) == 0
    os.utime(workshop.root / "A.md", (1, 1))
    assert studio.counting(again) == 0
    (workshop.root / "B.md").rename(workshop.root / "Renamed, its title is not its name.md")
    assert studio.counting(again) == 0
    workshop.database.unlink()
    assert studio.counting(again) == 0
    shutil.move(workshop.root, workshop.root.with_name("moved"))
    moved = Studio(Workshop(workshop.root.with_name("moved")), room, model)
    assert moved.counting(moved.run) == 0
    assert moved.workshop.reader().vectors_since().rows.shape == (4, 384)


def test_another_model_embeds_everything_and_the_old_set_serves_until_then(
    workshop: Workshop, room: ModelRoom, model: Path
) -> None:
    workshop.write("A.md", sections([f"thing{number}" for number in range(20)]))
    studio = Studio(workshop, room, model)
    studio.run()
    reader = workshop.reader()
    old = reader.vectors_since()
    studio.configure(
        read_settings([{"embeddings.model": str(model), "embeddings.passagePrefix": "passage: "}])[0]
    )
    before = studio.model.embedded
    while studio.model.embedded == before:
        studio.embedding.step()
    between = reader.vectors_since(old.mark)
    assert (between.fingerprint, between.anew, len(between.rows), len(between.gone)) == (
        old.fingerprint, False, 0, 0,
    )  # fmt: skip
    asked = studio.ask(EmbedQuery("", 7, "things"))
    assert isinstance(asked, QueryVector)
    assert asked.fingerprint == old.fingerprint
    studio.run()
    new = reader.vectors_since(between.mark)
    assert studio.model.embedded - before == 20
    assert (new.fingerprint, new.anew, new.rows.shape) == (studio.model.fingerprint, True, (20, 384))
    assert new.fingerprint != old.fingerprint
    asked = studio.ask(EmbedQuery("", 8, "things"))
    assert isinstance(asked, QueryVector)
    assert asked.fingerprint == new.fingerprint


@pytest.mark.parametrize("loaded", [True, False])
def test_what_is_edited_while_a_former_set_serves_gets_its_vectors_if_its_model_is_loaded(
    workshop: Workshop, model: Path, loaded: bool
) -> None:
    workshop.write("A.md", sections([f"thing{number}" for number in range(20)]))
    room = new_room()
    studio = Studio(workshop, room, model)
    studio.run()
    former = studio.model
    if not loaded:
        studio.embedding.close()
        room.close()
        room = new_room()
        studio = Studio(workshop, room, model)
    another = read_settings([{"embeddings.model": str(model), "embeddings.passagePrefix": "passage: "}])[0]
    studio.configure(another)
    while studio.model.embedded == 0:
        studio.embedding.step()
    before, made = former.embedded, studio.model.embedded
    workshop.write("B.md", "Of owls, which came later.\n")
    studio.bring_up_to_date()
    lacking = []
    while studio.embedding.rows.meta("serving") == former.fingerprint:
        studio.embedding.step()
        lacking.append(studio.last.lacking)

    assert former.embedded - before == int(loaded)
    assert studio.model.embedded - made == 21 - made
    assert [some for some in lacking if some is not None][-1] == int(not loaded)
    assert lacking[-1] is None
    reader = workshop.reader()
    assert (reader.vectors_since().fingerprint, reader.vectors_since().rows.shape) == (
        studio.model.fingerprint,
        (21, 384),
    )
    room.close()


def test_a_set_is_kept_up_while_the_wanted_model_is_not_to_be_had(workshop: Workshop, model: Path) -> None:
    workshop.write("A.md", "A note.\n")
    room = new_room()
    studio = Studio(workshop, room, model)
    studio.run()
    studio.configure(read_settings([{"embeddings.model": str(workshop.root / "nowhere")}])[0])
    workshop.write("B.md", "Of owls.\n")
    studio.bring_up_to_date()
    studio.run()
    with_it = (studio.last.lacking, len(workshop.reader().vectors_since().rows))
    room.close()
    studio.embedding.close()

    alone = Studio(workshop, new_room(), workshop.root / "nowhere")
    workshop.write("C.md", "Of geese.\n")
    workshop.write("B.md", "Of ducks.\n")
    alone.bring_up_to_date()
    alone.run()
    without_it = (alone.last.lacking, len(workshop.reader().vectors_since().rows))
    asked = alone.ask(EmbedQuery("", 7, "birds"))  # It loads the model that made what serves.
    alone.run()

    assert isinstance(asked, QueryVector)
    assert asked.vector is not None
    assert (with_it, without_it) == ((0, 2), (2, 1))
    assert (alone.last.lacking, len(workshop.reader().vectors_since().rows)) == (0, 3)
    alone.room.close()


def test_an_index_that_is_rebuilt_under_it_gets_the_same_vectors(
    workshop: Workshop, room: ModelRoom, model: Path
) -> None:
    workshop.write("A.md", sections(["cat", "dog", "owl"]))
    studio = Studio(workshop, room, model)
    studio.run()
    before = workshop.reader().vectors_since()
    writer = Writer(workshop.database, "s", root=str(workshop.root))
    writer.start_anew(str(workshop.root))
    writer.close()
    studio.run()
    studio.bring_up_to_date()
    assert studio.counting(studio.run) == 0
    after = workshop.reader().vectors_since(before.mark)
    assert after.anew
    assert (after.rows == before.rows).all()
    assert workshop.reader().counts().meaning.embedded == 3


def test_changing_back_embeds_nothing(workshop: Workshop, room: ModelRoom, model: Path) -> None:
    workshop.write("A.md", "A note.\n")
    studio = Studio(workshop, room, model)
    studio.run()
    first = studio.settings
    studio.configure(read_settings([{"embeddings.model": str(model), "embeddings.passagePrefix": "x: "}])[0])
    studio.run()
    studio.configure(first)
    assert studio.counting(studio.run) == 0
    assert workshop.reader().vectors_since().fingerprint == studio.model.fingerprint


def test_readers_catch_up_with_what_came_and_went(workshop: Workshop, room: ModelRoom, model: Path) -> None:
    workshop.write("A.md", sections(["cat", "dog", "owl"]))
    workshop.write("B.md", "A note that stays.\n")
    studio = Studio(workshop, room, model)
    studio.run()
    reader = workshop.reader()
    first = reader.vectors_since()
    workshop.write("A.md", sections(["cat", "cow"]))
    studio.bring_up_to_date()
    studio.run()
    change = reader.vectors_since(first.mark)
    kept = {
        chunk: row
        for chunk, row in zip(first.chunks.tolist(), first.rows, strict=True)
        if chunk not in change.gone
    }
    caught_up = {**kept, **dict(zip(change.chunks.tolist(), change.rows, strict=True))}
    now = reader.vectors_since()
    assert not change.anew
    assert sorted(caught_up) == sorted(now.chunks.tolist())
    assert all(
        (caught_up[chunk] == row).all() for chunk, row in zip(now.chunks.tolist(), now.rows, strict=True)
    )


def test_open_notes_go_first_also_those_that_are_opened_later(
    workshop: Workshop, room: ModelRoom, model: Path
) -> None:
    for number in range(80):
        workshop.write(f"{number}.md", f"Note number {number}.\n")
    studio = Studio(workshop, room, model)
    studio.embedding.prefer(["31.md"])
    first = _embed_some(studio, workshop)
    later = next(f"{number}.md" for number in range(80) if f"{number}.md" not in first)
    studio.embedding.prefer([later])
    second = _embed_some(studio, workshop)
    assert "31.md" in first
    assert later in second
    assert len(second) < 80


def _embed_some(studio: Studio, workshop: Workshop) -> set[str]:
    """Go on until there are more vectors, and give the notes that have some."""
    reader = workshop.reader()
    before = reader.vectors_since().chunks.size
    while reader.vectors_since().chunks.size == before:
        studio.embedding.step()
    done = reader.connection.execute(
        "SELECT note.path FROM embedding JOIN chunk ON chunk.id = embedding.chunk JOIN note ON note.id = note"
    )
    return {path for (path,) in done}


def test_a_chunk_over_the_model_s_limit_has_several_vectors(
    workshop: Workshop, room: ModelRoom, tmp_path: Path
) -> None:
    short = lay_out_model(tmp_path / "short", limit=64)
    workshop.write("A.md", " ".join(f"{word} and" for word in FIFTY) + ".\n")
    studio = Studio(workshop, room, short)
    studio.run()
    found = workshop.reader().vectors_since()
    assert len(set(found.chunks.tolist())) == 1
    assert len(found.rows) > 2
    assert studio.last.done == studio.last.total == 1


def test_notes_that_are_all_alike_are_embedded_once(workshop: Workshop, room: ModelRoom, model: Path) -> None:
    for number in range(30):
        workshop.write(f"{number}/Same.md", "The same words in every note.\n")
    studio = Studio(workshop, room, model)
    room.embedder(studio.embedding.choice)  # type: ignore[arg-type]
    assert studio.counting(studio.run) <= 2
    assert workshop.reader().vectors_since().rows.shape == (30, 384)


def test_an_empty_vault_and_notes_without_words_are_no_trouble(
    workshop: Workshop, room: ModelRoom, model: Path
) -> None:
    studio = Studio(workshop, room, model)
    studio.run()
    assert workshop.reader().vectors_since().rows.shape[0] == 0
    workshop.write("Empty.md", "")
    workshop.write("2024-05-07.md", "---\ntags: [x]\n---\n")
    studio.bring_up_to_date()
    studio.run()
    assert studio.last.done == studio.last.total == 2


def test_a_note_of_one_enormous_line_is_embedded_a_little_at_a_time(
    workshop: Workshop, room: ModelRoom, model: Path
) -> None:
    workshop.write("Line.md", "word " * 1_000_000)
    studio = Studio(workshop, room, model)
    for _ in range(6):
        studio.embedding.step()
    tally = studio.embedding.rows.tally(studio.model.fingerprint)
    assert 0 < tally.done < tally.chunks


def test_a_process_killed_while_embedding_does_nothing_twice(
    workshop: Workshop, servers: list[Server], model: Path
) -> None:
    workshop.write("Long.md", sections(FIFTY[:24]))
    server = Server(workshop, "one", restarts=(0.0,))
    servers.append(server)
    server.open(**{"embeddings.model": str(model)})
    server.hear(lambda event: isinstance(event, Embedded) and event.done > 0)
    os.kill(server.client.pid or 0, signal.SIGKILL)
    # Whatever is embedded again overwrites its mark.
    cache = sqlite3.connect(Path(os.environ["XDG_CACHE_HOME"]) / "knapper/vectors.db")
    done = {key for (key,) in cache.execute("SELECT hash FROM vector")}
    cache.execute("UPDATE vector SET vector = ?", (b"\x00\x3c" * 384,))
    cache.commit()
    server.hear(lambda event: isinstance(event, Embedded) and event.done == event.total == 24)
    marked = cache.execute("SELECT hash FROM vector WHERE vector = ?", (b"\x00\x3c" * 384,))
    assert {key for (key,) in marked} == done
    assert cache.execute("SELECT count(*) FROM vector").fetchone() == (24,)
    cache.close()


def test_an_edit_is_embedded_by_the_process(workshop: Workshop, servers: list[Server], model: Path) -> None:
    workshop.write("A.md", "Of cats.\n")
    server = Server(workshop, "one")
    servers.append(server)
    server.open(**{"embeddings.model": str(model)})
    server.hear(lambda event: isinstance(event, Embedded) and event.done == event.total == 1)
    workshop.write("B.md", "Of dogs.\n")
    server.send(Touch, ("B.md",))
    server.hear(lambda event: isinstance(event, Embedded) and event.done == event.total == 2)
    server.client.send(EmbedQuery(server.vault, 99, "a barking animal"))
    answer = server.hear(lambda event: isinstance(event, QueryVector))
    assert isinstance(answer, QueryVector)
    found = workshop.reader().vectors_since()
    assert answer.fingerprint == found.fingerprint
    best = int(found.notes[int((found.rows @ np.array(answer.vector)).argmax())])
    assert workshop.reader().connection.execute("SELECT path FROM note WHERE id = ?", (best,)).fetchone() == (
        "B.md",
    )


def test_the_cache_of_vectors_may_be_deleted_at_any_time(
    workshop: Workshop, room: ModelRoom, model: Path
) -> None:
    workshop.write("A.md", "Of cats.\n")
    studio = Studio(workshop, room, model)
    studio.run()
    studio.embedding.close()
    (Path(os.environ["XDG_CACHE_HOME"]) / "knapper/vectors.db").write_bytes(b"no database" * 1000)
    workshop.write("B.md", "Of dogs.\n")
    studio.open()
    assert studio.counting(studio.run) == 1
    assert workshop.reader().vectors_since().rows.shape == (2, 384)
    assert len(VectorStore(Path(os.environ["XDG_CACHE_HOME"]) / "knapper/vectors.db")) == 1
