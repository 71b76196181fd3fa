"""What tests of vectors are written with: a real model, and one vault's vectors by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from knapper.base.settings import Settings, read_settings
from knapper.index.asking import ModelDesk
from knapper.index.embed import Embedding
from knapper.index.messages import Asking, Embedded, Event
from knapper.index.model_room import ModelRoom
from knapper.index.model_thread import InPlace
from knapper.index.surroundings import Surroundings
from knapper.models.choice import embedder_choice
from knapper.models.embedder import FastEmbedder
from tests.index.workshop import Workshop, finish, keeper_of


def at_once(call: Callable[[], None]) -> None:
    """Instead of a main thread."""
    call()


class Studio:
    """The vectors of a workshop's vault, made in this process, a step at a time."""

    def __init__(self, workshop: Workshop, room: ModelRoom, model: Path | str, **settings: object) -> None:
        self.workshop, self.room = workshop, room
        self.events: list[Event] = []
        layer = {
            "embeddings.model": str(model),
            **{name.replace("_", "."): it for name, it in settings.items()},
        }
        self.settings, complaints = read_settings([layer])
        assert complaints == []
        self.open()

    def open(self) -> None:
        """Begin, as a process does that has been started."""
        self.bring_up_to_date()
        vault = str(self.workshop.root)
        around = Surroundings("s", self.events.append, models=self.room)
        self.embedding = Embedding(vault, self.workshop.database, around, self.room)
        self.embedding.configure(self.settings)
        self.desk = ModelDesk(vault, around, self.room)

    def bring_up_to_date(self) -> None:
        """Have the notes' text indexed, as a pass does."""
        keeper = keeper_of(self.workshop)
        keeper.look_at_all()
        finish(keeper)
        for call in keeper.close():
            call()
        keeper._writer.close()

    def reopen(self) -> None:
        """Close, and start again."""
        self.embedding.close()
        self.open()

    def configure(self, settings: Settings) -> None:
        self.settings = settings
        self.embedding.configure(settings)

    def run(self) -> None:
        """Embed what there is to embed, and see to the rest."""
        while self.embedding.step():
            pass
        self.desk.consider(self.settings, self.embedding)

    def ask(self, request: Asking) -> Event:
        """What is answered at once."""
        self.desk.accept(request, self.settings, self.embedding.rows.meta("serving_choice"))
        return self.events[-1]

    @property
    def model(self) -> FastEmbedder:
        choice = embedder_choice(self.settings)
        assert choice is not None
        model = self.room.embedder(choice).model
        assert model is not None
        return model

    def counting(self, work: Callable[[], None]) -> int:
        """How many passages *work* has embedded."""
        before = self.model.embedded
        work()
        return self.model.embedded - before

    @property
    def last(self) -> Embedded:
        """What was told last of the vectors."""
        return [event for event in self.events if isinstance(event, Embedded)][-1]


def new_room() -> ModelRoom:
    """Models that are loaded where they are asked for."""
    return ModelRoom(InPlace(), at_once)


def sections(words: Sequence[str]) -> str:
    """A note with one chunk for each of *words*."""
    line = (
        "The {0} stands on the shelf beside the window, and everybody who comes in asks what a {0} is for. "
    )
    return "".join(f"## About the {word}\n\n{line.format(word) * 3}\n\n" for word in words)
