"""An answer without anybody who writes one: the best sentences of the passages, word for word.

Knows texts; must not know how passages were found.
"""

from __future__ import annotations

from collections.abc import Iterator

from knapper.memory.answer import Answer, Cited, Part, Said
from knapper.memory.asked import Evidence, Question


def extract(question: Question, evidence: Evidence) -> Iterator[Part]:
    """The pieces of the answer, the whole last; the same for the same evidence."""
    del question
    text = ""
    cited = []
    for number, passage in enumerate(evidence.passages[:3], 1):
        cited.append(Cited(number, passage, passage.text))
        yield cited[-1]
        said = Said(f"> {passage.text} [{number}]\n\n")
        text += said.text
        yield said
    yield Answer(text, tuple(cited), evidence.passages[3:], in_notes=bool(cited))
