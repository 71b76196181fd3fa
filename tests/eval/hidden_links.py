"""How well related notes find links that were taken out of real vaults: recall@10 and MRR@10, by stage.

Run by `make eval` for the folders in DATA/vaults. Notes that the source links to otherwise are known and left
out of every ranking. Pairs with odd numbers are for tuning, even ones for the
report. Baselines: notes of the same folder, notes with the most tags in common, full text with the note as
the query, and the cosine of mean vectors.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import numpy as np

from knapper.base.settings import read_settings
from knapper.index.apply import Timings, entry_of
from knapper.index.local import bring_up_to_date
from knapper.search.boilerplate import LineCounts
from knapper.search.matrix import Floats, Matrix, Vectors
from knapper.search.passage import embedded_text, written_date
from knapper.search.pipeline import SearchOptions, search
from knapper.search.related import NO_NUDGES, RelatedOptions, related
from knapper.search.structure import SavedLinks
from knapper.store.reader import Reader
from knapper.store.rows import FileState
from knapper.store.words import WordReader
from knapper.store.writer import Writer
from knapper.vault.daily import daily_note_date
from knapper.vault.note import Note
from knapper.vault.obsidian import read_obsidian
from knapper.vault.paths import NotePath, stem_of
from knapper.vault.view import VaultView
from tests.eval.pairs import HiddenLink, hidden_links
from tests.eval.vectors import KeptVectors
from tests.model import lay_out_model

VAULTS = ("foam-docs", "srd-wiki", "oldwinter-zh", "tasks-demo")
MOST_PAIRS = 120
DEEPEST = 10
SERVER = "eval"
Embed = Callable[[Sequence[str]], Floats]
Ranking = Callable[["World", HiddenLink], list[NotePath]]


@dataclass
class World:
    """A vault in an index of its own, with the text of one note replaced, and its vectors."""

    view: VaultView
    index: WordReader
    vectors: Vectors
    chunk_paths: dict[int, NotePath]


class Workshop:
    """Makes the worlds of a vault's hidden links."""

    def __init__(self, root: Path, database: Path, embed: Embed) -> None:
        self._embed = embed
        self._reader = Reader(database, SERVER)
        self._writer = Writer(database, SERVER)
        with self._writer.commit():  # What a run that was stopped has left.
            for _, _, path, _, _ in self._rows(f"WHERE server = '{SERVER}'"):
                self._writer.drop_unsaved(NotePath(path))
        loaded = self._reader.load()
        obsidian, _ = read_obsidian(lambda path: _text(root / path))
        self.view = VaultView.build(loaded.notes, loaded.files, obsidian)
        self.index = WordReader(self._reader.connection, SERVER)
        self._boilerplate: frozenset[str] = frozenset()
        self._titles = {note.path: note for note in loaded.notes}
        self._boilerplate = self._counted()
        self._matrix: Matrix | None = None
        self._paths: dict[int, NotePath] = {}
        self._put(self._rows("WHERE server = ''"))

    def close(self) -> None:
        """Close the index."""
        self._writer.close()
        self._reader.close()

    @contextmanager
    def without(self, link: HiddenLink) -> Iterator[World]:
        """The world in which *link* is not there: unsaved text over the saved note."""
        entry = entry_of(link.source, link.text, FileState(0, 0, 0), None, Timings())
        with self._writer.commit():
            self._writer.put_unsaved(entry)
        rows = self._rows(f"WHERE server = '{SERVER}'")
        self._put(rows)
        assert self._matrix is not None
        yield World(link.view(self.view), self.index, self._matrix.view(), self._paths)
        self._matrix.drop([row[0] for row in rows])
        with self._writer.commit():
            self._writer.drop_unsaved(link.source)

    def _rows(self, where: str) -> list[tuple[int, int, str, str, str]]:
        return self._reader.connection.execute(
            "SELECT chunk.id, note.id, note.path, chunk.above, chunk.text FROM chunk JOIN note"
            f" ON note.id = chunk.note {where} ORDER BY chunk.id"
        ).fetchall()

    def _counted(self) -> frozenset[str]:
        counts = LineCounts()
        texts: dict[int, list[str]] = {}
        for _, note, _, _, text in self._rows(""):
            texts.setdefault(note, []).append(text)
        for some in texts.values():
            counts.add(some)
        return counts.boilerplate()

    def _put(self, rows: list[tuple[int, int, str, str, str]]) -> None:
        """Embed the chunks that say something."""
        said = [
            (chunk, note, self._embedded(NotePath(path), above, text))
            for chunk, note, path, above, text in rows
        ]
        said = [row for row in said if row[2]]
        vectors = self._embed([text for _, _, text in said])
        if self._matrix is None:
            self._matrix = Matrix(vectors.shape[1])
        self._matrix.put([chunk for chunk, _, _ in said], [note for _, note, _ in said], vectors)
        self._paths.update({chunk: NotePath(path) for chunk, _, path, _, _ in rows})

    def _embedded(self, path: NotePath, above: str, text: str) -> str:
        note = self._titles[path]
        title = note.title or stem_of(path)
        headings = above.split("\n") if above else []
        return embedded_text(title, headings, _dated(note), text, self._boilerplate)


