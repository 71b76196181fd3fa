"""Measure search by stage, and the real model: one column a size, in the order a query goes.

    python tests/bench/search.py [--notes 6000,30000]

For every size a vault is written and indexed, and its passages get vectors drawn at random: exact search
takes as long whatever they mean. Milliseconds are medians and 95th percentiles in this process; only figures
of one run compare with each other.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import numpy as np
import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from knapper.base.cancel import CancelToken
from knapper.base.settings import read_settings
from knapper.index.local import bring_up_to_date
from knapper.models.choice import EmbedderChoice
from knapper.models.embedder import load_embedder
from knapper.search.fuse import Side, fuse
from knapper.search.hybrid import Mode
from knapper.search.lexical import find
from knapper.search.matrix import Matrix
from knapper.search.passage import PASSAGE_VERSION
from knapper.search.pipeline import Aids, SearchOptions, search
from knapper.search.port import Vector
from knapper.search.query import parse_query
from knapper.search.salience import Salience
from knapper.search.scope import scope_of
from knapper.search.semantic import VectorMeaning
from knapper.store.lexical import LexicalReader
from knapper.store.reader import Reader
from tests.bench.synthetic import STEMS, VERBS, write_vault
from tests.model import lay_out_model

DIMENSIONS = 384
ROUNDS = 40
TODAY = date(2026, 1, 1)
Row = dict[str, str]


def times(call: Callable[[str], object], queries: Sequence[str]) -> str:
    """`p50 / p95` of a call with each of *queries*, in milliseconds."""
    taken = []
    for query in queries:
        began = time.perf_counter()
        call(query)
        taken.append((time.perf_counter() - began) * 1000)
    taken.sort()
    return f"{statistics.median(taken):.1f} / {taken[int(len(taken) * 0.95)]:.1f}"


def some_queries() -> list[str]:
    """Two to six words each, as a person types them."""
    pick = random.Random(0)
    return [" ".join(pick.choices(STEMS[:80] + VERBS, k=pick.randint(2, 6))) for _ in range(ROUNDS)]


def random_matrix(reader: Reader) -> Matrix:
    """A vector for each chunk."""
    rows = reader.connection.execute("SELECT id, note FROM chunk ORDER BY id").fetchall()
    vectors = np.random.default_rng(0).standard_normal((len(rows), DIMENSIONS)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    matrix = Matrix(DIMENSIONS)
    for start in range(0, len(rows), 512):
        some = rows[start : start + 512]
        matrix.put([c for c, _ in some], [n for _, n in some], vectors[start : start + 512])
    return matrix


def query_vector(text: str) -> tuple[Vector | None, str]:
    """A vector that depends on the text only."""
    row = np.random.default_rng(len(text)).standard_normal(DIMENSIONS).astype(np.float32)
    return row / np.linalg.norm(row), ""


def measure(root: Path, notes: int) -> Row:
    """One column: a vault of *notes* notes in *root*."""
    write_vault(root, notes)
    settings, _ = read_settings([{"index.location": "vault", "embeddings.enabled": False}])
    reader = Reader(bring_up_to_date(root, settings).database)
    index, matrix = LexicalReader(reader.connection), random_matrix(reader)
    view, token, queries = matrix.view(), CancelToken(), some_queries()
    meaning = VectorMeaning(view, query_vector)
    salience = Salience(TODAY)

    def words(text: str) -> list[tuple[int, int, float]]:
        query = parse_query(text, TODAY)
        found = find(index, query, scope_of(index, query, None), token)
        return [(candidate.chunk, candidate.note, candidate.score) for candidate in found.candidates]

    def near(text: str) -> list[tuple[int, int, float]]:
        vector, _ = query_vector(text)
        assert vector is not None
        return view.nearest(vector, 200)

    sides = {query: (words(query), near(query)) for query in queries}

    def whole(mode: Mode, aids: Aids) -> Callable[[str], object]:
        return lambda text: search(index, text, SearchOptions(TODAY, mode=mode), aids=aids)

    began = time.perf_counter()
    mean = view.mean
    centring = (time.perf_counter() - began) * 1000
    assert mean.shape == (DIMENSIONS,)
    return {
        "notes": f"{notes:,}",
        "passages": f"{len(view):,}",
        "vectors in memory": f"{matrix.memory / 1e6:.0f} MB",
        "words, ms": times(words, queries),
        "nearest 200, ms": times(near, queries),
        "fusion, ms": times(
            lambda query: fuse([Side("a", sides[query][0]), Side("b", sides[query][1])]), queries
        ),
        "text search, ms": times(whole("text", Aids()), queries),
        "semantic search, ms": times(whole("semantic", Aids(meaning)), queries),
        "hybrid search, ms": times(whole("hybrid", Aids(meaning)), queries),
        "  with salience, ms": times(whole("hybrid", Aids(meaning, None, salience)), queries),
        "mean of all vectors, ms": f"{centring:.1f}",
    }


def measure_model(folder: Path) -> Row:
    """The packaged model: passages a second, one query, and the memory that it all takes."""
    process = psutil.Process()
    before = process.memory_info().rss
    model = load_embedder(EmbedderChoice(str(lay_out_model(folder))), PASSAGE_VERSION)
    loaded = process.memory_info().rss
    pick = random.Random(0)
    row = {}
    for tokens in (100, 250):
        texts = [" ".join(pick.choices(STEMS[:80], k=tokens)) for _ in range(48)]
        began = time.perf_counter()
        model.passages(texts)
        row[f"passages of about {tokens} words a second"] = (
            f"{len(texts) / (time.perf_counter() - began):.0f}"
        )
    row["vector of a query, ms"] = times(model.query, some_queries())
    row["memory: model loaded"] = f"+{(loaded - before) / 1e6:.0f} MB"
    row["memory: after embedding"] = f"+{(process.memory_info().rss - before) / 1e6:.0f} MB"
    return row


def show(columns: Sequence[Row]) -> None:
    """Print the columns side by side."""
    for name in columns[0]:
        print(f"{name:40}" + "".join(f"{column[name]:>18}" for column in columns))


def main() -> None:
    """Measure the sizes asked for, then the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--notes", default="6000,30000", help="sizes of the vaults, in notes")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sizes = [int(size) for size in parser.parse_args().notes.split(",")]
        model = measure_model(folder / "model")
        show([measure(folder / f"vault{size}", size) for size in sizes])
        print()
        show([model])


if __name__ == "__main__":
    main()
