"""Measure the vault's memory through the real server and print one table: the second half of `make bench`.

    python tests/bench/search.py [--passages 10000,50000] [--sample 1200] [--data FOLDER]

The first column embeds a sample for real, with the packaged model: passages and tokens a second, the memory
of the index process, and typing meanwhile against typing when all is done. The others ask in larger vaults,
whose vectors are derived quickly and not by the model (`filling.py`); what is asked is embedded by the model
all the same. FOLDER is a vault to be copied for the sample. Milliseconds are medians and 95th percentiles of
round trips as a client sees them; figures of one run compare with each other.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from knapper.base.settings import read_settings
from knapper.index.local import bring_up_to_date
from knapper.models.choice import EmbedderChoice
from knapper.models.embedder import FastEmbedder, load_embedder
from knapper.search.passage import PASSAGE_VERSION
from tests.bench.bench import Row, Session, percentiles
from tests.bench.client import Client
from tests.bench.filling import embedded_texts, fill
from tests.bench.synthetic import STEMS, VERBS, write_vault
from tests.model import lay_out_model

PASSAGES_A_NOTE = 1.3
"""About so many passages has a note of a vault that is written here."""
ROUNDS = 60
LENSES = 15
BURSTS, KEYSTROKES = 20, 5
PAUSE = 1.5
"""After so many seconds without a keystroke embedding has begun again."""


def some_queries() -> list[str]:
    """Two to six words each, as a person types them; but each of them stands in thousands of passages."""
    pick = random.Random(0)
    return [" ".join(pick.choices(STEMS[:80] + VERBS, k=pick.randint(2, 6))) for _ in range(ROUNDS)]


def options(model: Path | None) -> dict[str, Any]:
    """The settings of a session: search by meaning with *model*, or none."""
    embeddings = {"enabled": model is not None, "model": str(model or "")}
    return {"embeddings": embeddings, "index": {"location": "vault"}}


def wait(look: Callable[[], Any], seconds: float = 600, every: float = 0.1) -> Any:
    """What *look* gives, once it gives something."""
    end = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > end:
            raise TimeoutError("It never came.")
        time.sleep(every)
    return found


def all_embedded(client: Client) -> bool:
    """Whether every passage has its vector and the model is there to embed a query."""
    status = client.request("knapper/status", {})
    return status["state"] == "ready" and status["model"] and status["embedded"] == status["chunks"] > 0


# --- a sample, embedded for real ---


class Peak:
    """The memory of the index process."""

    def __init__(self, client: Client) -> None:
        (self._process,) = psutil.Process(client.process.pid).children(recursive=True)
        self.before = self._process.memory_info().rss

    def most(self) -> int:
        """The most bytes it has ever had in memory; where the system does not tell, those it has now."""
        try:
            said = Path(f"/proc/{self._process.pid}/status").read_text("ascii", "replace")
            return int(said.partition("VmHWM:")[2].split()[0]) * 1024
        except (OSError, IndexError):
            return self._process.memory_info().rss


def embedding_speed(client: Client, texts: Sequence[str], model: FastEmbedder, until: float) -> Row:
    """Passages and tokens a second while nobody types, until that part of all is done."""

    def embedded() -> int:
        return client.request("knapper/status", {})["embedded"]

    begun, start = wait(embedded, every=0.02), time.perf_counter()
    wait(lambda: embedded() >= until * len(texts), every=0.25)
    done, seconds = embedded() - begun, time.perf_counter() - start
    tokens = statistics.mean(sum(model.lengths(model.windows(text))) for text in texts)
    return {
        "tokens of a passage": f"{tokens:.0f}",
        "embedded, passages a second": f"{done / seconds:.1f}",
        "embedded, tokens a second": f"{done / seconds * tokens:.0f}",
    }


def typing(session: Session) -> tuple[list[float], list[float]]:
    """Round trips of a keystroke and its completion, in bursts with pauses in which embedding goes on.

    All of them, and the first of each burst alone: it finds a run of the model at work, which then stops.
    """
    times = []
    for _ in range(BURSTS):
        time.sleep(PAUSE)
        times += [session.completion() for _ in range(KEYSTROKES)]
    return times, times[::KEYSTROKES]


def write_sample(root: Path, notes: int, data: Path | None) -> list[dict[str, Any]]:
    """A vault of so many notes, or a copy of *data*; the links in it, for the session that types."""
    if data is None:
        write_vault(root, notes)
        truth = root.with_name(root.name + ".truth.jsonl").open(encoding="utf-8")
        return [json.loads(line) for line in truth]
    shutil.copytree(data, root)
    (root / ".obsidian").mkdir(exist_ok=True)
    return [{"source": "", "line": 1, "text": "[[", "target": "none"}]


def measure_embedding(folder: Path, model: Path, passages: int, data: Path | None) -> Row:
    """The column of the sample."""
    root = folder / "sample"
    truth = write_sample(root, int(passages / PASSAGES_A_NOTE), data)
    database = indexed(root)
    texts = embedded_texts(database)
    with Client(root, folder / "home") as client:
        client.initialize(options(model))
        session, peak = Session(client, truth), Peak(client)
        row = {"passages": f"{len(texts):,}", "vectors": "of the model"}
        row |= embedding_speed(client, texts, load(model), until=0.5)
        meanwhile = typing(session)
        left = not all_embedded(client)
        wait(lambda: all_embedded(client))
        most, idle = peak.most(), typing(session)
        return row | {
            "index process, peak while embedding": f"{most / 1e6:.0f} MB",
            "index process, with nothing loaded": f"{peak.before / 1e6:.0f} MB",
            **compared("keystroke and completion", meanwhile[0], idle[0]),
            **compared("first keystroke after a pause", meanwhile[1], idle[1]),
            "embedding all the while": "yes" if left else "no, it ended too soon",
        }


def compared(name: str, meanwhile: Sequence[float], idle: Sequence[float]) -> Row:
    """Times with nothing else at work, while embedding, and how many times as long that is."""
    ratio = statistics.median(meanwhile) / statistics.median(idle)
    return {
        f"{name}, ms": percentiles(list(idle)),
        f"{name}, while embedding": f"{percentiles(list(meanwhile))} = {ratio:.2f} x",
    }


# --- questions in a large vault ---


def write_large_vault(root: Path, passages: int) -> list[str]:
    """A vault of about so many passages, whose notes hold rare words too, as any do; the paths of all."""
    write_vault(root, int(passages / PASSAGES_A_NOTE))
    pick, paths = random.Random(2), []
    for path in sorted(root.rglob("*.md")):
        # As often as the words of a language: the tenth one a tenth as often as the first.
        rare = (f"{pick.choice(STEMS[:80])}{int(pick.paretovariate(0.5)) % 50_000}" for _ in range(12))
        path.write_text(f"{path.read_text('utf-8')}\nOf {' '.join(rare)}.\n", "utf-8")
        paths.append(path.relative_to(root).as_posix())
    return paths


def searches(client: Client, mode: str, *, explain: bool = False) -> str:
    """The times of searches in a mode; says so if a vector of a query came too late and words answered."""
    times, late = [], 0
    for query in some_queries():
        asked = {"query": query, "mode": mode, "explain": explain}
        answer, took = client.timed("knapper/search", asked)
        times.append(took)
        late += any("full text" in said for said in answer["remarks"])
    return percentiles(times) + (f" ({late} by words alone)" if late else "")


def related(client: Client, paths: Sequence[str]) -> str:
    """The times of `knapper/related`, and how many notes it gave on average."""
    answers = [client.timed("knapper/related", {"uri": client.uri(path)}) for path in paths]
    found = statistics.mean(len(answer["items"]) for answer, _ in answers)
    return f"{percentiles([took for _, took in answers])} ({found:.0f} notes)"


def lens(client: Client, path: str) -> float | None:
    """The milliseconds from opening a note to the lens that names related notes; None if there are none."""
    uri = client.uri(path)
    start = time.perf_counter()
    client.open(path, (client.root / path).read_text("utf-8"))

    def shown() -> bool:
        found = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        return any(it["command"]["command"] == "knapper.related" for it in found)

    try:
        wait(shown, seconds=2, every=0.005)
    except TimeoutError:
        return None
    took = (time.perf_counter() - start) * 1000
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    return took


def questions(client: Client, paths: Sequence[str]) -> Row:
    """All that is asked of a vault with vectors."""
    first = client.timed("knapper/search", {"query": "amber harbor", "mode": "semantic"})[1]
    row = {"first search by meaning, ms": f"{first:.0f}"}
    client.timed("knapper/related", {"uri": client.uri(paths[0])})
    for mode in ("text", "semantic", "hybrid"):
        row[f"search, {mode}, ms"] = searches(client, mode)
    row["  hybrid with explain, ms"] = searches(client, "hybrid", explain=True)
    row["related notes, ms"] = related(client, paths)
    lenses = [took for path in paths[:LENSES] if (took := lens(client, path)) is not None]
    row["opening a note to its lens, ms"] = percentiles(lenses) if lenses else "none"
    server = psutil.Process(client.process.pid)
    row["memory, server"] = f"{server.memory_info().rss / 1e6:.0f} MB"
    row["memory, index process"] = f"{sum(c.memory_info().rss for c in server.children()) / 1e6:.0f} MB"
    return row


def measure_questions(folder: Path, model: Path, passages: int) -> Row:
    """The column of a vault of about so many passages."""
    root = folder / f"vault{passages}"
    paths = random.Random(1).sample(write_large_vault(root, passages), ROUNDS)
    database, loaded = indexed(root), load(model)
    count = fill(database, EmbedderChoice(str(model)), loaded.fingerprint, loaded.dimensions)
    row = {"passages": f"{count:,}", "vectors": "derived"}
    with Client(root, folder / "home") as client:
        client.initialize(options(model))
        wait(lambda: all_embedded(client))
        row |= questions(client, paths)
    with Client(root, folder / "home") as client:
        client.initialize(options(None))
        client.wait_until_ready()
        client.timed("knapper/related", {"uri": client.uri(paths[0])})
        row["related notes by words, ms"] = related(client, paths)
    shutil.rmtree(root)
    return row


def indexed(root: Path) -> Path:
    """The index of the vault, made now."""
    settings, _ = read_settings([{"index.location": "vault", "embeddings.enabled": False}])
    return bring_up_to_date(root, settings).database


def load(model: Path) -> FastEmbedder:
    """The model, in this process."""
    return load_embedder(EmbedderChoice(str(model)), PASSAGE_VERSION)


def table(columns: Sequence[Row]) -> str:
    """A Markdown table: a row a figure, a column a vault."""
    names = dict.fromkeys(name for row in columns for name in row)
    lines = ["| | " + " | ".join(row["passages"] + " passages" for row in columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    lines += [
        "| " + " | ".join([name, *(row.get(name, "") for row in columns)]) + " |"
        for name in names
        if name != "passages"
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure the sample, then the sizes asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--passages", default="10000,50000", help="sizes of the vaults, about")
    parser.add_argument("--sample", type=int, default=1200, help="passages that are embedded for real, about")
    parser.add_argument("--data", type=Path, help="a vault to be copied and embedded instead of the sample")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="knapper-bench-") as name:
        folder = Path(name)
        (folder / "home").mkdir()
        for kind in ("CACHE", "STATE", "DATA", "CONFIG"):
            os.environ[f"XDG_{kind}_HOME"] = str(folder / "home" / f"xdg_{kind.lower()}_home")
        model = lay_out_model(folder / "model")
        print("embedding a sample …", file=sys.stderr)
        columns = [measure_embedding(folder, model, asked.sample, asked.data)]
        for size in (int(size) for size in asked.passages.split(",") if size):
            print(f"measuring {size:,} passages …", file=sys.stderr)
            columns.append(measure_questions(folder, model, size))
    print(table(columns))


if __name__ == "__main__":
    main()
