"""An embedding model behind fastembed, from a folder or by name, checked before it is trusted.

Must not know notes. Loading takes a second and memory: do it in a thread, in the index process or on the
command line, never in the server.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from knapper.models.choice import EmbedderChoice, folder_named, models_folder
from knapper.models.download import verify
from knapper.models.fingerprint import fingerprint
from knapper.models.folder import ModelFolder, digest_of, read_folder
from knapper.models.library import session_options, telling_damage, text_embedding
from knapper.models.ports import DamagedModel, ModelError, Vectors
from knapper.models.runs import plan_runs

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Encoding

_LONGEST_QUERY = 8_000
"""Characters of a query that are looked at; every model has had enough long before."""
_MOST_WINDOWS = 16
_SLACK = 8
"""Tokens of a window left free: a word that is cut may become more of them."""
_SENTENCES = (
    "The cat slept on the warm windowsill.",
    "A kitten was napping in the sun by the window.",
    "Quarterly revenue fell because of exchange rates.",
)


class FastEmbedder:
    """One loaded model."""

    def __init__(self, choice: EmbedderChoice, model: TextEmbedding, files: str, texts: int) -> None:
        """*files* is the digest of the model's files, *texts* the version of how embedded texts are made."""
        self.name = choice.model
        self.embedded = 0
        """How many passages it has embedded since it was loaded."""
        self._choice = choice
        self._model = model
        inner: Any = model.model
        self._tokenizer = inner.tokenizer
        self.dimensions = self._probe().shape[1]
        self.limit: int = (self._tokenizer.truncation or {}).get("max_length", 512)
        self.fingerprint = fingerprint(
            model="" if folder_named(choice.model) else choice.model,
            files=files,
            dimensions=self.dimensions,
            pooling=choice.pooling,
            prefixes=(choice.query_prefix, choice.passage_prefix),
            texts=texts,
        )

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 for each text; in runs of at most 512 tokens."""
        prefixed = [self._choice.passage_prefix + _sound(text) for text in texts]
        rows = np.empty((len(texts), self.dimensions), dtype=np.float32)
        for run in plan_runs([self._length(code) for code in self._encoded(prefixed)]):
            found = self._model.passage_embed([prefixed[index] for index in run], batch_size=len(run))
            rows[run] = np.stack(list(found))
            self.embedded += len(run)
        return _normalised(rows)

    def query(self, text: str) -> Vectors:
        """The vector of a query; of a very long one, of its beginning."""
        asked = self._choice.query_prefix + _sound(text[:_LONGEST_QUERY])
        row: Vectors = _normalised(np.stack(list(self._model.query_embed(asked))))[0]
        return row

    def lengths(self, texts: Sequence[str]) -> list[int]:
        """How many tokens the model sees of each text; never more than its limit."""
        return [self._length(code) for code in self._encoded(texts)]

    def windows(self, text: str) -> list[str]:
        r"""The text in pieces that the model can take whole, each below its first line.

        `Bread > Starter\nlong text` gives `Bread > Starter\nlong` and `Bread > Starter\ntext`.
        """
        text = _sound(text)
        (code,) = self._encoded([text])
        taken = self._length(
            *self._encoded([self._choice.passage_prefix])
        )  # The marks at both ends are in it.
        room = self.limit - taken - _SLACK
        places = [place for piece in (code, *code.overflowing) for place in _words(piece)]
        if len(places) <= self.limit - taken or room < _SLACK:
            return [text]
        head = text.partition("\n")[0]
        heading = sum(start < len(head) for start, _ in places)
        if heading > room // 4:
            head, heading = "", 0
        cuts = [0, *range(room, len(places), room - heading), len(places)]
        pieces = [text[places[at][0] : places[to - 1][1]] for at, to in pairwise(cuts)]
        return [
            piece if not head or index == 0 else f"{head}\n{piece}" for index, piece in enumerate(pieces)
        ][:_MOST_WINDOWS]

    def _encoded(self, texts: Sequence[str]) -> list[Encoding]:
        found: list[Encoding] = self._tokenizer.encode_batch([_sound(text) for text in texts])
        return found

    def _length(self, code: Encoding) -> int:
        return sum(code.attention_mask)

    def _probe(self) -> Vectors:
        """Three sentences, embedded. Raises `ModelError` if the model cannot tell them apart."""
        rows = np.stack(list(self._model.embed(list(_SENTENCES), batch_size=3))).astype(np.float32)
        if rows.ndim != 2 or not np.isfinite(rows).all():
            raise DamagedModel(f"The model {self.name} gives no usable vectors.")
        rows = _normalised(rows)
        near, far = float(rows[0] @ rows[1]), float(rows[0] @ rows[2])
        if near - far < 0.01:
            raise ModelError(
                f"The model {self.name} does not tell texts apart: it finds unrelated sentences as alike"
                f" ({far:.2f}) as related ones ({near:.2f})."
            )
        return rows


def load_embedder(choice: EmbedderChoice, texts: int) -> FastEmbedder:
    """The model that is chosen, from the disk alone. Raises `ModelError`, of which `MissingModel` is one."""
    folder = folder_named(choice.model)
    if folder is None:
        return _by_name(choice, texts)
    found = read_folder(folder, choice.pooling)
    model = _opened(found)
    loaded = FastEmbedder(
        replace(choice, pooling=found.pooling), model, digest_of(folder, found.model_file), texts
    )
    if found.dimensions not in (None, loaded.dimensions):
        raise ModelError(
            f"The model folder {folder} says that its vectors have {found.dimensions} dimensions;"
            f" they have {loaded.dimensions}."
        )
    return loaded


def _by_name(choice: EmbedderChoice, texts: int) -> FastEmbedder:
    library = text_embedding()
    if not any(choice.model.lower() == known["model"].lower() for known in library.list_supported_models()):
        raise ModelError(f"fastembed knows no embedding model called {choice.model}.")
    verify(choice.model)
    with telling_damage(choice.model):
        model = library(choice.model, cache_dir=str(models_folder()), **session_options())
        inner: Any = model.model
        files = digest_of(inner._model_dir, inner.model_description.model_file)  # noqa: SLF001 -- Nothing else tells.
        return FastEmbedder(choice, model, files, texts)


def _opened(found: ModelFolder) -> TextEmbedding:
    """The model in a folder; one that gives a vector a text already is not pooled again."""
    with telling_damage(str(found.path)):
        model = _registered(found, found.pooling)
        inner: Any = model.model
        if len(inner.model.get_outputs()[0].shape) == 2:
            model = _registered(found, "disabled")
        return model


def _registered(found: ModelFolder, pooling: str) -> TextEmbedding:
    library = text_embedding()  # First: it opens the door, which silences what is behind it.
    from fastembed.common.model_description import ModelSource, PoolingType  # noqa: PLC0415 -- Costs a second.

    name = f"folder {found.path} {found.model_file} {pooling}"
    if not any(name.lower() == known["model"].lower() for known in library.list_supported_models()):
        library.add_custom_model(
            model=name,
            pooling=PoolingType(pooling.upper()),
            normalization=False,
            sources=ModelSource(hf="folder"),  # It wants one, and never asks it.
            dim=found.dimensions or 0,
            model_file=found.model_file,
        )
    return library(name, specific_model_path=str(found.path), **session_options())


def _words(code: Encoding) -> list[tuple[int, int]]:
    """Where the tokens of the text lie; not those that mark its ends, nor padding."""
    return [place for place, mark in zip(code.offsets, code.special_tokens_mask, strict=True) if not mark]


def _normalised(rows: Vectors) -> Vectors:
    result: Vectors = rows.astype(np.float32)
    result /= np.maximum(np.linalg.norm(result, axis=-1, keepdims=True), 1e-12)
    return result


def _sound(text: str) -> str:
    """The text without halves of surrogate pairs, which the tokenizer cannot take."""
    return text.encode("utf-8", "replace").decode("utf-8")
