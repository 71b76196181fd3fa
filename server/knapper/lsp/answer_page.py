"""An answer as a page, for editors that have no view for one. Markdown, with links to the passages.

Knows the answer as the client is told it. A link is `[1](uri#L12)`, which editors open at the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from knapper.ide.page import saying
from knapper.markup.mask import opaque_at
from knapper.markup.parse import parse

Answer = dict[str, Any]
_MARKER = re.compile(r"\[(\d{1,3})\](?![(\[])")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


def answer_page(answer: Answer) -> str:
    """The answer, its sources, and what is to be known of it."""
    lines = ["# Answer", "", *_quoted(answer["question"]), "", *_dry_run(answer), _linked(answer), ""]
    for title, entries in (
        ("Sources", _sources(answer)),
        ("Also retrieved", [_link(found) for found in answer["alsoRetrieved"]]),
        ("Not borne out by the notes", [_inline(sentence) for sentence in answer["unverified"]]),
        ("About this answer", list(_about(answer))),
        ("To go on", list(_next(answer))),
    ):
        if entries:
            lines += [f"## {title}", "", *(f"- {entry}" for entry in entries), ""]
    return "\n".join(lines)


def _linked(answer: Answer) -> str:
    """The answer with its markers as links; what looks like one in code is none."""
    text, targets = answer["answer"].strip(), {c["number"]: _target(c) for c in answer["citations"]}
    parsed = parse(text)

    def link(found: re.Match[str]) -> str:
        target = targets.get(int(found[1]))
        if target is None or opaque_at(parsed, found.start() + 1):
            return found[0]
        return f"[{found[1]}]({target})"

    return _MARKER.sub(link, text)


def _sources(answer: Answer) -> list[str]:
    return [
        f"{cited['number']}: {_link(cited)}{_note_on(cited)} “{_inline(cited['quote'])}”"
        for cited in answer["citations"]
    ]


def _note_on(cited: Answer) -> str:
    return " (the note has been changed since)" if cited["changed"] else ""


def _about(answer: Answer) -> Iterator[str]:
    """Who wrote it, what was sent, and what went wrong."""
    if "dryRun" in answer:
        yield from answer["remarks"]
        return
    sent = answer["sent"]
    if sent:
        of = f"{_counted(sent['passages'], 'passage')} of {_counted(len(sent['notes']), 'note')}"
        count = f"{of}, about {_counted(sent['tokens'], 'token')}"
        yield f"Written by {_inline(answer['model'])}; sent to {sent['host']}: {count}."
    else:
        yield "Nothing was sent to anybody."
    if not answer["complete"]:
        yield "The answer is not complete."
    yield from answer["remarks"]


def _next(answer: Answer) -> Iterator[str]:
    """How to go on, by actions on the page or by commands."""
    if answer["conversation"]:
        given = saying(answer["conversation"])
        yield (
            "Ask on: type a question on this page, select it, and choose the action “Ask memory about this”;"
            f' or run `knapper.ask` with `{{"question": "…", {given}, "show": true}}`.'
        )
        yield (
            "Keep it as a note: choose the action “Keep this answer as a note”;"
            f" or run `knapper.saveAnswer` with `{{{given}}}`."
        )


def _dry_run(answer: Answer) -> list[str]:
    if "dryRun" not in answer:
        return []
    run = answer["dryRun"]
    passages = [f"- {_link(found)}" for found in run["passages"]]
    head = f"Would be sent to {run['host']} for {_inline(run['model'])}, about {run['tokens']:,} tokens:"
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", run["body"])), default=0))
    return [head, "", *passages, "", f"{fence}json", run["body"], fence, ""]


def _quoted(text: str) -> list[str]:
    """*text* as it is: a selected one may hold a picture that the page must not load."""
    return [f"> {_inline(line)}".rstrip() for line in text.split("\n")]


def _link(found: Answer) -> str:
    heading = f" › {_inline(found['heading'].replace(' > ', ' › '))}" if found["heading"] else ""
    return f"[{_inline(found['title'])}{heading}]({_target(found)})"


def _target(found: Answer) -> str:
    # A bracket in a URI would end the link.
    uri = found["uri"].replace("(", "%28").replace(")", "%29")
    return f"{uri}#L{found['range'].start.line + 1}"


def _inline(text: str) -> str:
    """*text* on one line, its marks shown and not read."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _counted(count: int, one: str) -> str:
    return f"{count:,} {one}{'' if count == 1 else 's'}"
