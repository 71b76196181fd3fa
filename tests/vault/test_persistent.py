"""The immutable map behaves like a dict that is copied at every change."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from knapper.vault.persistent import PersistentMap

numbers = st.integers(0, 400)
changes = st.tuples(st.dictionaries(numbers, numbers), st.lists(numbers))


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(numbers, numbers, max_size=300), st.lists(changes, max_size=5))
def test_changes_give_what_a_dict_gives(
    items: dict[int, int], steps: list[tuple[dict[int, int], list[int]]]
) -> None:
    tried, expected = PersistentMap(items), dict(items)
    for put, drop in steps:
        before, copy = tried, dict(expected)
        tried = tried.with_changes(put, drop)
        expected = {**{name: value for name, value in expected.items() if name not in drop}, **put}

        assert before == copy
        assert (tried, len(tried), sorted(tried)) == (expected, len(expected), sorted(expected))


def test_a_large_map_spreads_over_shards_as_it_grows() -> None:
    grown: PersistentMap[int, str] = PersistentMap()
    for start in range(0, 20_000, 100):
        grown = grown.with_changes({number: str(number) for number in range(start, start + 100)})

    assert grown == {number: str(number) for number in range(20_000)}
    assert max(len(shard) for shard in grown._shards) <= 256


def test_a_change_shares_what_it_does_not_touch() -> None:
    old = PersistentMap({number: [number] for number in range(10_000)})
    new = old.with_changes({5: [6]}, [7])
    copied = sum(mine is not theirs for mine, theirs in zip(new._shards, old._shards, strict=True))

    assert copied <= 2
    assert set(new.changed_since(old)) == {5, 7}


def test_no_change_is_the_same_map() -> None:
    old = PersistentMap({1: 2})

    assert old.with_changes({}, [3]) is old


def test_a_missing_key_is_an_error_as_in_a_dict() -> None:
    assert PersistentMap({1: 2}).get(3) is None
    assert PersistentMap({1: 2}).get(3, 4) == 4
    assert 3 not in PersistentMap({1: 2})
    assert PersistentMap({1: 2}) != {1: 3}
