"""However often indexing is killed, and wherever, the next run gives what a fresh build gives."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from knapper.base.settings import Settings
from knapper.index.local import bring_up_to_date
from tests.index.workshop import dump

# Kills itself, as `kill -9` would, when Python has called so many functions of ours.
_RUN_AND_DIE = """
import os, signal, sys
from pathlib import Path
from knapper.base.settings import Settings
from knapper.index.local import bring_up_to_date

left = int(sys.argv[2])
def count(frame, event, argument):
    global left
    if event in ("call", "c_return"):
        left -= 1
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
sys.setprofile(count)
bring_up_to_date(Path(sys.argv[1]), Settings())
"""

_NOTES = 60
_MOST_CALLS = 100_000
"""About as many as one first build makes."""

edits = st.lists(
    st.tuples(st.integers(0, _NOTES + 5), st.sampled_from(["write", "delete", "rename"]), st.integers(0, 99)),
    max_size=6,
)


@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(kills=st.lists(st.tuples(st.integers(1, _MOST_CALLS), edits), min_size=1, max_size=3))
@example(kills=[(15_000, []), (30_000, [(3, "write", 1)]), (2_000, [(4, "delete", 0), (5, "rename", 7)])])
def test_a_killed_build_continues_to_what_a_rebuild_gives(
    kills: list[tuple[int, list[tuple[int, str, int]]]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        (root / ".obsidian").mkdir(parents=True)
        for number in range(_NOTES):
            _write(root, number, number)
        for calls, changes in kills:
            _killed_after(calls, root, Path(folder) / "cache")
            for change in changes:
                _apply(root, *change)
        assert _index(root, Path(folder) / "cache") == _index(root, Path(folder) / "fresh")


def _killed_after(calls: int, root: Path, cache: Path) -> None:
    environment = {**os.environ, **_own(cache), "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", _RUN_AND_DIE, str(root), str(calls)], env=environment, check=False)


def _index(root: Path, cache: Path) -> dict[str, list[tuple[object, ...]]]:
    before = {name: os.environ.get(name) for name in _own(cache)}
    os.environ.update(_own(cache))
    try:
        return dump(bring_up_to_date(root, Settings()).database)
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _own(cache: Path) -> dict[str, str]:
    """Where Knapper keeps its files, on every system."""
    return {"HOME": str(cache), "XDG_CACHE_HOME": str(cache), "LOCALAPPDATA": str(cache)}


def _path(root: Path, number: int) -> Path:
    return root / f"folder {number % 7}" / f"Note {number}.md"


def _write(root: Path, number: int, seed: int) -> None:
    path = _path(root, number)
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        f"---\naliases: [A{seed}]\ntags: [t/{seed % 5}]\n---\n# Heading {seed}\n\n"
        f"See [[Note {seed + 1}]], ![[Note {seed + 2}#Heading {seed + 2}]] and [x](Note%20{seed}.md).\n\n"
        + f"A paragraph about {seed} things. ^block{seed}\n\n"
        * (1 + seed % 9),
        encoding="utf-8",
    )


def _apply(root: Path, number: int, what: str, seed: int) -> None:
    path = _path(root, number)
    if what == "write":
        _write(root, number, seed)
    elif path.exists() and what == "delete":
        path.unlink()
    elif path.exists():
        path.rename(path.with_name(f"Renamed {seed}.md"))
