"""A folder with a model, looked at before it is loaded: complete, readable, and what it says of itself.

Knows files; must not know fastembed. Whatever is wrong becomes a sentence that names the file.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knapper.models.ports import ModelError

_MODEL_FILES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx", "model_quantized.onnx")
_POOLINGS = {"pooling_mode_cls_token": "cls", "pooling_mode_mean_tokens": "mean"}
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """What a folder says about its model. `dimensions` is None where it says nothing."""

    path: Path
    model_file: str
    pooling: str  # `mean` or `cls`
    dimensions: int | None


def read_folder(path: Path, pooling: str = "") -> ModelFolder:
    """The model in the folder *path*; a *pooling* that is given wins. Raises `ModelError`."""
    if not path.is_dir():
        raise ModelError(f"There is no model folder {path}.")
    found = [name for name in _MODEL_FILES if (path / name).is_file()]
    if not found:
        raise ModelError(f"The model folder {path} has no model.onnx.")
    if not (path / found[0]).stat().st_size:
        raise ModelError(f"{path / found[0]} is empty.")
    _check_tokenizer(path)
    own = _json(path / "1_Pooling/config.json")
    config = _json(path / "config.json")
    kinds = [kind for key, kind in _POOLINGS.items() if own.get(key) is True]
    if not pooling and own and not kinds:
        raise ModelError(f"{path / '1_Pooling/config.json'} asks for a pooling that is neither mean nor cls.")
    dimensions = own.get("word_embedding_dimension", config.get("hidden_size"))
    return ModelFolder(
        path,
        found[0],
        pooling or (kinds[0] if kinds else "mean"),
        dimensions if type(dimensions) is int else None,
    )


def digest_of(folder: Path, model_file: str) -> str:
    """A hash of what the vectors of a model depend on: its weights and its tokenizer."""
    total = hashlib.sha256()
    for name in (
        model_file,
        f"{model_file}_data",
        f"{model_file}.data",
        "tokenizer.json",
        "tokenizer_config.json",
    ):
        if (folder / name).is_file():
            total.update(bytes.fromhex(file_digest(folder / name)))
    return total.hexdigest()


def file_digest(path: Path) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _check_tokenizer(path: Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json"):
        if not (path / name).is_file():
            raise ModelError(f"The model folder {path} has no {name}.")
        if not _json(path / name):
            raise ModelError(f"{path / name} is empty.")
    config = _json(path / "tokenizer_config.json")
    limits = [config.get(name) for name in ("model_max_length", "max_length")]
    if not any(type(limit) is int and limit > 0 for limit in limits):
        raise ModelError(f"{path / 'tokenizer_config.json'} has no model_max_length.")


def _json(path: Path) -> dict[str, Any]:
    """The object in a file, an empty one if there is no such file. Raises `ModelError`."""
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ModelError(f"{path} is damaged: it is no JSON.") from error
    if not isinstance(found, dict):
        raise ModelError(f"{path} is damaged: it is no JSON object.")
    return found
