r"""Where a run of units that is too long for one chunk is parted, so that an edit moves few boundaries.

Filling one chunk after the other would move every boundary behind an edit. Here the beginnings of the units
are hashed: the boundary with the lowest hash parts the run first, the next one parts that part which it lies
in, and so on until all parts fit. So a boundary depends on the part that it parts, and on nothing before.
"""

from __future__ import annotations

import zlib
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import pairwise

from knapper.markup.measure import MAX_TOKENS, Measure
from knapper.text.span import Span

_LEAST = MAX_TOKENS // 4  # A boundary that makes a part of fewer tokens is not taken if another one will do.
_HASHED = 16  # So many characters of a unit are hashed: an edit behind them leaves the boundary where it is.
_MORE_HASHED = 200  # For units that begin alike.


def parted(
    measure: Measure, units: Sequence[Span], ranks: Sequence[int] | None = None
) -> Iterator[tuple[int, int]]:
    """The parts of *units*, each as the numbers of its first unit and of the one behind its last.

    Units of a lower rank begin a part sooner, whatever their hashes. A part that does not fit into a chunk
    is one unit.
    """
    if not units:
        return
    cuts = [0, len(units)]
    for index in _order(measure, units, ranks):
        at = bisect(cuts, index)
        first, end = cuts[at - 1], cuts[at]
        if not (
            _fits(measure, units, first, end)
            or measure.tokens(_whole(units, first, index)) < _LEAST
            or measure.tokens(_whole(units, index, end)) < _LEAST
        ):
            cuts.insert(at, index)
    for first, end in pairwise(cuts):
        yield from _halved(measure, units, first, end)


def filled(measure: Measure, units: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """As many units as fit in each part, one after the other; given as by `parted`."""
    first = 0
    for end in range(1, len(units)):
        if not _fits(measure, units, first, end + 1):
            yield first, end
            first = end
    if units:
        yield first, len(units)


def _order(measure: Measure, units: Sequence[Span], ranks: Sequence[int] | None) -> Sequence[int]:
    """The numbers of the units that may begin a part, the first to be tried first."""
    if len(units) < 2 or _fits(measure, units, 0, len(units)):
        return ()

    def key(index: int) -> tuple[int, int, int]:
        text = units[index].of(measure.text)
        return ranks[index] if ranks else 0, _hash(text[:_HASHED]), _hash(text[:_MORE_HASHED])

    return sorted(range(1, len(units)), key=key)


def _halved(measure: Measure, units: Sequence[Span], first: int, end: int) -> Iterator[tuple[int, int]]:
    """What is still too long, parted at the boundary next to its middle."""
    if end - first == 1 or _fits(measure, units, first, end):
        yield first, end
        return
    twice = units[first].start + units[end - 1].end
    index = min(range(first + 1, end), key=lambda at: abs(units[at - 1].end + units[at].start - twice))
    yield from _halved(measure, units, first, index)
    yield from _halved(measure, units, index, end)


def _hash(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


def _fits(measure: Measure, units: Sequence[Span], first: int, end: int) -> bool:
    return measure.fits(_whole(units, first, end))


def _whole(units: Sequence[Span], first: int, end: int) -> Span:
    return Span(units[first].start, units[end - 1].end)