def _dated(note: Note) -> str:
    by_name = {item.name.casefold(): item.values for item in note.properties}
    return written_date(stem_of(note.path), (*by_name.get("date", ()), *by_name.get("created", ())))


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return None


# --- what is compared ---


def same_folder(world: World, link: HiddenLink) -> list[NotePath]:
    """The notes of the folder, in no order."""
    folder = link.source.rpartition("/")[0]
    return _first(world, link, lambda path: float(path.rpartition("/")[0] == folder))


def shared_tags(world: World, link: HiddenLink) -> list[NotePath]:
    """The notes with the most tags in common, by Jaccard."""
    own = {tag.name.casefold() for tag in world.view.notes[link.source].tags}

    def score(path: NotePath) -> float:
        tags = {tag.name.casefold() for tag in world.view.notes[path].tags}
        return len(own & tags) / len(own | tags) if own & tags else 0.0

    return _first(world, link, score)


def _first(world: World, link: HiddenLink, score: Callable[[NotePath], float]) -> list[NotePath]:
    """The notes with the highest scores above 0, equal ones shuffled."""
    paths = sorted(path for path in world.view.notes if path != link.source)
    random.Random(link.number).shuffle(paths)
    scored = [(score(path), path) for path in paths]
    return [path for value, path in sorted(scored, key=lambda item: -item[0]) if value > 0]


def full_text(world: World, link: HiddenLink) -> list[NotePath]:
    """A search with the whole note as the query."""
    query = f"{stem_of(link.source)} {link.text}".replace('"', " ").replace(":", " ")
    limit = DEEPEST + len(link.linked(world.view))
    options = SearchOptions(date(2000, 1, 1), limit=limit, hidden=lambda path: path == link.source)
    return [hit.path for hit in search(world.index, query, options).hits]


def centroids(world: World, link: HiddenLink) -> list[NotePath]:
    """The notes whose mean vector is nearest."""
    notes, unseen = world.vectors.notes, world.index.unseen()
    living = world.vectors.alive & ~np.isin(notes, list(unseen))
    numbers, index = np.unique(notes[living], return_inverse=True)
    sums = np.zeros((len(numbers), world.vectors.dimensions), np.float32)
    np.add.at(sums, index, world.vectors.rows[living])
    sums /= np.linalg.norm(sums, axis=1, keepdims=True)
    paths = dict(
        zip(notes.tolist(), (world.chunk_paths[c] for c in world.vectors.chunks.tolist()), strict=True)
    )
    own = world.index.note_at(link.source)
    if own not in numbers:
        return []
    scores = sums @ sums[np.searchsorted(numbers, own)]
    order = [int(numbers[at]) for at in np.argsort(-scores, kind="stable")]
    return [paths[note] for note in order if note != own]


def _stage(*, meaning: bool, nudged: bool) -> Ranking:
    def ranked(world: World, link: HiddenLink) -> list[NotePath]:
        options = options_of(world, DEEPEST + len(link.linked(world.view)))
        if not nudged:
            options = replace(options, nudges=NO_NUDGES)
        vectors = world.vectors if meaning else None
        found = related(link.source, world.index, SavedLinks(world.view), vectors, options)
        return [item.path for item in found]

    return ranked


