"""Whatever is wrong with a model's files becomes one sentence; nothing else is ever raised."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from knapper.models.choice import EmbedderChoice
from knapper.models.embedder import load_embedder
from knapper.models.folder import read_folder
from knapper.models.ports import DamagedModel, ModelError


def _without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _with(name: str, content: str | bytes) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).unlink(missing_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


def _truncated(name: str, part: float) -> Callable[[Path], None]:
    def cut(folder: Path) -> None:
        content = (folder / name).read_bytes()
        _with(name, content[: int(len(content) * part)])(folder)

    return cut


BROKEN = {
    "no tokenizer": (_without("tokenizer.json"), "The model folder FOLDER has no tokenizer.json."),
    "no tokenizer settings": (
        _without("tokenizer_config.json"),
        "The model folder FOLDER has no tokenizer_config.json.",
    ),
    "no model": (_without("model.onnx"), "The model folder FOLDER has no model.onnx."),
    "empty model": (_with("model.onnx", b""), "FOLDER/model.onnx is empty."),
    "truncated model": (_truncated("model.onnx", 0.5), "The model FOLDER is damaged or incomplete: "),
    "no onnx at all": (_with("model.onnx", b"no model" * 99), "The model FOLDER is damaged or incomplete: "),
    "truncated tokenizer": (
        _truncated("tokenizer.json", 0.5),
        "FOLDER/tokenizer.json is damaged: it is no JSON.",
    ),
    "another tokenizer": (_with("tokenizer.json", '{"a": 1}'), "The model FOLDER is damaged or incomplete: "),
    "no limit": (
        _with("tokenizer_config.json", '{"pad_token": "[PAD]"}'),
        "FOLDER/tokenizer_config.json has no model_max_length.",
    ),
    "other dimensions": (
        _with("config.json", json.dumps({"hidden_size": 512})),
        "The model folder FOLDER says that its vectors have 512 dimensions; they have 384.",
    ),
    "strange pooling": (
        _with("1_Pooling/config.json", json.dumps({"pooling_mode_max_tokens": True})),
        "FOLDER/1_Pooling/config.json asks for a pooling that is neither mean nor cls.",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_folder_is_named(case: str, model_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model_folder, tmp_path / "broken")
    breaking, message = BROKEN[case]
    breaking(folder)
    with pytest.raises(ModelError) as raised:
        load_embedder(EmbedderChoice(str(folder)), 1)
    assert str(raised.value).startswith(message.replace("FOLDER", str(folder)))


def test_no_folder_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="There is no model folder"):
        load_embedder(EmbedderChoice(str(tmp_path / "nothing")), 1)


def test_damaged_weights_are_damage(model_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model_folder, tmp_path / "broken")
    _truncated("model.onnx", 0.9)(folder)
    with pytest.raises(DamagedModel):
        load_embedder(EmbedderChoice(str(folder)), 1)


def test_a_folder_s_own_pooling_is_read_and_the_setting_wins(model_folder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model_folder, tmp_path / "cls")
    _with("1_Pooling/config.json", json.dumps({"pooling_mode_cls_token": True}))(folder)
    assert read_folder(folder).pooling == "cls"
    assert read_folder(folder, "mean").pooling == "mean"
    assert read_folder(model_folder).pooling == "mean"
    own, said = (load_embedder(EmbedderChoice(str(folder), pooling), 1) for pooling in ("", "mean"))
    assert own.fingerprint != said.fingerprint
