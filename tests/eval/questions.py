"""How well questions are answered from notes: what is found, what is quoted, and what is refused.

    python -m tests.eval.questions [DATA]

Without DATA only the example vault is asked, with it the vaults that lie in it or in its `vaults` too. Each
is asked by words alone, and by words and meaning with the packaged model.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

import yaml

from knapper.base.settings import read_settings
from knapper.index.local import bring_up_to_date
from knapper.memory.answer import Answer
from knapper.memory.asked import FoundPassage, Memory, Question
from knapper.memory.evidence import gather
from knapper.memory.extractive import extract
from knapper.search.pipeline import NO_AIDS, Aids
from knapper.store.lexical import LexicalReader
from knapper.store.reader import Reader
from knapper.vault.paths import NotePath
from tests.eval.vectors import KeptVectors, meaning_of
from tests.model import lay_out_model

EXAMPLE = Path(__file__).parents[2] / "examples" / "vault"
QUESTIONS = Path(__file__).with_name("questions.yaml")
TODAY = date(2025, 10, 6)


class Asked(NamedTuple):
    """A question of a vault. Without `note` the vault does not say; else a passage has `holds`."""

    ask: str
    note: str = ""
    holds: str = ""

    def is_gold(self, passage: FoundPassage) -> bool:
        """Whether this passage answers."""
        return passage.path == self.note and _one_line(self.holds) in _one_line(passage.text)


class Outcome(NamedTuple):
    """What became of a question. `rank` is that of the first gold passage, from 1; 0 without one.

    `cited` counts the citations when it is answered by quoting, `gold` those of a gold passage; `quoted` says
    that the very words are in a quote.
    """

    asked: Asked
    rank: int
    answered: bool
    cited: int
    gold: int
    quoted: bool


def questions() -> dict[str, list[Asked]]:
    """All of them, by vault."""
    read = yaml.safe_load(QUESTIONS.read_text(encoding="utf-8"))
    return {vault: [Asked(**one) for one in some] for vault, some in read.items()}


@dataclass(frozen=True)
class Asking:
    """An indexed vault that is asked."""

    root: Path
    reader: Reader
    aids: Aids = NO_AIDS

    @property
    def memory(self) -> Memory:
        """What a question is asked of."""
        index = LexicalReader(self.reader.connection, self.reader.server)
        return Memory(index, self.aids, TODAY, self._text_of, lambda _: False, lambda _: ())

    def outcome(self, asked: Asked) -> Outcome:
        """Ask it."""
        question = Question(asked.ask)
        evidence = gather(question, self.memory, sending=True)
        *_, answer = extract(question, evidence)
        assert isinstance(answer, Answer)
        ranks = [rank for rank, passage in enumerate(evidence.passages, 1) if asked.is_gold(passage)]
        cited = answer.citations
        return Outcome(
            asked,
            ranks[0] if ranks else 0,
            evidence.answers,
            len(cited),
            sum(asked.is_gold(one.passage) for one in cited),
            any(
                _one_line(asked.holds) in _one_line(one.quote)
                for one in cited
                if one.passage.path == asked.note
            ),
        )

    def _text_of(self, path: NotePath) -> str | None:
        file = self.root / path
        return file.read_bytes().decode("utf-8-sig") if file.is_file() else None


def indexed(source: Path, folder: Path) -> Asking:
    """A copy of the vault *source* in *folder*, indexed; to be asked by words."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns(".git"))
    settings, _ = read_settings([{"index.location": "vault", "embeddings.enabled": False}])
    return Asking(folder, Reader(bring_up_to_date(folder, settings).database))


def with_meaning(asking: Asking, kept: KeptVectors) -> Asking:
    """The same, to be asked by words and meaning."""
    return Asking(asking.root, asking.reader, Aids(meaning_of(asking.reader, kept)))


class Measured(NamedTuple):
    """Parts of 1: of answerable questions, of citations, of answers, and of unanswerable questions."""

    answerable: int
    recall_12: float
    recall_3: float
    refused_wrongly: float
    precision: float
    quoted: float
    unanswerable: int
    answered_wrongly: float