def options_of(world: World, limit: int = DEEPEST) -> RelatedOptions:
    """What a person gets."""
    view = world.view
    return RelatedOptions(
        limit=limit,
        hidden=view.is_excluded,
        daily=lambda path: daily_note_date(view.obsidian, path) is not None,
    )


STAGES: dict[str, Ranking] = {
    "same folder": same_folder,
    "shared tags": shared_tags,
    "full text": full_text,
    "centroids": centroids,
    "words": _stage(meaning=False, nudged=False),
    "words + structure": _stage(meaning=False, nudged=True),
    "vectors": _stage(meaning=True, nudged=False),
    "vectors + structure": _stage(meaning=True, nudged=True),
}


# --- the table ---


@dataclass
class Ranks:
    """For each pair the rank of what was wanted in the first ten (0: it was not there), stage by stage."""

    vault: str
    numbers: list[int]
    by_stage: dict[str, list[int]]


def measure(root: Path, embed: Embed, stages: Sequence[str] = tuple(STAGES), most: int = MOST_PAIRS) -> Ranks:
    """Hide the links of the vault at *root* one by one, and see where their targets come."""
    settings, _ = read_settings([{"index.location": "cache"}])
    index = bring_up_to_date(root, settings)
    workshop = Workshop(root, index.database, embed)
    links = hidden_links(root, workshop.view, most)
    found = Ranks(root.name, [link.number for link in links], {name: [] for name in stages})
    for link in links:
        with workshop.without(link) as world:
            for name in stages:
                known = link.linked(world.view)
                paths = [path for path in STAGES[name](world, link) if path not in known][:DEEPEST]
                found.by_stage[name].append(paths.index(link.target) + 1 if link.target in paths else 0)
    workshop.close()
    return found


def recall(ranks: Sequence[int]) -> float:
    """The part that was found."""
    return sum(rank > 0 for rank in ranks) / len(ranks)


def reciprocal(ranks: Sequence[int]) -> float:
    """The mean of one over the rank."""
    return sum(1 / rank for rank in ranks if rank) / len(ranks)


def table(every: Sequence[Ranks], keep: tuple[int, ...]) -> list[str]:
    """One line a stage: recall@10 and MRR@10 in each vault, of pairs with numbers modulo 2 in *keep*."""
    lines = [" " * 22 + "".join(f"{ranks.vault:>16}" for ranks in every)]
    chosen = [[number % 2 in keep for number in ranks.numbers] for ranks in every]
    lines.append(" " * 22 + "".join(f"{sum(some):>10} pairs" for some in chosen))
    for name in every[0].by_stage:
        cells = []
        for ranks, some in zip(every, chosen, strict=True):
            kept = [rank for rank, yes in zip(ranks.by_stage[name], some, strict=True) if yes]
            cells.append(f"{recall(kept) * 100:9.1f} /{reciprocal(kept) * 100:5.1f}")
        lines.append(f"  {name:20}" + "".join(cells))
    return lines


def run(folder: Path, embed: Embed) -> list[str]:
    """The tables for the vaults in *folder*."""
    every = [measure(folder / name, embed) for name in VAULTS if (folder / name).is_dir()]
    if not every:
        return []
    lines = ["Hidden links: recall@10 / MRR@10, even pairs (odd ones are for tuning)", *table(every, (0,))]
    return [*lines, "", "All pairs", *table(every, (0, 1))]


def main() -> None:
    """Measure the vaults that lie in the folder given, or in its `vaults`."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description="How well related notes rank.")
    parser.add_argument("data", type=Path, help="a folder with vaults/")
    data = parser.parse_args().data
    with tempfile.TemporaryDirectory() as folder:
        kept = KeptVectors(lay_out_model(Path(folder) / "model"))
        for place in (data / "vaults", data.parent / "vaults", data):
            if lines := run(place, kept.of):
                print("\n".join(lines))
                return


if __name__ == "__main__":
    main()
