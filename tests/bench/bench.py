"""Measure Knapper and print one table: `make bench`.

    python tests/bench/bench.py [--sizes 1000,10000,50000] [--data FOLDER]

For every size a vault is written (or FOLDER is copied and used) and measured: a cold index against the bare
block parse of the same text, a warm start, then the real server over stdio, idle and while it indexes.
Milliseconds are medians and 95th percentiles of round trips as a client sees them. Figures of one run
compare with each other; between runs and machines only the ratios do.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.client import Client
from tests.bench.synthetic import write_vault

Row = dict[str, str]
ROUNDS = 60


def percentiles(times: list[float]) -> str:
    """`p50 / p95` of *times*."""
    ordered = sorted(times)
    return f"{statistics.median(ordered):.1f} / {ordered[int(len(ordered) * 0.95)]:.1f}"


def measure_index(root: Path, env: dict[str, str]) -> Row:
    """Cold and warm, in a process of their own."""
    script = Path(__file__).with_name("cold.py")
    done = subprocess.run(
        [sys.executable, str(script), str(root)], env=env, check=True, capture_output=True, text=True
    )
    got = json.loads(done.stdout.rpartition('{"characters')[1] + done.stdout.rpartition('{"characters')[2])
    bare = got["bare"]
    row = {
        "text": f"{got['characters'] / 1e6:.1f} M characters",
        "bare block parse": f"{bare:.1f} s",
        "cold index": f"{got['cold']:.1f} s = {got['cold'] / bare:.2f} x bare",
    }
    row |= {f"  of it {name}": f"{seconds / bare:.2f} x bare" for name, seconds in got["phases"].items()}
    row["warm start"] = f"{got['warm']:.2f} s = {got['warm'] / got['cold']:.3f} x cold"
    row["  of it load"] = f"{got['load']:.2f} s"
    row["peak memory, one process"] = f"{got['peak_mb']:.0f} MB"
    return row


class Session:
    """A running server on a vault, with one note open for typing in."""

    DRAFT = "bench draft.md"

    def __init__(self, client: Client, truth: list[dict[str, Any]]) -> None:
        self.client = client
        self.random = random.Random(5)
        self.truth = [row for row in truth if row["target"] and row["text"].startswith("[[")]
        self.hub = max({row["target"] for row in self.truth}, key=self._degrees().__getitem__)
        self.text = "# Draft\n\nSee [[]]\n\n## Part\n\n" + "Some words. " * 200 + "\n"
        (client.root / self.DRAFT).write_text(self.text, "utf-8")
        client.open(self.DRAFT, self.text)
        client.wait_until_ready()

    def _degrees(self) -> dict[str, int]:
        degrees: dict[str, int] = {}
        for row in self.truth:
            degrees[row["target"]] = degrees.get(row["target"], 0) + 1
        return degrees

    def here(self, line: int, character: int, path: str | None = None) -> dict[str, Any]:
        uri = self.client.uri(path or self.DRAFT)
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    def completion(self) -> float:
        """Type one letter between the brackets, ask, and take it back."""
        typed = self.random.choice("abcdefghijklmnopqrstuvw")
        self.client.type(self.DRAFT, 2, 6, typed)
        _, took = self.client.timed("textDocument/completion", self.here(2, 7))
        self.take_back(2, 6)
        return took

    def take_back(self, line: int, character: int) -> None:
        """Delete the character after a position."""
        self.client.version += 1
        start, end = {"line": line, "character": character}, {"line": line, "character": character + 1}
        change = {"range": {"start": start, "end": end}, "text": ""}
        document = {"uri": self.client.uri(self.DRAFT), "version": self.client.version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})

    def at_link(self, row: dict[str, Any]) -> dict[str, Any]:
        """The position of a link on disk: its line is searched, as an editor's cursor would be there."""
        line = row["line"] - 1
        text = (self.client.root / row["source"]).read_text("utf-8").split("\n")[line]
        return self.here(line, text.index(row["text"]) + 3, row["source"])

    def asked(self, method: str, rows: list[dict[str, Any]]) -> list[float]:
        extra = {"context": {"includeDeclaration": False}} if method.endswith("references") else {}
        return [self.client.timed(method, self.at_link(row) | extra)[1] for row in rows]

    def keystroke_to_diagnostics(self) -> float:
        """From a keystroke that breaks a link to the diagnostics that say so."""
        while not self.client.diagnostics.empty():
            self.client.diagnostics.get()
        start = time.perf_counter()
        self.client.type(self.DRAFT, 2, 6, "q")
        reply = self.client.diagnostics.get(timeout=30)
        self.take_back(2, 6)
        self.client.diagnostics.get(timeout=30)
        return (reply.at - start) * 1000


