"""Answers of our own requests as pages, for editors that have no view for them. Markdown, with links."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from knapper.lsp.answer_page import answer_page

Answer = dict[str, Any]


def status_page(answer: Answer) -> str:
    """The status as a page."""
    lines = ["# Knapper", "", f"State: {answer['state']}, {answer['pending']} pending.", ""]
    for vault in answer["vaults"]:
        lines += [
            f"## {vault['name']}",
            "",
            f"- {vault['notes']} notes, {vault['links']} links, {vault['unresolved']} of them unresolved",
            f"- {vault['chunks']} passages, {vault['embedded']} with a vector",
            f"- Model: {_or_why(vault, 'model')}",
            f"- Reranker: {_or_why(vault, 'reranker')}",
            f"- Index: {vault['index']['path']} ({vault['index']['bytes'] // 1024} KB)",
        ]
        lines += [f"- {problem['path']}: {problem['reason']}" for problem in vault["problems"]]
        lines.append("")
    return "\n".join(lines)


def _or_why(vault: Answer, name: str) -> str:
    why = vault[f"{name}Reason"]
    return f"{vault[name] or 'none'}{f' ({why})' if why else ''}"


def rebuild_page(answer: Answer) -> str:
    """The result of a rebuild as a page."""
    return f"# Index rebuilt\n\n{len(answer['items'])} vault(s)."


def search_page(answer: Answer) -> str:
    """The hits as a page with links."""
    lines = [f"# Search: {answer['query']}", ""]
    for item in answer["items"]:
        where = f" › {item['heading']}" if item["heading"] else ""
        lines += [
            f"- [{item['title']}]({item['uri']}#L{item['range'].start.line + 1}){where}",
            f"  {item['snippet']}",
        ]
    lines += ["", *(f"*{remark}*" for remark in answer["remarks"])] if answer["remarks"] else []
    return "\n".join(lines if answer["items"] else [*lines, "Nothing was found."]) + "\n"


def suggestions_page(answer: Answer) -> str:
    """The links that a note could have, as a page with links."""
    lines = [
        f"- line {item['range'].start.line + 1}, “{item['text']}”: [{item['path']}]({item['uri']})"
        for item in answer["items"]
    ]
    return "\n".join(["# Links this note could have", "", *(lines or ["None."])]) + "\n"


def clusters_page(answer: Answer) -> str:
    """The topics as a page with links."""
    lines = ["# Topics"]
    for item in answer["items"]:
        notes = (f"- [{note['title']}]({note['uri']})" for note in item["notes"])
        lines += ["", f"## {item['label']}", "", *notes]
    return "\n".join(lines if answer["items"] else [*lines, "", "There are too few notes for topics."]) + "\n"


def fetched_page(_answer: Answer) -> str:
    """What a download has come to."""
    return "# Model downloaded\n\nThe model is there. The notes are embedded from now on, open ones first.\n"


def backlinks_page(answer: Answer) -> str:
    """The backlinks as a page with links."""
    lines = ["# Backlinks", "", *_lines(answer["items"]), "", "## Unlinked mentions", ""]
    return "\n".join([*lines, *_lines(answer["unlinked"])]) + "\n"


def _lines(items: list[dict[str, Any]]) -> list[str]:
    made = [f"- [{i['path']}]({i['uri']}#L{i['range'].start.line + 1}): {i['text']}" for i in items]
    return made or ["None."]


def graph_page(answer: Answer) -> str:
    """The graph as a page: each edge in one line."""
    lines = [f"- {edge['source']} → {edge['target']}" for edge in answer["edges"]]
    return "\n".join(["# Link graph", "", f"{len(answer['nodes'])} notes.", "", *lines]) + "\n"


def references_page(answer: Answer) -> str:
    """The references as a page with links."""
    lines = [f"- [{i['path']}]({i['uri']}#L{i['range'].start.line + 1})" for i in answer["items"]]
    return "\n".join(["# Backlinks", "", *(lines or ["None."])]) + "\n"


PAGES: dict[str, tuple[str, Callable[[Answer], str]]] = {
    "knapper.status": ("Status", status_page),
    "knapper.search": ("Search", search_page),
    "knapper.suggestLinks": ("Links this note could have", suggestions_page),
    "knapper.clusters": ("Topics", clusters_page),
    "knapper.fetchModel": ("Model downloaded", fetched_page),
    "knapper.backlinks": ("Backlinks", backlinks_page),
    "knapper.graph": ("Link graph", graph_page),
    "knapper.rebuild": ("Index rebuilt", rebuild_page),
    "knapper.ask": ("Answer", answer_page),
}
"""For each command the name of its page and what writes it."""
