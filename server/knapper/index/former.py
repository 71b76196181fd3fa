"""The vectors that serve while another model's are being made, or while that model is not to be had.

What is edited meanwhile gets vectors of the model that made them, if that is loaded (a search loads it). Must
not know how texts are embedded.
"""

from __future__ import annotations

from knapper.index.model_room import ModelRoom
from knapper.models.choice import EmbedderChoice
from knapper.models.embedder import FastEmbedder
from knapper.store.embedding_writer import EmbeddingWriter

_MOST = 200
"""Where more chunks lack a vector, they are too many to have been edited: the set was never complete."""


class Former:
    """The set that serves in one index."""

    def __init__(self, rows: EmbeddingWriter, room: ModelRoom) -> None:
        self._rows, self._room = rows, room

    def lacking(self, building: str) -> int | None:
        """How many chunks have no vector in the set; None if it is the one being made, or there is none."""
        serving = self._serving(building)
        if serving is None:
            return None
        tally = self._rows.tally(serving)
        return max(tally.chunks - tally.done - tally.failed, 0)

    def model(self, building: str) -> FastEmbedder | None:
        """The model that made the set, if that is another one than *building* and it is loaded."""
        serving, choice = self._serving(building), self.choice()
        if serving is None or choice is None:
            return None
        model = self._room.loaded(choice)
        return model if model is not None and model.fingerprint == serving else None

    def choice(self) -> EmbedderChoice | None:
        """What chose the model that made the set."""
        return EmbedderChoice.from_text(self._rows.meta("serving_choice") or "")

    def edited(self, model: FastEmbedder) -> list[int]:
        """The chunks that have no vector of *model*, which made the set; none if they are too many."""
        missing = self._rows.missing(model.fingerprint)
        return [chunk for chunk, _ in missing] if len(missing) <= _MOST else []

    def _serving(self, building: str) -> str | None:
        serving = self._rows.meta("serving")
        return serving if serving and serving != building else None
