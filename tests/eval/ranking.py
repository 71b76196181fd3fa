"""How well full text ranks, on judged collections: nDCG@10, recall@50 and MRR@10 with their uncertainty.

    make eval DATA=folder          (or python -m tests.eval folder)

DATA is a folder with `cran/` and `cisi/`. Each document becomes one note of a vault in a temporary
folder, which is indexed and searched as any other. Tune on the odd-numbered queries, report the even.
"""

from __future__ import annotations

import argparse
import json
import math
import tempfile
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import numpy as np

from knapper.base.settings import read_settings
from knapper.index.local import bring_up_to_date
from knapper.search.pipeline import SearchOptions, search
from knapper.search.port import LexicalIndex
from knapper.store.lexical import LexicalReader
from knapper.store.reader import Reader
from tests.eval.judged import Judged, cisi, cranfield

DEEPEST = 50
Measure = Callable[[Sequence[int], frozenset[int]], float]


def ndcg(found: Sequence[int], relevant: frozenset[int]) -> float:
    """NDCG@10 with binary relevance."""
    gain = sum(1 / math.log2(rank + 1) for rank, number in enumerate(found[:10], 1) if number in relevant)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(len(relevant), 10) + 1))


def recall(found: Sequence[int], relevant: frozenset[int]) -> float:
    """The part of what is relevant that stands among the first 50."""
    return len(relevant.intersection(found[:50])) / len(relevant)


def reciprocal_rank(found: Sequence[int], relevant: frozenset[int]) -> float:
    """One over the rank of the first relevant document of the first ten."""
    return next((1 / rank for rank, number in enumerate(found[:10], 1) if number in relevant), 0.0)


MEASURES: dict[str, Measure] = {"nDCG@10": ndcg, "recall@50": recall, "MRR@10": reciprocal_rank}


def write_vault(collection: Judged, folder: Path) -> None:
    """One note a document, named by its number, its title a property."""
    (folder / ".obsidian").mkdir(parents=True)
    for document in collection.documents:
        title = json.dumps(document.title, ensure_ascii=False)
        note = f"---\ntitle: {title}\n---\n{document.text}\n"
        (folder / f"{document.number}.md").write_text(note, encoding="utf-8")


def open_index(folder: Path) -> LexicalReader:
    """The index of the vault in *folder*, made now."""
    settings, _ = read_settings([{"index.location": "vault"}])
    return LexicalReader(Reader(bring_up_to_date(folder, settings).database).connection)


def run(collection: Judged, index: LexicalIndex) -> dict[int, list[int]]:
    """The numbers of the documents found for each judged query, best first."""
    options = SearchOptions(today=date(2000, 1, 1), limit=DEEPEST)
    return {
        number: [
            int(hit.path.removesuffix(".md"))
            for hit in search(index, collection.queries[number], options).hits
        ]
        for number in collection.relevant
    }


def table(collection: Judged, found: dict[int, list[int]]) -> list[str]:
    """One line for all queries, the odd and the even, each measure with its 95 % bootstrap interval."""
    lines = [f"{collection.name}: {len(collection.documents)} documents, {len(found)} queries"]
    for name, keep in (("all", (0, 1)), ("odd", (1,)), ("even", (0,))):
        numbers = [number for number in found if number % 2 in keep]
        cells = []
        for measure in MEASURES.values():
            values = np.array([measure(found[number], collection.relevant[number]) for number in numbers])
            samples = np.random.default_rng(0).choice(values, (2000, len(values))).mean(axis=1)
            low, high = np.percentile(samples, [2.5, 97.5])
            cells.append(f"{values.mean() * 100:5.1f} [{low * 100:4.1f}, {high * 100:4.1f}]")
        lines.append(f"  {name:5}" + "".join(f"{cell:>22}" for cell in cells))
    return lines


def main() -> None:
    """Measure every collection that lies in the folder given."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description="How well full text ranks.")
    parser.add_argument("data", type=Path, help="a folder with cran/ and cisi/")
    data = parser.parse_args().data
    print(" " * 7 + "".join(f"{name:>22}" for name in MEASURES))
    for reader, name in ((cranfield, "cran"), (cisi, "cisi")):
        if (data / name).is_dir():
            collection = reader(data / name)
            with tempfile.TemporaryDirectory() as folder:
                vault = Path(folder) / "vault"
                write_vault(collection, vault)
                print("\n".join(table(collection, run(collection, open_index(vault)))))
