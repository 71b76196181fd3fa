"""How long a chunk may be. Counts depend on the text alone, never on a model."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from knapper.text.fold import cjk_runs
from knapper.text.span import Span

MAX_CHARACTERS = 1500
MAX_TOKENS = 350


class Measure:
    """The lengths of the parts of one text."""

    def __init__(self, text: str) -> None:
        runs = list(cjk_runs(text))
        self.text = text
        self._starts = [start for start, _ in runs]
        self._ends = [end for _, end in runs]
        self._before = list(accumulate((end - start for start, end in runs), initial=0))

    def tokens(self, span: Span) -> int:
        """How many tokens a model makes of *span*: one of a CJK character, one of four others."""
        wide = self._wide_before(span.end) - self._wide_before(span.start) if self._starts else 0
        return wide + -(-(span.end - span.start - wide) // 4)

    def fits(self, span: Span) -> bool:
        """Whether a chunk may take *span*."""
        length = span.end - span.start
        return length <= MAX_TOKENS or (length <= MAX_CHARACTERS and self.tokens(span) <= MAX_TOKENS)

    def _wide_before(self, offset: int) -> int:
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return 0
        return self._before[index] + min(offset, self._ends[index]) - self._starts[index]
