"""An answer as a note of the vault. Knows answers and what a note is; must not know where notes are kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date

from knapper.memory.answer import Answer
from knapper.vault.paths import NotePath

Link = Callable[[NotePath, str | None, str | None], str]
"""Writes a link from the new note to a path, with a subpath and what is shown: `vault.write.link_to` does."""


def note_text(question: str, answer: Answer, day: date, link: Link, title: str = "") -> str:
    """The text of a note that keeps *answer*: properties, then the answer with links to its notes."""
    notes = dict.fromkeys(cited.passage.path for cited in answer.citations)
    lines = [
        "---",
        f"title: {json.dumps(title or question, ensure_ascii=False)}",
        f"date: {day.isoformat()}",
        "source: " + json.dumps(f"Knapper, {answer.provider}"),
        "notes:",
        *(f"  - {json.dumps(link(path, None, None), ensure_ascii=False)}" for path in notes),
        "---",
        "",
        answer.text.strip(),
        "",
    ]
    return "\n".join(lines)
