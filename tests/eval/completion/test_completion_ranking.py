"""How high the item a person means stands after a few letters, in the example vault.

Each line of TRUTH is a note, what is typed in it, and the label that is meant. The mean reciprocal rank is
1.0 if every one comes first; below the bound the change that caused it made completion worse.
"""

from pathlib import Path

from knapper.base.cancel import CancelToken
from knapper.ide.completion.complete import complete
from knapper.text.lines import Text
from knapper.vault.paths import NotePath
from tests.scene import Scene, host_of

VAULT = Path(__file__).parents[3] / "examples" / "vault"
BOUND = 0.9

TRUTH = """
Start here.md            | [[bre          | Bread
Start here.md            | [[rye          | Rye loaf
Start here.md            | [[schw         | Schwarzbrot
Start here.md            | [[tomas        | Tomás
Start here.md            | [[rep caf      | Repair café
Start here.md            | [[mnok         | Maren Okafor
Start here.md            | [[hive         | hive plan
Start here.md            | [[v1.2         | v1.2 hive design
Start here.md            | [[sky/log      | Log
Start here.md            | [[bees/sw      | Swarming
Start here.md            | [[soup twenty  | Soup for twenty
Start here.md            | [[jaim         | Jupiter and its moons
Start here.md            | [[moons        | Jupiter and its moons
Start here.md            | [[味           | 味噌
Start here.md            | [[10-05        | 2025-10-05
Kitchen/Bread.md         | [[star         | Sourdough starter
Kitchen/Bread.md         | [[lev          | Levain
Kitchen/Bread.md         | [[oven         | Wood oven
Kitchen/Bread.md         | [[old bread    | Old bread notes
Garden/Compost.md        | [[log          | Log
Garden/Compost.md        | [[slu          | Slugs
Garden/Compost.md        | [[rotation     | Crop rotation
Sky/Perseids 2025.md     | [[dark         | Dark adaptation
Sky/Perseids 2025.md     | [[tele         | Telescope
Bees/Varroa.md           | [[##count      | Counting
Bees/Varroa.md           | [[##red li     | Red light
Bees/Varroa.md           | [[##feed       | Feeding
Bees/Varroa.md           | [[Bread#wrong  | What went wrong
Bees/Varroa.md           | [[Miso#仕      | 仕込み: putting it up
Bees/Varroa.md           | #ferm          | #kitchen/ferments
Bees/Varroa.md           | #rec           | #recipe
Bees/Varroa.md           | #bees/         | #bees/health
"""


def rank(files: dict[NotePath, str], path: NotePath, typed: str, label: str) -> int | None:
    """The rank from 1 of *label* after *typed* at the end of the note, None if it is missing."""
    host = host_of(Scene(files, (path, 0)))
    content = files[path] + "\n\n" + typed
    host.change(path, 2, [(None, content)])
    found = complete(host.snapshot(), path, len(Text(content)), CancelToken())
    labels = [item.label for item in found.items]
    return labels.index(label) + 1 if label in labels else None


def test_what_is_meant_stands_high_in_the_list() -> None:
    files = {
        NotePath(file.relative_to(VAULT).as_posix()): file.read_text(encoding="utf-8")
        if file.suffix in {".md", ".json", ".canvas"}
        else ""
        for file in sorted(VAULT.rglob("*"))
        if file.is_file()
    }
    rows = [[cell.strip() for cell in line.split("|")] for line in TRUTH.strip().split("\n")]
    ranks = {(path, typed, label): rank(files, NotePath(path), typed, label) for path, typed, label in rows}
    late = {row: found for row, found in ranks.items() if found != 1}
    print(f"not first: {late}")

    mean = sum(1 / found for found in ranks.values() if found) / len(ranks)

    assert mean >= BOUND, late
