"""How many tokens a text costs, without the provider's tokenizer: an estimate that is rather too high.

Must not know what is sent; it counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_ASCII_PER_TOKEN = 3.5
_BYTES_PER_TOKEN = 2.2
"""Of everything else: a CJK character of three bytes counts 1.4 tokens, a Cyrillic letter 0.9."""


def estimate(text: str) -> int:
    """About how many tokens *text* is: 3 for `Hello world`, 7 for `日本語の本`."""
    size = len(text.encode("utf-8", "replace"))
    ascii_size = sum(character < "\x80" for character in text)
    return math.ceil(ascii_size / _ASCII_PER_TOKEN + (size - ascii_size) / _BYTES_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Budget:
    """What a model holds at once, *context*, and how much of it an *answer* may take, in tokens."""

    context: int
    answer: int

    @property
    def room(self) -> int:
        """What is left for the prompt; a twentieth is kept back, since prompts are only estimated."""
        return self.context - self.answer - self.context // 20


HOSTED = Budget(128_000, 4_096)
LOCAL = Budget(4_096, 1_024)
"""Ollama's own default on most machines; it cuts longer prompts without a word."""
