"""Which folders a workspace without a marker of its own leaves out: what git ignores, and node_modules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pathspec import GitIgnoreSpec

from knapper.index.plain import read_plain
from knapper.index.vaults import has_marker

_MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Ignored:
    """The `.gitignore` files that hold for a folder, each with how many characters of a path it does not see.

    A vault that says itself that it is one (`.obsidian`) leaves out nothing: its `specs` are None.
    """

    specs: tuple[tuple[int, str, GitIgnoreSpec], ...] | None

    @classmethod
    def of(cls, root: Path) -> Self:
        """What holds at the root of a workspace, from the folders above it up to git's own."""
        if has_marker(root):
            return cls(None)
        above: list[Path] = []
        if not (root / ".git").exists():
            for parent in root.parents:
                above.append(parent)
                if (parent / ".git").exists():
                    break
            else:
                above = []
        found = ((folder, _spec(folder / ".gitignore")) for folder in reversed(above))
        return cls(
            tuple((0, root.relative_to(folder).as_posix() + "/", spec) for folder, spec in found if spec)
        )

    def within(self, path: str, disk: str) -> Ignored:
        """What holds in the folder *path*, which lies at *disk*."""
        if self.specs is None:
            return self
        spec = _spec(Path(disk) / ".gitignore")
        return Ignored((*self.specs, (len(path) + 1 if path else 0, "", spec))) if spec else self

    def folder(self, path: str) -> bool:
        """Whether the folder *path* is left out. The innermost file that says anything decides."""
        if self.specs is None:
            return False
        if path.rpartition("/")[2] == "node_modules":
            return True
        for skipped, prefix, spec in reversed(self.specs):
            said = spec.check_file(f"{prefix}{path[skipped:]}/").include
            if said is not None:
                return said
        return False


def _spec(path: Path) -> GitIgnoreSpec | None:
    try:
        lines = read_plain(path, _MOST_BYTES).decode("utf-8", "replace").split("\n")
        return GitIgnoreSpec.from_lines(lines)
    except (OSError, ValueError):
        return None
