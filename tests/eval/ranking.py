"""How well search ranks on judged collections, stage by stage, with how sure one can be of each step.

    make eval DATA=folder          (or python -m tests.eval folder)

DATA is a folder with `ir/cran` and `ir/cisi`.
Each document becomes one note of a vault in a temporary folder, which is indexed and searched as any other,
with the packaged model. Vectors are kept in the cache folder: the first run takes minutes to make them. Tune
on the odd-numbered queries, report the even.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path

from knapper.base.settings import read_settings
from knapper.index.local import bring_up_to_date
from knapper.models.ports import ModelError
from knapper.models.reranker import load_reranker
from knapper.search.hybrid import DRAWN, Mode
from knapper.search.pipeline import MORE_PASSAGES, NO_AIDS, Aids, SearchOptions, search
from knapper.search.port import LexicalIndex, Reranker
from knapper.search.salience import Salience
from knapper.store.lexical import LexicalReader
from knapper.store.reader import Reader
from tests.eval.judged import Judged, cisi, cranfield
from tests.eval.measures import MEASURES, mean_with_interval, ndcg, values
from tests.eval.vectors import KeptVectors, meaning_of
from tests.model import lay_out_constant_reranker, lay_out_lexical_reranker, lay_out_model

DEEPEST = 50
TODAY = date(2000, 1, 1)
_LONGEST_AGE = 1000
Found = dict[int, list[int]]


@dataclass(frozen=True)
class Stage:
    """A way to search, and the name of the stage that it is compared with."""

    name: str
    against: str = ""
    mode: Mode = "hybrid"
    drawn: float = DRAWN
    more_passages: float = MORE_PASSAGES
    aids: Aids = field(default_factory=lambda: NO_AIDS)


def write_vault(collection: Judged, folder: Path) -> None:
    """One note a document, named by its number, its title a property; of a random day of the last years."""
    (folder / ".obsidian").mkdir(parents=True)
    days = random.Random(0)
    now = datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC).timestamp()
    for document in collection.documents:
        title = json.dumps(document.title, ensure_ascii=False)
        file = folder / f"{document.number}.md"
        file.write_text(f"---\ntitle: {title}\n---\n{document.text}\n", encoding="utf-8")
        written = now - days.randrange(_LONGEST_AGE) * 86_400
        os.utime(file, (written, written))


def open_index(folder: Path) -> Reader:
    """The index of the vault in *folder*, made now."""
    settings, _ = read_settings([{"index.location": "vault", "embeddings.enabled": False}])
    return Reader(bring_up_to_date(folder, settings).database)


def run(collection: Judged, index: LexicalIndex, stage: Stage, numbers: Sequence[int]) -> Found:
    """The numbers of the documents found for each of the queries *numbers*, best first."""
    options = SearchOptions(
        TODAY, limit=DEEPEST, mode=stage.mode, drawn=stage.drawn, more_passages=stage.more_passages
    )
    found = {}
    for number in numbers:
        hits = search(index, collection.queries[number], options, aids=stage.aids).hits
        found[number] = [int(hit.path.removesuffix(".md")) for hit in hits]
    return found


class ModelReranker:
    """The port of search over a loaded model."""

    def __init__(self, folder: Path) -> None:
        self._model = load_reranker(str(folder))

    def scores(self, query: str, passages: Sequence[str]) -> tuple[Sequence[float] | None, str]:
        """The model's scores."""
        return self._model.scores(query, passages), ""


def broken_reranker(folder: Path) -> tuple[Reranker | None, str]:
    """What becomes of a model that scores every pair the same, and why."""
    try:
        return ModelReranker(lay_out_constant_reranker(folder)), "it was taken"
    except ModelError as error:
        return None, str(error)


