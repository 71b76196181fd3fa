"""A small gate on the quality of search with the real model, in the example vault.

Known notes, other words, slips of the hand, Chinese and Japanese. Means are held, never single queries.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from knapper.base.settings import read_settings
from knapper.cli.aids import aids_for
from knapper.cli.opened import OpenedVault
from knapper.index.local import bring_up_to_date
from knapper.search.hybrid import Mode
from knapper.search.pipeline import Aids, SearchOptions, search
from knapper.store.lexical import LexicalReader
from knapper.store.reader import Reader
from tests.model import lay_out_model

EXAMPLE = Path(__file__).parents[2] / "examples" / "vault"
TODAY = date(2025, 10, 6)

OTHER_WORDS = {
    "how to get rid of snails that eat the lettuce": "Garden/Slugs.md",
    "collecting water from the roof": "Garden/Rain barrels.md",
    "parasites that weaken the hive": "Bees/Varroa.md",
    "electric bicycle in the cold": "House/Cargo bike.md",
    "adjusting the optics before observing": "Sky/Collimation.md",
    "how long until eyes get used to the night": "Sky/Dark adaptation.md",
    "street lamps hide the stars": "Sky/Light pollution.md",
    "meteor shower": "Sky/Perseids 2025.md",
    "how to pickle cabbage": "Kitchen/Fermentation.md",
    "soy bean paste": "Kitchen/Miso.md",
    "mending broken household things together": "House/Repair café.md",
    "when a hive splits in two": "Bees/Swarming.md",
    "how much money did we spend": "House/Budget 2025.md",
    "keeping grains from plants for next year": "Garden/Seed saving.md",
    "marmalade from the fruit of next door": "Kitchen/Quince jelly.md",
}
EAST_ASIAN = {
    "味噌": "Kitchen/Miso.md",
    "仕込み": "Kitchen/Miso.md",
    "星を見る": "People/田中ゆき.md",
    "京都": "People/田中ゆき.md",
    "田中": "People/田中ゆき.md",
}
NAMES = {path.stem: path.relative_to(EXAMPLE).as_posix() for path in sorted(EXAMPLE.rglob("*.md"))}


def slips() -> dict[str, str]:
    """Each note's name with two neighbouring letters of a word exchanged: `Slgus`, `Quicne jelly`."""
    choose, found = random.Random(4), dict[str, str]()
    for name, path in NAMES.items():
        words = [word for word in name.split() if len(word) >= 5 and word.isascii() and word.isalpha()]
        for word in words[:2]:
            at = choose.randrange(1, len(word) - 2)
            found[name.replace(word, word[:at] + word[at + 1] + word[at] + word[at + 2 :])] = path
    return found


@dataclass(frozen=True)
class Searcher:
    """The example vault with its vectors."""

    index: LexicalReader
    aids: Aids

    def mean_reciprocal_rank(self, wanted: Mapping[str, str], mode: Mode, aids: Aids | None = None) -> float:
        """How high the notes wanted stand among the first ten."""
        ranks = []
        for query, path in wanted.items():
            options = SearchOptions(TODAY, limit=10, mode=mode)
            found = [str(hit.path) for hit in search(self.index, query, options, aids=aids or self.aids).hits]
            ranks.append(1 / (found.index(path) + 1) if path in found else 0.0)
        return sum(ranks) / len(ranks)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    """The example vault, indexed and embedded as the command line does it, with folders of its own."""
    folder = tmp_path_factory.mktemp("meaning")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            patch.setenv(name, str(folder / "own" / name))
        root = shutil.copytree(EXAMPLE, folder / "vault")
        model = lay_out_model(folder / "model")
        settings, complaints = read_settings(
            [{"index.location": "vault", "embeddings.model": str(model), "salience.enabled": False}]
        )
        index = bring_up_to_date(root, settings, embed=True)
        reader = Reader(index.database)
        aids, remarks = aids_for(OpenedVault(root, settings, index, reader), "hybrid", TODAY)
        assert (complaints, remarks, aids.why) == ([], [], "")
        yield Searcher(LexicalReader(reader.connection), aids)
        reader.close()


def test_what_is_asked_in_other_words_is_found_better_with_meaning(example: Searcher) -> None:
    words = example.mean_reciprocal_rank(OTHER_WORDS, "text")
    both = example.mean_reciprocal_rank(OTHER_WORDS, "hybrid")
    meaning = example.mean_reciprocal_rank(OTHER_WORDS, "semantic")

    assert (both > words + 0.03, both > 0.65, meaning > 0.65) == (True, True, True), (words, both, meaning)


@pytest.mark.parametrize(("wanted", "least"), [(NAMES, 0.95), (EAST_ASIAN, 0.95)])
def test_meaning_takes_nothing_from_names_and_east_asian_words(
    example: Searcher, wanted: Mapping[str, str], least: float
) -> None:
    words = example.mean_reciprocal_rank(wanted, "text")
    both = example.mean_reciprocal_rank(wanted, "hybrid")

    assert both >= max(least, words - 0.02), (words, both)


def test_slips_of_the_hand_are_found_with_meaning_too(example: Searcher) -> None:
    """The meaning of a misspelt word is a guess, so it costs something; few queries tell chance from loss."""
    words = example.mean_reciprocal_rank(slips(), "text")
    both = example.mean_reciprocal_rank(slips(), "hybrid")

    assert len(slips()) >= 40
    assert (words > 0.9, both > 0.85) == (True, True), (words, both)
