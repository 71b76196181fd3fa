"""Related notes: who is among them, who never is, and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from knapper.search.related import ACCEPTED, NO_NUDGES, RelatedOptions, related
from knapper.search.structure import SavedLinks
from knapper.store.reader import Reader
from knapper.store.words import WordReader
from knapper.text.span import Place
from knapper.vault.paths import NotePath
from knapper.vault.view import VaultView
from tests.search.test_unsaved import overlay
from tests.search.world import World, world

BREAD = "sourdough starter rye flour dough fold proof loaf crust oven"
SKY = "telescope optics saturn moons eyepiece seeing collimation star field night"
BEES = "hive queen swarm varroa brood frame honey nectar colony smoker"
NOTES = {
    "Kitchen/Kneading.md": f"#bread\n\n{BREAD} by hand. See [[Flour]].\n",
    "Kitchen/Proofing.md": f"#bread\n\n{BREAD} in a basket. See [[Flour]].\n",
    "Kitchen/Flour.md": "Rye and wheat, from the mill.\n",
    "Sky/Jupiter.md": f"{SKY} above the shed.\n",
    "Sky/Mirror.md": f"{SKY} with a cap.\n",
    "Bees/Queen.md": f"{BEES} in June.\n",
    "Bees/Varroa.md": f"{BEES} in August.\n",
    "Daily/2024-05-01.md": f"{BREAD} today.\n",
    "Secret/Bread.md": f"{BREAD} hidden.\n",
    "Empty.md": "",
    "Bikes.md": "The chain wants oil before winter.\n",
}


@pytest.fixture(scope="module", name="vault")
def fixture_vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """NOTES, with vectors."""
    with world(tmp_path_factory.mktemp("related"), NOTES) as made:
        yield made


@pytest.mark.parametrize("words", [False, True])
def test_notes_with_the_same_topic_are_related_and_others_are_not(vault: World, words: bool) -> None:
    assert vault.paths("Sky/Jupiter.md", words=words) == ["Sky/Mirror.md"]
    assert set(vault.paths("Kitchen/Kneading.md", words=words)) >= {
        "Kitchen/Proofing.md",
        "Daily/2024-05-01.md",
        "Secret/Bread.md",
    }


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("path", ["Empty.md", "Nowhere.md", "Bikes.md"])
def test_an_empty_an_unknown_and_a_lonely_note_have_none(vault: World, path: str, words: bool) -> None:
    assert vault.paths(path, words=words) == []


@pytest.mark.parametrize("words", [False, True])
def test_hidden_notes_and_the_note_itself_are_never_among_them(vault: World, words: bool) -> None:
    options = RelatedOptions(hidden=lambda path: path.startswith("Secret/"))
    found = vault.paths("Kitchen/Kneading.md", options, words=words)

    assert "Kitchen/Proofing.md" in found
    assert not {"Secret/Bread.md", "Kitchen/Kneading.md"} & set(found)


def test_daily_notes_weigh_less(vault: World) -> None:
    plain = {one.path: one.score for one in vault.related("Kitchen/Kneading.md")}
    options = RelatedOptions(daily=lambda path: path.startswith("Daily/"))
    weighed = {one.path: one.score for one in vault.related("Kitchen/Kneading.md", options)}

    daily = NotePath("Daily/2024-05-01.md")
    assert weighed.pop(daily) == pytest.approx(0.8 * plain.pop(daily))
    assert weighed == plain


def test_why_names_the_two_passages_and_all_that_is_shared(vault: World) -> None:
    first = vault.related("Kitchen/Kneading.md")[0]
    why = first.why

    assert first.path == "Kitchen/Proofing.md"
    assert (why.by, why.tags, why.through, why.linked) == (
        "meaning",
        ("bread",),
        ("Kitchen/Flour.md",),
        False,
    )
    assert why.here.place == Place(0, 0, 2, len(BREAD) + 24)
    assert why.here.text == f"#bread {BREAD} by hand. See [[Flour]]."
    assert why.there.text == f"#bread {BREAD} in a basket. See [[Flour]]."
    assert why.near > why.noise > 0
    assert set(why.words) <= set(BREAD.split()) | {"bread"}
    assert sum(why.parts.values()) * why.factor == pytest.approx(first.score)
    assert set(why.parts) == {"meaning", "words", "tags", "links", "words in common", "folder"}


def test_without_a_vector_of_the_note_words_stand_in_for_meaning(vault: World) -> None:
    first = vault.related("Kitchen/Kneading.md", words=True)[0]

    assert (first.path, first.why.by) == ("Kitchen/Proofing.md", "words")
    assert "words" in first.why.parts


def test_structure_alone_makes_no_note_related(vault: World) -> None:
    """The flour is linked, and says nothing of the kind."""
    assert "Kitchen/Flour.md" not in vault.paths("Kitchen/Kneading.md")


def test_everything_that_is_shown_is_at_the_threshold_or_above(vault: World) -> None:
    options = RelatedOptions(nudges=NO_NUDGES)
    for path in NOTES:
        assert all(one.score >= ACCEPTED for one in vault.related(path, options))


def test_only_the_lines_asked_for_count(tmp_path: Path) -> None:
    text = f"# One\n\n{BREAD}. {BREAD}. {BREAD}.\n{BREAD}.\n\n# Two\n\n{SKY}. {SKY}. {SKY}.\n{SKY}.\n"
    with world(tmp_path, {**NOTES, "Both.md": text}) as made:
        every = made.paths("Both.md")
        second = made.paths("Both.md", RelatedOptions(lines=(5, 9)))

    assert {"Kitchen/Proofing.md", "Sky/Jupiter.md"} <= set(every)
    assert set(second) == {"Sky/Jupiter.md", "Sky/Mirror.md"}


def test_unsaved_text_counts_for_the_server_that_has_it(tmp_path: Path) -> None:
    with world(tmp_path, NOTES) as made:
        database = tmp_path / made.index._rows("PRAGMA database_list")[0][2]
        overlay(database, "one", "Sky/Jupiter.md", f"{BEES} over the hedge.\n")
        links = SavedLinks(made.view)
        seen = {}
        for server in ("one", "two"):
            reader = Reader(database, server)
            index = WordReader(reader.connection, server)
            for path in ("Sky/Jupiter.md", "Sky/Mirror.md"):
                seen[server, path] = {one.path for one in related(NotePath(path), index, links)}
            reader.close()

    assert seen == {
        ("one", "Sky/Jupiter.md"): {"Bees/Queen.md", "Bees/Varroa.md"},
        ("one", "Sky/Mirror.md"): set(),
        ("two", "Sky/Jupiter.md"): {"Sky/Mirror.md"},
        ("two", "Sky/Mirror.md"): {"Sky/Jupiter.md"},
    }


def test_a_view_is_enough_for_links() -> None:
    links = SavedLinks(VaultView.build(()))
    assert (links.note(NotePath("a.md")), list(links.sources(NotePath("a.md")))) == (None, [])


def test_words_make_a_note_related_whose_meaning_is_not_near(tmp_path: Path) -> None:
    """The model may not know the language: here the vector of the second note says nothing of the first."""
    names = "Zwirbelhuber Quastenfloss Krumbacher Ostwindel Pfarrlinde"
    notes = {**NOTES, "One.md": f"{names} {BEES}.\n", "Two.md": f"{names}.{' filler' * 40}\n"}
    with world(tmp_path, notes) as made:
        both = {one.path: one.why for one in made.related("One.md")}
        alone = made.paths("One.md", RelatedOptions(evidence=0))

    why = both[NotePath("Two.md")]
    assert "Two.md" not in alone
    assert (why.by, set(why.parts)) == ("words", {"words", "words in common"})
    assert set(why.words) <= set(names.split())
    assert why.near > why.noise > 0


def test_one_word_in_common_relates_no_notes(tmp_path: Path) -> None:
    """However rare it is; three or four do."""
    notes = {
        **NOTES,
        "One.md": f"{BREAD} Zwirbelhuber.\n",
        "Two.md": f"{SKY} Zwirbelhuber.\n",
        "Three.md": "Ada Zwirbelhuber loves the telescope and Saturn.\n",
    }
    with world(tmp_path, notes) as made:
        assert not {"Two.md", "Three.md"} & set(made.paths("One.md", words=True))
        assert "Two.md" in made.paths("Three.md", words=True)
