"""One process: the bare block parse of a vault's text, then a cold index, then a warm one.

    python tests/bench/cold.py ROOT

Prints one JSON object, times in seconds. The bare parse is `markdown-it-py` with its block rules alone
(CommonMark and tables) over the same text, in this same process, so that the ratio means something on a
busy machine. It is taken before and after the cold index, and the mean counts.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

from markdown_it import MarkdownIt

from knapper.base.cancel import CancelToken
from knapper.base.collector import no_collection
from knapper.base.progress import silent
from knapper.base.settings import Settings
from knapper.index.local import bring_up_to_date
from knapper.store.reader import Reader
from knapper.vault.obsidian import Obsidian
from knapper.vault.view import VaultView


def bare_parse(texts: list[str]) -> float:
    """Seconds that the block rules alone take over *texts*."""
    markdown = MarkdownIt("commonmark").enable("table")
    markdown.core.ruler.enableOnly(["normalize", "block"])
    start = time.perf_counter()
    for text in texts:
        markdown.parse(text)
    return time.perf_counter() - start


def index(root: Path) -> tuple[float, dict[str, float], float]:
    """Seconds to bring the index up to date, split by phase, and to load it as the server does."""
    start = time.perf_counter()
    local = bring_up_to_date(root, Settings(), silent, CancelToken())
    done = time.perf_counter()
    reader = Reader(local.database, "")
    with no_collection():  # As the server does it.
        loaded = reader.load()
        VaultView.build(loaded.notes, loaded.files, Obsidian(), Settings(), seq=loaded.seq)
    reader.close()
    return done - start, dict(local.phases), time.perf_counter() - done


def main() -> None:
    root = Path(sys.argv[1])
    texts = [path.read_text("utf-8") for path in sorted(root.rglob("*.md"))]
    before = bare_parse(texts)
    cold, phases, load = index(root)
    after = bare_parse(texts)
    warm, _, warm_load = index(root)
    characters = sum(map(len, texts))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            {
                "characters": characters,
                "bare": (before + after) / 2,
                "cold": cold,
                "phases": phases,
                "load": load,
                "warm": warm + warm_load,
                "peak_mb": peak,
            }
        )
    )


if __name__ == "__main__":
    main()