def stages(reader: Reader, collection: Judged, kept: KeptVectors, folder: Path) -> list[Stage]:
    """Every stage of the way a query goes, one more each time."""
    meaning = meaning_of(reader, kept, [collection.queries[number] for number in collection.relevant])
    weak = ModelReranker(lay_out_lexical_reranker(folder / "weak"))
    broken, why = broken_reranker(folder / "broken")
    print(f"  a reranker that scores all the same is switched off: {broken is None} ({why})")
    both = Aids(meaning)
    salience = Salience(TODAY)
    return [
        Stage("full text", mode="text"),
        Stage("vectors", "full text", mode="semantic", aids=both),
        Stage("hybrid, best passage", "full text", drawn=0.0, more_passages=0.0, aids=both),
        Stage("+ drawn to first hits", "hybrid, best passage", more_passages=0.0, aids=both),
        Stage("+ note bonus", "+ drawn to first hits", aids=both),
        Stage("+ weak reranker blended", "+ note bonus", aids=Aids(meaning, weak)),
        Stage("+ broken reranker off", "+ note bonus", aids=Aids(meaning, broken)),
        Stage("+ salience, random ages", "+ note bonus", aids=Aids(meaning, None, salience)),
        Stage("text + salience, random ages", "full text", mode="text", aids=Aids(None, None, salience)),
    ]


def table(collection: Judged, found: Mapping[str, Found], against: Mapping[str, str]) -> list[str]:
    """A line for each stage: its means over all queries and the halves, and what it gained."""
    lines = []
    every = sorted(collection.relevant)
    odd, even = ([number for number in every if number % 2 == rest] for rest in (1, 0))
    for name, lists in found.items():
        means = [
            mean_with_interval(values(measure, lists, collection.relevant, every))[0]
            for measure in MEASURES.values()
        ]
        halves = [
            mean_with_interval(values(ndcg, lists, collection.relevant, half))[0] for half in (odd, even)
        ]
        cells = "".join(f"{mean * 100:>11.1f}" for mean in (*means, *halves))
        lines.append(f"  {name:30}{cells}   {_gain(collection, lists, found.get(against[name]), every)}")
    return lines


def _gain(collection: Judged, lists: Found, other: Found | None, numbers: Sequence[int]) -> str:
    if other is None:
        mean, low, high = mean_with_interval(values(ndcg, lists, collection.relevant, numbers))
        return f"      [{low * 100:4.1f}, {high * 100:4.1f}]"
    after, before = (values(ndcg, found, collection.relevant, numbers) for found in (lists, other))
    mean, low, high = mean_with_interval([one - two for one, two in zip(after, before, strict=True)])
    return f"{mean * 100:+5.1f} [{low * 100:+4.1f}, {high * 100:+4.1f}]"


def measure(collection: Judged, kept: KeptVectors) -> None:
    """Print the table of one collection."""
    print(f"{collection.name}: {len(collection.documents)} documents, {len(collection.relevant)} queries")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_vault(collection, folder / "vault")
        reader = open_index(folder / "vault")
        ways = stages(reader, collection, kept, folder)
        index = LexicalReader(reader.connection)
        found = {way.name: run(collection, index, way, sorted(collection.relevant)) for way in ways}
        reader.close()
    heads = [*MEASURES, "nDCG odd", "nDCG even"]
    print(" " * 32 + "".join(f"{head:>11}" for head in heads) + "   gain of nDCG@10, 95 %")
    print("\n".join(table(collection, found, {way.name: way.against for way in ways})))


def main() -> None:
    """Measure every collection that lies in the folder given, or in its `ir`."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description="How well search ranks.")
    parser.add_argument("data", type=Path, help="a folder with ir/cran and ir/cisi, or with cran and cisi")
    data = parser.parse_args().data
    with tempfile.TemporaryDirectory() as name:
        kept = KeptVectors(lay_out_model(Path(name) / "model"), _told)
        for folder in (data, data / "ir"):
            for read, inside in ((cranfield, "cran"), (cisi, "cisi")):
                if (folder / inside).is_dir():
                    measure(read(folder / inside), kept)


def _told(done: int, total: int) -> None:
    if total > 64 and done % 512 < 64:
        print(f"  {done} of {total} passages embedded", file=sys.stderr)
