"""How well related notes find links that were taken out of real vaults: recall@10 and MRR@10, by stage.

Run by `make eval` for the folders in DATA/vaults, with one link hidden and with half the links of a note (see
`pairs`). Questions with odd numbers are for tuning, even ones for the report. Baselines: notes of the same
folder, notes with the most tags in common, full text with the note as the query, and the cosine of mean
vectors.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import NamedTuple

import numpy as np

from knapper.base.settings import read_settings
from knapper.index.apply import Timings, entry_of
from knapper.index.local import bring_up_to_date
from knapper.search.boilerplate import LineCounts
from knapper.search.matrix import Floats, Matrix, Vectors
from knapper.search.passage import embedded_text, written_date
from knapper.search.pipeline import SearchOptions, search
from knapper.search.related import BESIDE_MEANING, NO_NUDGES, RelatedOptions, related
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
from tests.eval.measures import mean_with_interval
from tests.eval.pairs import Question, half_the_links, one_link
from tests.eval.vectors import KeptVectors
from tests.model import lay_out_model

VAULTS = ("foam-docs", "srd-wiki", "oldwinter-zh", "tasks-demo")
MOST_QUESTIONS = 120
DEEPEST = 10
SERVER = "eval"
Embed = Callable[[Sequence[str]], Floats]
Ranking = Callable[["World", Question], list[NotePath]]
Ask = Callable[[Path, VaultView, int], list[Question]]


@dataclass
class World:
    """A vault in an index of its own, with the texts of some notes replaced, and its vectors."""

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
    def without(self, question: Question) -> Iterator[World]:
        """The world in which the hidden links are not there: unsaved texts over the saved notes."""
        with self._writer.commit():
            for path, text in question.texts.items():
                self._writer.put_unsaved(entry_of(path, text, FileState(0, 0, 0), None, Timings()))
        rows = self._rows(f"WHERE server = '{SERVER}'")
        self._put(rows)
        assert self._matrix is not None
        yield World(question.view(self.view), self.index, self._matrix.view(), self._paths)
        self._matrix.drop([row[0] for row in rows])
        with self._writer.commit():
            for path in question.texts:
                self._writer.drop_unsaved(path)

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


def same_folder(world: World, question: Question) -> list[NotePath]:
    """The notes of the folder, in no order."""
    folder = question.note.rpartition("/")[0]
    return _first(world, question, lambda path: float(path.rpartition("/")[0] == folder))


def shared_tags(world: World, question: Question) -> list[NotePath]:
    """The notes with the most tags in common, by Jaccard."""
    own = {tag.name.casefold() for tag in world.view.notes[question.note].tags}

    def score(path: NotePath) -> float:
        tags = {tag.name.casefold() for tag in world.view.notes[path].tags}
        return len(own & tags) / len(own | tags) if own & tags else 0.0

    return _first(world, question, score)


def _first(world: World, question: Question, score: Callable[[NotePath], float]) -> list[NotePath]:
    """The notes with the highest scores above 0, equal ones shuffled."""
    paths = sorted(path for path in world.view.notes if path != question.note)
    random.Random(question.number).shuffle(paths)
    scored = [(score(path), path) for path in paths]
    return [path for value, path in sorted(scored, key=lambda item: -item[0]) if value > 0]


def full_text(world: World, question: Question) -> list[NotePath]:
    """A search with the whole note as the query."""
    query = f"{stem_of(question.note)} {question.text}".replace('"', " ").replace(":", " ")
    limit = DEEPEST + len(question.known)
    options = SearchOptions(date(2000, 1, 1), limit=limit, hidden=lambda path: path == question.note)
    return [hit.path for hit in search(world.index, query, options).hits]


def centroids(world: World, question: Question) -> list[NotePath]:
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
    own = world.index.note_at(question.note)
    if own not in numbers:
        return []
    scores = sums @ sums[np.searchsorted(numbers, own)]
    order = [int(numbers[at]) for at in np.argsort(-scores, kind="stable")]
    return [paths[note] for note in order if note != own]


def _stage(*, meaning: bool, nudged: bool, evidence: float = BESIDE_MEANING) -> Ranking:
    def ranked(world: World, question: Question) -> list[NotePath]:
        options = options_of(world, DEEPEST + len(question.known))
        options = replace(options, nudges=options.nudges if nudged else NO_NUDGES, evidence=evidence)
        vectors = world.vectors if meaning else None
        found = related(question.note, world.index, SavedLinks(world.view), vectors, options)
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
    "vectors": _stage(meaning=True, nudged=False, evidence=0.0),
    "vectors + words": _stage(meaning=True, nudged=False),
    "vectors + words + structure": _stage(meaning=True, nudged=True),
}
BASELINES = ("same folder", "shared tags", "full text", "centroids")
OURS = ("words + structure", "vectors + words + structure")
WAYS: dict[str, Ask] = {"one link": one_link, "half the links": half_the_links}


# --- the tables ---


class Score(NamedTuple):
    """The part of what was wanted that stands in the first ten, and one over the rank of the first of it."""

    recall: float
    reciprocal: float


@dataclass
class Scores:
    """The score of each question, stage by stage."""

    vault: str
    numbers: list[int]
    by_stage: dict[str, list[Score]]

    def means(self, keep: Sequence[int] = (0, 1)) -> dict[str, Score]:
        """The means of each stage, of questions with numbers modulo 2 in *keep*."""
        return {
            name: Score(*(float(np.mean(some)) if some else 0.0 for some in self.columns(name, keep)))
            for name in self.by_stage
        }

    def columns(self, name: str, keep: Sequence[int] = (0, 1)) -> tuple[list[float], list[float]]:
        """The recalls and the reciprocal ranks of a stage, question by question."""
        pairs = zip(self.numbers, self.by_stage[name], strict=True)
        kept = [score for number, score in pairs if number % 2 in keep]
        return [score.recall for score in kept], [score.reciprocal for score in kept]


def measure(
    root: Path,
    embed: Embed,
    ask: Ask = one_link,
    stages: Sequence[str] = tuple(STAGES),
    keep: Sequence[int] = (0, 1),
    most: int = MOST_QUESTIONS,
) -> Scores:
    """Ask the questions about the vault at *root* with numbers modulo 2 in *keep*."""
    settings, _ = read_settings([{"index.location": "cache"}])
    index = bring_up_to_date(root, settings)
    workshop = Workshop(root, index.database, embed)
    questions = [item for item in ask(root, workshop.view, most) if item.number % 2 in keep]
    found = Scores(root.name, [item.number for item in questions], {name: [] for name in stages})
    for question in questions:
        with workshop.without(question) as world:
            for name in stages:
                found.by_stage[name].append(score(STAGES[name](world, question), question))
    workshop.close()
    return found


def score(paths: Sequence[NotePath], question: Question) -> Score:
    """How good a ranking is, what is known taken out of it."""
    paths = [path for path in paths if path not in question.known][:DEEPEST]
    ranks = [rank for rank, path in enumerate(paths, 1) if path in question.wanted]
    return Score(len(ranks) / min(len(question.wanted), DEEPEST), 1 / ranks[0] if ranks else 0.0)


def table(every: Sequence[Scores], keep: Sequence[int]) -> list[str]:
    """One line a stage: recall@10 / MRR@10 in each vault, of questions with numbers modulo 2 in *keep*."""
    counts = [sum(number % 2 in keep for number in scores.numbers) for scores in every]
    lines = [_line("", (f"{scores.vault}, {count}" for scores, count in zip(every, counts, strict=True)))]
    means = [scores.means(keep) for scores in every]
    for name in every[0].by_stage:
        cells = (f"{some[name].recall * 100:.1f} / {some[name].reciprocal * 100:.1f}" for some in means)
        lines.append(_line(name, cells))
    return lines


def gains(every: Sequence[Scores], keep: Sequence[int]) -> list[str]:
    """What our stages have more of MRR and recall than each baseline, and 95 % paired intervals."""
    lines = []
    for stage in OURS:
        for measured, column in (("MRR", 1), ("recall", 0)):
            lines.append(_line(f"{stage}, {measured}", ()))
            for baseline in BASELINES:
                cells = (
                    _gain(scores.columns(stage, keep)[column], scores.columns(baseline, keep)[column])
                    for scores in every
                )
                lines.append(_line(f"  - {baseline}", cells))
    return lines


def _gain(ours: Sequence[float], theirs: Sequence[float]) -> str:
    mean, low, high = mean_with_interval([one - other for one, other in zip(ours, theirs, strict=True)])
    return f"{mean * 100:+.1f} [{low * 100:+.1f}, {high * 100:+.1f}]"


def _line(head: str, cells: Iterable[str]) -> str:
    return f"  {head:30}" + "".join(f"{cell:>24}" for cell in cells)


def run(folder: Path, embed: Embed) -> Iterator[str]:
    """The tables for the vaults in *folder*."""
    roots = [folder / name for name in VAULTS if (folder / name).is_dir()]
    for title, ask in WAYS.items() if roots else ():
        every = [measure(root, embed, ask) for root in roots]
        yield f"Hidden links, {title}: recall@10 / MRR@10, even questions (odd ones are for tuning)"
        yield from table(every, (0,))
        yield from gains(every, (0,))
        yield f"Hidden links, {title}: all questions"
        yield from table(every, (0, 1))
        yield from gains(every, (0, 1))


def main() -> None:
    """Measure the vaults that lie in the folder given, or in its `vaults`."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval", description="How well related notes rank.")
    parser.add_argument("data", type=Path, help="a folder with vaults/")
    data = parser.parse_args().data
    with tempfile.TemporaryDirectory() as folder:
        kept = KeptVectors(lay_out_model(Path(folder) / "model"))
        for place in (data / "vaults", data.parent / "vaults", data):
            said = False
            for line in run(place, kept.of):
                print(line, flush=True)
                said = True
            if said:
                return


if __name__ == "__main__":
    main()
