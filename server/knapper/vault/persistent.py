"""An immutable map that is cheap to change: a change copies a few small dicts and shares the rest.

Knows nothing of notes. Equal to any mapping with the same items; the order of iteration means nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Self, TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")
P = TypeVar("P", bound=str)

# A change copies one shard (about a microsecond for this many items) and the tuple of shards.
_FULL = 128


class PersistentMap(Mapping[K, V]):
    """A mapping whose items lie in shards by their hash. Reading costs one look-up more than a dict."""

    __slots__ = ("__weakref__", "_mask", "_shards", "_size")

    def __init__(self, items: Mapping[K, V] | Iterable[tuple[K, V]] = ()) -> None:
        given = dict(items)
        shards: list[dict[K, V]] = [{} for _ in range(_shards_for(len(given)))]
        mask = len(shards) - 1
        for item_key, value in given.items():
            shards[hash(item_key) & mask][item_key] = value
        self._fill(tuple(shards), len(given))

    def _fill(self, shards: tuple[dict[K, V], ...], size: int) -> None:
        self._shards = shards
        self._mask = len(shards) - 1
        self._size = size

    def __getitem__(self, item_key: K) -> V:
        return self._shards[hash(item_key) & self._mask][item_key]

    def __contains__(self, item_key: object) -> bool:
        return item_key in self._shards[hash(item_key) & self._mask]

    @overload
    def get(self, item_key: K, /) -> V | None: ...
    @overload
    def get(self, item_key: K, /, default: V | D) -> V | D: ...
    def get(self, item_key: K, /, default: V | D | None = None) -> V | D | None:
        """The value of *item_key*, or *default*."""
        return self._shards[hash(item_key) & self._mask].get(item_key, default)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[K]:
        for shard in self._shards:
            yield from shard

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Mapping) or len(other) != self._size:
            return False
        missing = object()
        return all(other.get(item_key, missing) == self[item_key] for item_key in self)

    __hash__ = None  # type: ignore[assignment]  # Like a dict's: the values need not be hashable.

    def __repr__(self) -> str:
        return f"PersistentMap({dict(self.items())!r})"

    def with_changes(self, put: Mapping[K, V], drop: Iterable[K] = ()) -> Self:
        """A map without the keys *drop* and then with the items *put*; nothing else is copied."""
        dropped = [item_key for item_key in drop if item_key in self and item_key not in put]
        if not put and not dropped:
            return self
        shards, owned = list(self._shards), set[int]()

        def own(item_key: K) -> dict[K, V]:
            index = hash(item_key) & self._mask
            if index not in owned:
                owned.add(index)
                shards[index] = shards[index].copy()
            return shards[index]

        size = self._size
        for item_key in dropped:
            size -= 1 if own(item_key).pop(item_key, owned) is not owned else 0
        for item_key, value in put.items():
            shard = own(item_key)
            size += item_key not in shard
            shard[item_key] = value
        return self._made(shards, size)

    def changed_since(self, other: PersistentMap[K, V]) -> Iterator[K]:
        """The keys whose value is not the same object as in *other*; what the two share is not looked at."""
        if len(self._shards) != len(other._shards):
            yield from (item_key for item_key, value in self.items() if other.get(item_key) is not value)
            yield from (item_key for item_key in other if item_key not in self)
            return
        for mine, theirs in zip(self._shards, other._shards, strict=True):
            if mine is not theirs:
                yield from (item_key for item_key, value in mine.items() if theirs.get(item_key) is not value)
                yield from (item_key for item_key in theirs if item_key not in mine)

    def _made(self, shards: list[dict[K, V]], size: int) -> Self:
        if size > _FULL * len(shards):  # Too full: spread the items over more shards, once per doubling.
            return type(self)(pair for shard in shards for pair in shard.items())
        new = type(self).__new__(type(self))
        new._fill(tuple(shards), size)  # noqa: SLF001 -- The same class.
        return new


def with_members(ordered: tuple[P, ...], added: Collection[P], removed: Collection[P] = ()) -> tuple[P, ...]:
    """A sorted tuple without those *removed* and then with those *added*, each once.

    A tag may stand in every note of a vault: a few changes must not sort them all again.
    """
    if len(added) + len(removed) > len(ordered) // 16:
        return tuple(sorted({*ordered}.difference(removed).union(added)))
    members = list(ordered)
    for member in removed:
        at = bisect_left(members, member)
        if members[at : at + 1] == [member]:
            del members[at]
    for member in added:
        at = bisect_left(members, member)
        if members[at : at + 1] != [member]:
            members.insert(at, member)
    return tuple(members)


def _shards_for(size: int) -> int:
    """A power of two, so that shards hold about half of what fills them."""
    return 1 << max(0, (2 * size // _FULL).bit_length() - 1 if size > _FULL else 0)
