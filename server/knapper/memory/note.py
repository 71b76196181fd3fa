"""An answer as a note of the vault. Knows answers and what a note is; must not know where notes are kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date

from knapper.markup.heading import linkable_heading
from knapper.markup.mask import opaque_at
from knapper.markup.note import Parse
from knapper.markup.parse import parse
from knapper.memory.answer import Answer, Cited
from knapper.memory.visible import visible
from knapper.vault.paths import NotePath

Link = Callable[[NotePath, str | None, str | None], str]
"""Writes a link from the new note to a path, with a subpath and what is shown: `vault.write.link_to` does."""

_MARKER = re.compile(r"\[(\d{1,3})\](?!\()")


def note_text(
    question: str, answer: Answer, day: date, link: Link, title: str = "", *, private: bool = False
) -> str:
    r"""The text of a note that keeps *answer*: properties, the question, the answer with links to its notes.

    `Daily [1].` becomes `Daily [[Bread#Starter|1]].`, below `notes:\n  - "[[Bread]]"`. What the notes do not
    bear out is listed. A note that says what is *private* elsewhere says that it is so itself.
    """
    notes = dict.fromkeys(cited.passage.path for cited in answer.citations)
    author = "" if answer.provider == "none" else f", {answer.provider}/{answer.model}"
    lines = [
        "---",
        f"title: {_quoted(title or question)}",
        f"date: {day.isoformat()}",
        f"source: {_quoted(f'knapper{author}')}",
        *(["private: true"] if private else []),
        *(["notes:"] if notes else []),
        *(f"  - {_quoted(link(path, None, None))}" for path in notes),
        "---",
        "",
        *(f"> {line}".rstrip() for line in visible(question).strip().split("\n")),
        "",
        _linked(answer, link).strip(),
        "",
    ]
    if answer.unverified:
        lines += ["Not borne out by the notes:", "", *(f"- {one}" for one in answer.unverified), ""]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """*text* on one line, as YAML and JSON both quote it."""
    return json.dumps(" ".join(visible(text).split()), ensure_ascii=False)


def _linked(answer: Answer, link: Link) -> str:
    """The answer with links in place of its markers; what looks like one in code is none."""
    parsed = parse(answer.text)
    cited = {one.number: one for one in answer.citations}

    def linked(found: re.Match[str]) -> str:
        one = cited.get(int(found[1]))
        if one is None or opaque_at(parsed, found.start() + 1):
            return found[0]
        written = link(one.passage.path, _subpath(one), found[1])
        return written.replace("|", "\\|") if _in_table(parsed, found.start()) else written

    return _MARKER.sub(linked, answer.text)


def _subpath(cited: Cited) -> str | None:
    """The heading that the quote stands under, as a link writes it."""
    return linkable_heading(cited.heading.rpartition(" > ")[2]) or None


def _in_table(parsed: Parse, offset: int) -> bool:
    return any(region.kind == "table" and region.span.holds(offset) for region in parsed.regions)
