"""Texts grouped for a model: what goes through it in one run. Pure.

Every text of a run is padded to the longest, and memory grows with the padded total: 309 MB for one text
of 256 tokens, 536 for eight. Batches are no faster, so a run is small and its texts are of like length.
"""

from __future__ import annotations

from collections.abc import Sequence

MOST_TOKENS = 512


def plan_runs(lengths: Sequence[int], most: int = MOST_TOKENS) -> list[list[int]]:
    """Indexes of texts with these *lengths*, in runs of at most *most* tokens with padding; longest first.

    `plan_runs([100, 300, 120], 512)` gives `[[1], [2, 0]]`. A longer text is a run of its own.
    """
    runs: list[list[int]] = []
    width = 0
    for index in sorted(range(len(lengths)), key=lambda index: (-lengths[index], index)):
        if runs and width * (len(runs[-1]) + 1) <= most:
            runs[-1].append(index)
        else:
            runs.append([index])
            width = max(lengths[index], 1)
    return runs
