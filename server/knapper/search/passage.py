"""What is embedded of a chunk: where it stands, then what it says, without what every note says.

Knows texts. Must not know models or where chunks come from. A change here makes other vectors of the same
notes: raise `PASSAGE_VERSION`, which belongs into the fingerprint of a set of vectors.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date

PASSAGE_VERSION = 1
"""To be raised whenever the same chunk would give another embedded text."""

_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_HASHES = re.compile(r"#{1,6}[ \t]+")


def embedded_text(
    title: str, headings: Sequence[str], dated: str, text: str, boilerplate: Collection[str] = frozenset()
) -> str:
    r"""The text that stands for a chunk in a model; empty if the chunk says nothing of its own.

    *headings* stand above the chunk, outermost first; *dated* is `written_date`; *boilerplate* are
    `line_key`s. The chunk `## Starter\n\nRye flour.\n\nBack to the top` of the note `Bread`, of 2024-05-07,
    in a vault where every note ends so, gives `Bread > Starter (2024-05-07)\n## Starter\n\nRye flour.`
    """
    said = without_lines(text, boilerplate)
    if dated and not said and text.strip():
        return ""  # An empty daily note; its date alone would make it like every other.
    above = [title, *(heading for heading in headings if line_key(heading) not in boilerplate)]
    head = " > ".join(part for part in above if part)
    if dated and dated not in head:
        head = f"{head} ({dated})"
    return f"{head}\n{said}".strip()


def without_lines(text: str, boilerplate: Collection[str]) -> str:
    r"""*text* without the lines whose key is in *boilerplate*: `a\n***\nb` without `***` is `a\nb`."""
    if not boilerplate:
        return text.strip()
    return "\n".join(line for line in text.split("\n") if line_key(line) not in boilerplate).strip()


def line_key(line: str) -> str:
    """What lines and headings are compared by: `## To  Do ` and `to do` give `to do`."""
    line = " ".join(line.split())
    return _HASHES.sub("", line, count=1).casefold() if line[:1] == "#" else line.casefold()


def written_date(name: str, properties: Iterable[str] = ()) -> str:
    """The date that a note's name writes, else its properties `date` and `created`, in this order; or `""`.

    Never that of the file, which synchronising and touching change: `2024-05-07 Plan` gives `2024-05-07`.
    """
    for said in (name, *properties):
        for found in _ISO_DATE.findall(said):
            try:
                return date.fromisoformat(found).isoformat()
            except ValueError:  # `2024-13-01` is no date.
                continue
    return ""
