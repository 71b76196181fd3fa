"""What tells a page with an answer from other texts outside a vault: it says which conversation it is of.

Must not know what else stands on a page.
"""

from __future__ import annotations

import re

_SAID = re.compile(r'"conversation": "([\w-]+)"')


def saying(conversation: str) -> str:
    """How a page says of which conversation it is, as it stands in params."""
    return f'"conversation": "{conversation}"'


def conversation_of(text: str) -> str | None:
    """The conversation that a page is of; None if the text is no such page. What is said last counts."""
    found = _SAID.findall(text)
    return found[-1] if found else None
