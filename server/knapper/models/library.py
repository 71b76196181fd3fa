"""The door to fastembed: imported when a model is wanted and not before, silent, and without telemetry.

Importing takes half a second, so it is done in a thread. Nothing is fetched from anywhere unless
`download` says so.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from knapper.models.ports import DamagedModel, MissingModel, ModelError

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from fastembed.rerank.cross_encoder import TextCrossEncoder
    from onnxruntime import SessionOptions

_QUIET = {
    "ORT_DISABLE_TELEMETRY": "1",  # From 1.29 on onnxruntime reports to its makers, and numbers the machine.
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",  # What the person uses elsewhere is none of our business.
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_SHARED_BLOBS": "1",  # All of a model lies in its own folder.
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",  # Threads beyond ours would take cores from the editor.
}


def text_embedding() -> type[TextEmbedding]:
    """The class of embedding models."""
    _hush()
    from fastembed import TextEmbedding  # noqa: PLC0415 -- See above.

    return TextEmbedding


def cross_encoder() -> type[TextCrossEncoder]:
    """The class of rerankers."""
    _hush()
    from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415 -- The same.

    return TextCrossEncoder


def session_options() -> dict[str, Any]:
    """How every model is run: few threads, memory given back, no network, no graphics card."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return {
        "threads": max(1, min(4, usable)),
        "enable_cpu_mem_arena": False,
        "local_files_only": True,
        "cuda": False,
    }


@contextmanager
def telling_damage(name: str) -> Iterator[None]:
    """Turn what loading raises into our errors: the libraries raise all sorts."""
    try:
        yield
    except ModelError:
        raise
    except MemoryError as error:
        raise ModelError(f"There is not enough memory for the model {name}.") from error
    except Exception as error:
        if isinstance(error, ValueError) and "from any source" in str(error):
            raise MissingModel(f"The model {name} is not downloaded.") from error
        first = str(error).strip().partition("\n")[0][:200]
        raise DamagedModel(
            f"The model {name} is damaged or incomplete: {first or type(error).__name__}"
        ) from error


def _hush() -> None:
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    warnings.filterwarnings("ignore", message="Cannot enable progress bars")
    import onnxruntime  # noqa: PLC0415 -- It and loguru write to standard error by themselves.
    from loguru import logger  # noqa: PLC0415 -- The same.

    onnxruntime.set_default_logger_severity(3)
    onnxruntime.disable_telemetry_events()  # On Windows the variable does nothing.
    logger.disable("fastembed")
    _sleep_while_waiting()


def _sleep_while_waiting() -> None:
    """Have the threads of a model sleep while they wait for each other, instead of spinning.

    The library has no way to say so. On two cores that are busy with other things, two spinning threads embed
    half as much as one, for twice the processor time; two that sleep are never slower than one.
    """
    from fastembed.common.onnx_model import OnnxModel  # noqa: PLC0415 -- See above.

    add = OnnxModel.add_extra_session_options

    def add_ours(options: SessionOptions, extra: dict[str, Any]) -> None:
        add(options, extra)
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")

    if getattr(add, "__name__", "") != add_ours.__name__:
        OnnxModel.add_extra_session_options = staticmethod(add_ours)  # type: ignore[method-assign, assignment]