def measured(outcomes: Sequence[Outcome]) -> Measured:
    """What the outcomes come to."""
    can = [it for it in outcomes if it.asked.note]
    cannot = [it for it in outcomes if not it.asked.note]
    answered = [it for it in can if it.answered]
    return Measured(
        len(can),
        _part(sum(it.rank > 0 for it in can), len(can)),
        _part(sum(0 < it.rank <= 3 for it in can), len(can)),
        _part(sum(not it.answered for it in can), len(can)),
        _part(sum(it.gold for it in answered), sum(it.cited for it in answered)),
        _part(sum(it.quoted for it in answered), len(answered)),
        len(cannot),
        _part(sum(it.answered for it in cannot), len(cannot)),
    )


def half(outcomes: Sequence[Outcome], rest: int) -> list[Outcome]:
    """Every other question, answerable and unanswerable counted apart: 1 for the odd ones, 0 for the even."""
    groups = [[it for it in outcomes if bool(it.asked.note) is can] for can in (True, False)]
    return [it for group in groups for number, it in enumerate(group, 1) if number % 2 == rest]


def _part(some: int, of: int) -> float:
    return some / of if of else 0.0


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _row(name: str, outcomes: Sequence[Outcome]) -> str:
    it = measured(outcomes)
    cells = (it.recall_12, it.recall_3, it.refused_wrongly, it.precision, it.quoted)
    shown = "".join(f"{100 * cell:6.0f} |" for cell in cells)
    return f"| {name:28} | {it.answerable:3} |{shown} {it.unanswerable:3} |{100 * it.answered_wrongly:6.0f} |"


def _asked(name: str, source: Path, asked: Sequence[Asked], kept: KeptVectors) -> dict[str, list[Outcome]]:
    """What became of the questions to one vault, by how it was asked; what went wrong is printed aside."""
    with tempfile.TemporaryDirectory() as folder:
        asking = indexed(source, Path(folder) / "vault")
        ways = {"words": asking, "both": with_meaning(asking, kept)}
        outcomes = {way: [one.outcome(question) for question in asked] for way, one in ways.items()}
        asking.reader.close()
    for way, some in outcomes.items():
        print("\n".join(_wrong(name, way, some)), file=sys.stderr)
    return outcomes


def _wrong(name: str, way: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    for it in outcomes:
        if it.asked.note and not (it.answered and it.quoted):
            how = "not quoted" if it.answered else "REFUSED"
            yield f"{name}, {way}: rank {it.rank}, {how}: {it.asked.ask}"
        elif not it.asked.note and it.answered:
            yield f"{name}, {way}: ANSWERED: {it.asked.ask}"


HEAD = """\
| vault                        | can | @12 |  @3 | refused | cited gold | words quoted | cannot | answered |
| ---------------------------- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"""


def main(folders: Sequence[Path]) -> None:
    """Print the table."""
    vaults = {"example": EXAMPLE}
    for folder in folders:
        for vault in questions():
            found = [path for path in (folder / vault, folder / "vaults" / vault) if path.is_dir()]
            vaults.update((vault, path) for path in found)
    print(HEAD)
    others: dict[str, list[Outcome]] = {"words": [], "both": []}
    with tempfile.TemporaryDirectory() as own:
        kept = KeptVectors(lay_out_model(Path(own) / "model"), _told)
        for name, source in vaults.items():
            for way, outcomes in _asked(name, source, questions()[name], kept).items():
                print(_row(f"{name}, {way}", outcomes), flush=True)
                if name == "example":
                    print(_row(f"{name}, {way}, odd", half(outcomes, 1)))
                    print(_row(f"{name}, {way}, even", half(outcomes, 0)), flush=True)
                else:
                    others[way] += outcomes
    for way, outcomes in others.items():
        print(_row(f"all but example, {way}", outcomes) if outcomes else "", flush=True)


def _told(done: int, total: int) -> None:
    if total > 64 and done % 512 < 64:
        print(f"  {done} of {total} passages embedded", file=sys.stderr)


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
