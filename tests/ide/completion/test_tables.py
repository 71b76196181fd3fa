"""What completion looks through in a vault follows the vault as one made from scratch."""

from collections.abc import Iterator
from random import Random

from knapper.base.cancel import CancelToken
from knapper.base.settings import Settings
from knapper.ide.completion.haystack import Haystack
from knapper.ide.completion.tables import Tables, prepare, tables_of
from knapper.vault.note import Note
from knapper.vault.obsidian import Obsidian
from knapper.vault.paths import NotePath
from knapper.vault.view import Delta, VaultView
from tests.scene import build_view, note_from, scene

VAULT = """
//- .obsidian/app.json
{"userIgnoreFilters": ["d"]}
//- a.md
---
aliases: [First, Uno]
---
# Alpha
#one [[Gone]] [[b]]

text ^id-a
//- b.md
# Beta
## Two
#two [[gone/../Gone]]
//- pic.png

"""


def contents(tables: Tables) -> object:
    """Everything that the tables find."""
    token = CancelToken()
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = (tables.notes, tables.files, tables.excluded, tables.missing)
    return (
        [sorted({(m.entry.text, m.entry.path) for m in table.search(x)}) for x in letters for table in names],
        [
            sorted((line, f.path, f.index) for line, f in tables.headings.search(x, 999, token))
            for x in letters
        ],
        [sorted((line, f.path, f.index) for line, f in tables.blocks.search(x, 999, token)) for x in letters],
        dict(tables.tags),
    )


def changes(seed: int) -> Iterator[Delta]:
    """Notes come, change and go."""
    random = Random(seed)
    there = {"a.md", "b.md"}
    for seq in range(1, 12):
        if random.random() < 0.3 and there:
            gone = random.choice(sorted(there))
            there.discard(gone)
            yield Delta(seq, gone=(NotePath(gone),))
            continue
        path = NotePath(f"{random.choice('abcd')}.md")
        there.add(path)
        word = random.choice(["Red", "Green", "Blue"])
        link = f"#{word.lower()} [[{word} miss]] [[{path}]]"
        text = f"---\naliases: [{word}]\n---\n# {word}\n{link}\n\nx ^{word}\n"
        yield Delta(seq, notes=(note_from(path, text),))


def test_tables_made_by_changes_equal_tables_made_from_scratch() -> None:
    for seed in range(5):
        view = build_view(scene(VAULT))
        contents(tables_of(view))
        for number, delta in enumerate(changes(seed)):
            view = view.apply(delta)
            if number % 3 != 1:  # Some views are never asked.
                assert contents(tables_of(view)) == contents(Tables(view))


def test_tables_are_made_once_for_a_view() -> None:
    view = build_view(scene(VAULT))
    prepare(view)

    assert tables_of(view) is tables_of(view)
    assert "notes" in vars(tables_of(view))


def test_other_exclusions_make_other_tables() -> None:
    view = build_view(scene(VAULT))
    prepare(view)
    shown = view.configured(Obsidian(ignore_filters=("a",)), Settings())

    assert contents(tables_of(shown)) == contents(Tables(shown))


def test_views_of_two_vaults_share_nothing() -> None:
    one, other = build_view(scene("//- a.md\n# One\n")), build_view(scene("//- b.md\n# Other\n"))
    assert [m.entry.text for m in tables_of(one).notes.search("a")] == ["a"]
    assert [m.entry.text for m in tables_of(other).notes.search("a")] == []


def test_an_empty_view_has_empty_tables() -> None:
    assert contents(tables_of(VaultView.build([]))) == contents(Tables(VaultView.build([])))


def test_a_haystack_finds_texts_that_hold_every_word() -> None:
    notes = [note_from(NotePath(f"{n}.md"), f"# Plan {n}\n\n## Garden plan\n") for n in range(3)]

    def texts(note: Note) -> list[str]:
        return [heading.text for heading in note.headings]

    hay = Haystack.of(notes, texts)
    token = CancelToken()

    assert [(line, found.path, found.index) for line, found in hay.search("PLAN gar", 99, token)] == [
        ("garden plan", "0.md", 1),
        ("garden plan", "1.md", 1),
        ("garden plan", "2.md", 1),
    ]
    assert len(hay.search("plan", 4, token)) == 4
    assert hay.search("zebra", 99, token) == []
    assert hay.search("  ", 99, token) == []


def test_a_haystack_is_made_again_when_much_has_changed() -> None:
    note = note_from(NotePath("a.md"), "# One\n")
    hay: Haystack | None = Haystack.of([note], lambda note: [heading.text for heading in note.headings])
    rounds = 0
    while hay is not None:
        hay = hay.changed([note], [note.path], lambda note: [heading.text for heading in note.headings])
        rounds += 1

    assert 10 < rounds < 1000
