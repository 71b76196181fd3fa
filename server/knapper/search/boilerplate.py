"""Lines and headings that so many notes hold that they say nothing: what is left of templates.

Without them daily notes would resemble each other by their skeleton alone. Computed over all notes at once,
at whole passes only, and with two thresholds: an edit never makes the passages of other notes new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from knapper.search.passage import line_key

ENTERS = 0.05
"""A line in more than this part of the notes becomes boilerplate,"""
LEAVES = 0.02
"""and remains so until it stands in fewer than this part."""
FEWEST_NOTES = 20
"""A smaller vault has no boilerplate."""
_ENTERS_COUNT, _LEAVES_COUNT = 5, 4  # Below these numbers of notes nothing is a template.


class LineCounts:
    """Counts in how many notes each line stands. Feed it the chunks of one note after the other."""

    def __init__(self) -> None:
        self.notes = 0
        self._counts: Counter[str] = Counter()

    def add(self, texts: Iterable[str]) -> None:
        """Count one note, given as its chunks' texts (or whole)."""
        self.notes += 1
        self._counts.update({key for text in texts for line in text.split("\n") if (key := line_key(line))})

    def boilerplate(self, before: Collection[str] = ()) -> frozenset[str]:
        """The keys of the lines to be left out, where those *before* were left out until now."""
        return boilerplate_of(self._counts, self.notes, before)


def boilerplate_of(counts: Mapping[str, int], notes: int, before: Collection[str] = ()) -> frozenset[str]:
    """Of lines that stand in so many of *notes* notes those to be left out; see `LineCounts`.

    The same counts and what they gave before give the same again.
    """
    if notes < FEWEST_NOTES:
        return frozenset()
    enters = max(ENTERS * notes, _ENTERS_COUNT)
    leaves = max(LEAVES * notes, _LEAVES_COUNT)
    return frozenset(
        key for key, count in counts.items() if count >= enters or (key in before and count >= leaves)
    )
