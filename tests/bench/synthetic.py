"""Write a vault of any size whose every link has a known answer.

    python tests/bench/synthetic.py FOLDER NOTES [SEED]

Notes have names in several scripts, folders, twins, aliases, tags, headings, block ids and links of every
kind; a few notes are hubs that thousands link to. Beside FOLDER lies `FOLDER.truth.jsonl`: one line a link
`{source, line, text, target}`, lines from 1, target null where unresolved. Text in code is never in it.
"""

from __future__ import annotations

import json
import os
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

STEMS = (
    "amber anchor autumn bakery basalt beacon birch border bread bridge candle canyon cedar cellar"
    " chalk cipher cloud coast copper coral cotton crane creek crystal delta desert dough dune ember"
    " engine fabric falcon feather fern field flint forest garden glacier granite harbor harvest"
    " hollow honey island ivory juniper kettle lantern lavender ledger library linen magnet maple"
    " marble meadow mirror mortar mosaic nectar needle nickel oak obsidian ocean olive orbit orchard"
    " oven paper pebble pepper pigment pine plaster plough pollen quarry quartz quill rain reed resin"
    " ridge river rope saddle salt sand sapphire seed shale shore signal silk silver slate smoke"
    " spindle spruce starter stone summer thread thyme timber tower valley velvet walnut water wheel"
    " willow window winter wool yarrow yeast 読書 記録 庭 面包 星空 Привет Ångström"
).split()
VERBS = (
    "keeps carries holds meets follows turns shapes warms cools marks lifts joins breaks feeds guards".split()
)
TAGS = ("area/home", "area/work", "project/alpha", "project/beta", "idea", "読書", "todo-later", "book")


@dataclass
class Writer:
    """The vault being written, and what is known of it."""

    random: random.Random
    names: list[tuple[str, str]] = field(default_factory=list)  # folder and name
    truth: list[dict[str, object]] = field(default_factory=list)
    twins: dict[str, list[int]] = field(default_factory=dict)

    def path(self, index: int) -> str:
        folder, name = self.names[index]
        return f"{folder}/{name}.md" if folder else f"{name}.md"


def choose_names(writer: Writer, count: int) -> None:
    """Names for *count* notes in a tree of folders; about one in fifty has a twin elsewhere."""
    pick = writer.random
    folders = [""]
    while len(folders) < max(4, int(count**0.45)):
        above = pick.choice(folders)
        if above.count("/") < 3:
            folders.append(f"{above}/{pick.choice(STEMS)}".lstrip("/"))
    folders = list(dict.fromkeys(folders))
    seen: set[str] = set()
    while len(writer.names) < count:
        name = " ".join(pick.sample(STEMS, pick.choice((1, 2, 2, 3, 3, 4))))
        if writer.names and pick.random() < 0.02:
            name = pick.choice(writer.names)[1]
        folder = pick.choice(folders)
        if (folder + "/" + name).casefold() not in seen:
            seen.add((folder + "/" + name).casefold())
            writer.twins.setdefault(name.casefold(), []).append(len(writer.names))
            writer.names.append((folder, name))


def headings_of(index: int) -> list[str]:
    """The headings of note *index*, the same whenever they are asked for."""
    pick = random.Random(index * 7919 + 1)
    return [" ".join(pick.sample(STEMS[:100], 2)) for _ in range(pick.choice((0, 1, 2, 3, 5)))]


def link_to(writer: Writer, source: int, target: int | None) -> tuple[str, str | None]:
    """A link as somebody writes it, and the path it leads to."""
    pick = writer.random
    if target is None:
        return f"[[missing {pick.choice(STEMS)} {pick.randrange(10**6)}]]", None
    folder, name = writer.names[target]
    unique = len(writer.twins[name.casefold()]) == 1
    written = name if unique else f"{folder}/{name}".lstrip("/") if folder else f"/{name}"
    chance = pick.random()
    if chance < 0.08:
        start = writer.names[source][0] or "."
        away = os.path.relpath(writer.path(target), start)
        away = away if away.startswith("..") else "./" + away
        return f"[{name}]({quote(away)})", writer.path(target)
    headings = headings_of(target)
    if chance < 0.18 and headings:
        written += "#" + pick.choice(headings)
    if chance > 0.85:
        written += "|" + pick.choice(STEMS)
    embed = "!" if chance > 0.97 else ""
    return f"{embed}[[{written}]]", writer.path(target)


def sentence(pick: random.Random) -> str:
    """A sentence: `The amber harbor keeps a linen oven near the river.` is one."""
    words = pick.sample(STEMS[:130], 4)
    return f"The {words[0]} {words[1]} {pick.choice(VERBS)} a {words[2]} near the {words[3]}."


def a_target(pick: random.Random, hubs: list[int], count: int) -> int:
    """Any note; the first hub gets a quarter of all links, the other hubs a tenth."""
    chance = pick.random()
    if chance < 0.25:
        return hubs[0]
    return pick.choice(hubs) if chance < 0.35 else pick.randrange(count)


def write_note(writer: Writer, index: int, hubs: list[int]) -> str:
    """The text of note *index*; its links are added to the truth."""
    pick, lines = writer.random, []
    if pick.random() < 0.4:
        lines += [
            "---",
            f"tags: [{', '.join(pick.sample(TAGS, 2))}]",
            f"aliases: [{pick.choice(STEMS)} {index}]",
            "---",
            "",
        ]
    for heading in headings_of(index):
        lines += ["#" * pick.choice((1, 2, 2, 3)) + " " + heading, ""]
    for _ in range(max(1, min(40, int(pick.lognormvariate(1.0, 0.9))))):
        lines += [" ".join(sentence(pick) for _ in range(pick.randint(1, 6))), ""]
    if pick.random() < 0.05:
        lines += ["```", "[[not a link]] #nottag", "```", ""]
    for _ in range(min(300, int(pick.paretovariate(1.2)))):
        target = a_target(pick, hubs, len(writer.names))
        text, path = link_to(writer, index, None if pick.random() < 0.05 else target)
        lines += [f"{pick.choice(('- ', 'See ', '> ', ''))}{text} and more.", ""]
        writer.truth.append(
            {"source": writer.path(index), "line": len(lines) - 1, "text": text, "target": path}
        )
    return "\n".join(lines)


def write_vault(folder: Path, count: int, seed: int = 7) -> None:
    """Write *count* notes below *folder* and the truth beside it."""
    writer = Writer(random.Random(seed))
    choose_names(writer, count)
    hubs = list(range(0, count, max(1, count // 5)))[:5]
    (folder / ".obsidian").mkdir(parents=True, exist_ok=True)
    for index in range(count):
        path = folder / writer.path(index)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(write_note(writer, index, hubs).encode())
    truth = folder.with_name(folder.name + ".truth.jsonl")
    truth.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in writer.truth), "utf-8")


if __name__ == "__main__":
    write_vault(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 7)