def repeat(measure: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """The times of *rounds* calls, after three that warm up."""
    for _ in range(3):
        measure()
    return [measure() for _ in range(rounds)]


def measure_typing(session: Session) -> Row:
    """What a person waits for while typing and reading."""
    rows = session.random.sample(session.truth, min(ROUNDS, len(session.truth)))
    to_hub = [row for row in session.truth if row["target"] == session.hub and "#" not in row["text"]][:10]
    return {
        "completion ms": percentiles(repeat(session.completion)),
        "definition ms": percentiles(session.asked("textDocument/definition", rows)),
        "hover ms": percentiles(session.asked("textDocument/hover", rows)),
        "references ms": percentiles(session.asked("textDocument/references", rows)),
        "references of the hub ms": percentiles(session.asked("textDocument/references", to_hub)),
        "keystroke to diagnostics ms": percentiles(repeat(session.keystroke_to_diagnostics, 20)),
    }


@contextlib.contextmanager
def indexing(session: Session) -> Iterator[None]:
    """Keep the index process busy: it builds the index anew."""
    session.client.request("knapper/rebuild", {})
    yield
    session.client.wait_until_ready()


def memory(client: Client) -> Row:
    """Resident memory of the server and of its index process."""
    server = psutil.Process(client.process.pid)
    children = server.children(recursive=True)
    return {
        "memory, server": f"{server.memory_info().rss / 2**20:.0f} MB",
        "memory, index process": f"{sum(c.memory_info().rss for c in children) / 2**20:.0f} MB",
    }


def measure_server(root: Path, home: Path) -> Row:
    """The real server, on the index that lies there from before."""
    truth = [json.loads(line) for line in root.with_name(root.name + ".truth.jsonl").open(encoding="utf-8")]
    start = time.perf_counter()
    with Client(root, home) as client:
        client.initialize()
        answered = time.perf_counter() - start
        client.wait_until_ready()
        ready = time.perf_counter() - start
        session = Session(client, truth)
        row = {"server answers initialize": f"{answered:.2f} s", "server is ready, warm": f"{ready:.2f} s"}
        row["links to the hub"] = str(session._degrees()[session.hub])
        row |= measure_typing(session) | memory(client)
        with indexing(session):
            row |= {f"{name}, indexing": value for name, value in measure_typing(session).items()}
        return row | {f"{name}, after a rebuild": value for name, value in memory(client).items()}


def measure(count: int, folder: Path) -> Row:
    """All figures of a vault of *count* notes."""
    root, home = folder / f"vault{count}", folder / f"home{count}"
    home.mkdir()
    write_vault(root, count)
    env = {**os.environ}
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        env[name] = str(home / name.lower())
    row = measure_index(root, env) | measure_server(root, home)
    shutil.rmtree(root)
    return row


def table(columns: dict[int, Row]) -> str:
    """A Markdown table: a row a figure, a column a size."""
    names = list(next(iter(columns.values())))
    lines = ["| | " + " | ".join(f"{count:,} notes" for count in columns) + " |"]
    lines.append("|---" * (len(columns) + 1) + "|")
    lines += [
        "| " + " | ".join([name, *(row.get(name, "") for row in columns.values())]) + " |" for name in names
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,50000")
    options = parser.parse_args()
    columns = {}
    with tempfile.TemporaryDirectory(prefix="knapper-bench-") as folder:
        for size in map(int, options.sizes.split(",")):
            print(f"measuring {size:,} notes …", file=sys.stderr)
            columns[size] = measure(size, Path(folder))
    print(table(columns))


if __name__ == "__main__":
    main()
