"""Every file of a vault by its folded name: what a link is looked up in.

Knows which files there are; must not know what a link means (`resolve`) or what stands in a note.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from knapper.vault.paths import NotePath, key, name_of
from knapper.vault.persistent import PersistentMap


@dataclass(frozen=True, slots=True)
class _Namesakes:
    """Files with one name: by length of the path, then by folded path; and by folded path.

    A vault may hold thousands of `README.md`; the map answers for a full path without going through them.
    """

    paths: tuple[NotePath, ...]
    by_path: dict[str, tuple[NotePath, ...]]


# Nearly every name is unique; a bare path then costs no object.
_Bucket = NotePath | _Namesakes


@dataclass(frozen=True, slots=True)
class Names:
    """The files of a vault, immutable. Names compare by `paths.key`."""

    _buckets: PersistentMap[str, _Bucket]
    _count: int = 0

    @classmethod
    def of(cls, paths: Iterable[NotePath]) -> Self:
        """The names of these files."""
        return cls(PersistentMap()).with_changes(paths)

    def with_changes(self, added: Iterable[NotePath], gone: Iterable[NotePath] = ()) -> Self:
        """These names without the files *gone* and then with those *added*."""
        touched: dict[str, set[NotePath]] = {}
        for path in gone:
            self._touch(touched, path).discard(path)
        for path in added:
            self._touch(touched, path).add(path)
        count, put, drop = self._count, dict[str, _Bucket](), list[str]()
        for name, paths in touched.items():
            count += len(paths) - len(self.paths_named(name))
            if paths:
                put[name] = _bucket(paths)
            else:
                drop.append(name)
        return type(self)(self._buckets.with_changes(put, drop), count)

    def changed_since(self, other: Names) -> tuple[set[NotePath], set[NotePath]]:
        """The files that came and those that went since *other*; what the two share is not looked at."""
        came, went = set[NotePath](), set[NotePath]()
        for name in self._buckets.changed_since(other._buckets):
            here, there = set(self.paths_named(name)), set(other.paths_named(name))
            came |= here - there
            went |= there - here
        return came, went

    def _touch(self, touched: dict[str, set[NotePath]], path: NotePath) -> set[NotePath]:
        name = key(name_of(path))
        if name not in touched:
            touched[name] = set(self.paths_named(name))
        return touched[name]

    def paths_named(self, name: str) -> tuple[NotePath, ...]:
        """The files with this folded file name (`note.md`), the shortest path first."""
        bucket = self._buckets.get(name)
        if bucket is None:
            return ()
        return bucket.paths if isinstance(bucket, _Namesakes) else (bucket,)

    def paths_at(self, folded: str) -> tuple[NotePath, ...]:
        """The files whose folded path this is: several only where paths differ in case alone."""
        bucket = self._buckets.get(name_of(folded))
        if bucket is None:
            return ()
        if isinstance(bucket, _Namesakes):
            return bucket.by_path.get(folded, ())
        return (bucket,) if key(bucket) == folded else ()

    def exact(self, path: str) -> NotePath | None:
        """The file at *path*, spelled so or, failing that, in another case or normal form."""
        found = self.paths_at(key(path))
        return NotePath(path) if path in found else next(iter(found), None)

    def has(self, path: str) -> bool:
        """Whether there is a file spelled exactly so."""
        return path in self.paths_at(key(path))

    def is_unique(self, path: str) -> bool:
        """Whether no other file has the name of *path*."""
        return all(other == path for other in self.paths_named(key(name_of(path))))

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.has(path)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[NotePath]:
        for bucket in self._buckets.values():
            if isinstance(bucket, _Namesakes):
                yield from bucket.paths
            else:
                yield bucket


def _bucket(paths: set[NotePath]) -> _Bucket:
    if len(paths) == 1:
        return next(iter(paths))
    folded = {path: key(path) for path in paths}
    ordered = tuple(sorted(paths, key=lambda path: (len(path), folded[path], path)))
    by_path: dict[str, tuple[NotePath, ...]] = {}
    for path in ordered:
        by_path[folded[path]] = (*by_path.get(folded[path], ()), path)
    return _Namesakes(ordered, by_path)
